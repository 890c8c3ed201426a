package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// An unknown is a usage error about an unknown name. near is the name that was probably meant, "" for none.
type unknown struct {
	error
	near string
}

func (e unknown) Unwrap() error { return e.error }

// unknownCommand returns the error about an unknown subcommand.
func unknownCommand(parent *cobra.Command, name string) error {
	err := usagef("unknown command %q", strings.TrimPrefix(parent.CommandPath()+" "+name, "viewer "))
	return unknown{err, nearest(name, commandNames(parent))}
}

// commandNames returns the names of the subcommands of a command.
func commandNames(parent *cobra.Command) []string {
	var names []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagError returns a usage error about the flags of a command.
func flagError(c *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) {
		return usageError{err}
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := nearest(missing.GetSpecifiedName(), names)
	if near != "" {
		near = "--" + near
	}
	return unknown{usageError{err}, near}
}

// nearest returns the name that a word was most likely meant to be: one that begins with it, or one in which at most a
// third of the letters differ. It returns "" if there is none.
func nearest(word string, names []string) string {
	word = strings.ToLower(word)
	best, least := "", max(1, len(word)/3)
	for _, name := range names {
		d := distance(word, name)
		if len(word) > 1 && strings.HasPrefix(name, word) {
			d = 0
		}
		if d < least || d == least && best == "" {
			best, least = name, d
		}
	}
	return best
}

// distance returns how many letters have to be inserted, deleted, replaced or swapped to turn a into b.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			other := last[j-1]
			if a[i-1] != b[j-1] {
				other++
			}
			row[j] = min(other, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
