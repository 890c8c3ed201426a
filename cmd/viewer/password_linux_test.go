package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// uiWithInput returns a ui whose standard input is a terminal on which lines are typed.
func uiWithInput(t *testing.T, typed ...string) *ui {
	t.Helper()
	tty, screen := terminal(t, 80)
	before := os.Stdin
	os.Stdin = tty
	t.Cleanup(func() { os.Stdin = before })
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		_, _ = io.Copy(io.Discard, screen) // until the terminal is closed
	}()
	go func() {
		for _, line := range typed {
			time.Sleep(20 * time.Millisecond) // some systems discard what is typed before the echo is turned off
			_, _ = screen.WriteString(line + "\n")
		}
	}()
	return newUI(new(bytes.Buffer), new(bytes.Buffer))
}

// TestAskPassword: a password must be typed twice.
func TestAskPassword(t *testing.T) {
	for _, c := range []struct {
		typed      []string
		want, fail string
	}{
		{[]string{"correct horse", "correct horse"}, "correct horse", ""},
		{[]string{"correct horse", "correct house"}, "", "the passwords differ"},
		{[]string{""}, "", "the password is empty"},
	} {
		u := uiWithInput(t, c.typed...)
		got, err := (&passwordFlags{ask: true}).password(u)
		if got != c.want || (err == nil) != (c.fail == "") || err != nil && !strings.Contains(err.Error(), c.fail) {
			t.Errorf("typed %q: got %q, %v, want %q and error %q", c.typed, got, err, c.want, c.fail)
		}
	}
}

// TestConfirm: only "y" or "yes" publishes.
func TestConfirm(t *testing.T) {
	for typed, want := range map[string]bool{"y": true, "Yes": true, "n": false, "": false, "yesterday": false} {
		u := uiWithInput(t, typed)
		if err := new(publishFlags).confirm(u); (err == nil) != want {
			t.Errorf("typed %q: error %v, want to publish: %t", typed, err, want)
		}
	}
}
