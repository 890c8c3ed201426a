package main

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

// usualPager is used if $PAGER is not set: it shows colours, and ends by itself if the text fits.
const usualPager = "less"

// page shows text in a pager if standard output is a terminal and there is a pager, and prints it otherwise.
func (u *ui) page(text []byte) error {
	words := strings.Fields(cmp.Or(os.Getenv("VIEWER_PAGER"), os.Getenv("PAGER"), usualPager))
	if u.outColumns() == 0 || os.Getenv("TERM") == "dumb" || len(words) == 0 {
		return u.printAll(text)
	}
	name, err := exec.LookPath(words[0])
	if err != nil {
		return u.printAll(text)
	}
	c := exec.Command(name, words[1:]...)
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(text), u.out.Raw(), u.err.Raw() // the text is safe to print
	c.Env = os.Environ()
	if os.Getenv("LESS") == "" {
		c.Env = append(c.Env, "LESS=FRX")
	}
	// The pager handles Ctrl-C until it ends.
	signal.Reset(os.Interrupt)
	ours := make(chan os.Signal, 1)
	signal.Notify(ours, os.Interrupt)
	defer signal.Stop(ours)
	err = c.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		return u.printAll(text)
	}
	return nil
}

func (u *ui) printAll(text []byte) error {
	_, _ = u.out.Write(text) // see ui.print
	return nil
}
