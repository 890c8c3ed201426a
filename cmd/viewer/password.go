package main

import (
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"viewer/internal/failure"
	"viewer/internal/smallfile"
)

// passwordFlags are the flags for the password of encrypted pages.
type passwordFlags struct {
	ask   bool
	file  string
	known string // the password, after it was asked for
}

func (f *passwordFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.ask, "password", false, "encrypt pages with a password, which is asked for on the terminal")
	c.Flags().StringVar(&f.file, "password-file", "", "encrypt pages with the first line of `FILE`")
}

// shortPassword is the length in characters below which a warning is printed, because whoever has a page can try any
// number of passwords.
const shortPassword = 12

// password returns the password to encrypt with, "" for none.
func (f *passwordFlags) password(u *ui) (string, error) {
	if f.ask && f.file != "" {
		return "", usagef("--password and --password-file cannot be combined")
	}
	var password string
	var err error
	switch {
	case f.known != "":
		return f.known, nil
	case f.file != "":
		password, err = passwordOf(f.file)
	case f.ask:
		password, err = askPassword(u)
	default:
		return "", nil
	}
	if n := utf8.RuneCountInString(password); err == nil && n < shortPassword {
		u.warn("the password has fewer than %d characters, and anyone who has the page can try passwords without limit",
			shortPassword)
	}
	if err == nil {
		f.known = password
	}
	return password, err
}

// passwordOf reads the first line of a file.
func passwordOf(file string) (string, error) {
	data, err := smallfile.Read(file)
	if err != nil {
		return "", &failure.Error{
			Err:  fmt.Errorf("reading %s: %w", file, failure.Cause(err)),
			Hint: "--password-file names a file whose first line is the password",
		}
	}
	line, _, _ := strings.Cut(string(data), "\n")
	line = strings.TrimSuffix(line, "\r")
	switch {
	case line == "":
		return "", &failure.Error{
			Err: fmt.Errorf("the first line of %s is empty", file), Hint: "write the password there",
		}
	case !utf8.ValidString(line):
		return "", &failure.Error{
			Err: fmt.Errorf("the first line of %s is not UTF-8", file), Hint: "write the password there as text",
		}
	}
	return line, nil
}

// askPassword asks for a new password on the terminal, twice.
func askPassword(u *ui) (string, error) {
	in := int(os.Stdin.Fd())
	if !term.IsTerminal(in) {
		return "", usagef("--password asks on a terminal, but standard input is not one: use --password-file")
	}
	read := func(prompt string) (string, error) {
		_ = u.err.Printf("%s", prompt)
		line, err := term.ReadPassword(in)
		_ = u.err.Printf("\n")
		if err != nil {
			return "", fmt.Errorf("reading the password: %w", failure.Cause(err))
		}
		return string(line), nil
	}
	first, err := read("password: ")
	if err != nil {
		return "", err
	}
	if first == "" || !utf8.ValidString(first) {
		return "", usagef("the password is empty or not UTF-8")
	}
	again, err := read("password again: ")
	if err != nil {
		return "", err
	}
	if again != first {
		return "", usagef("the passwords differ")
	}
	return first, nil
}
