package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// answer has standard input be a terminal on which somebody types.
func answer(t *testing.T, typed ...string) *ui {
	t.Helper()
	tty, screen := terminal(t, 80)
	before := os.Stdin
	os.Stdin = tty
	t.Cleanup(func() { os.Stdin = before })
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		_, _ = io.Copy(io.Discard, screen) // until it is closed
	}()
	go func() {
		for _, line := range typed {
			time.Sleep(20 * time.Millisecond) // what is typed before the echo is off is discarded by some systems
			_, _ = screen.WriteString(line + "\n")
		}
	}()
	return newUI(new(bytes.Buffer), new(bytes.Buffer))
}

// TestAskPassword: a password is asked for twice.
func TestAskPassword(t *testing.T) {
	for _, c := range []struct {
		typed      []string
		want, fail string
	}{
		{[]string{"correct horse", "correct horse"}, "correct horse", ""},
		{[]string{"correct horse", "correct house"}, "", "the passwords differ"},
		{[]string{""}, "", "the password is empty"},
	} {
		u := answer(t, c.typed...)
		got, err := (&passwordFlags{ask: true}).password(u)
		if got != c.want || (err == nil) != (c.fail == "") || err != nil && !strings.Contains(err.Error(), c.fail) {
			t.Errorf("typed %q: %q, %v", c.typed, got, err)
		}
	}
}

// TestConfirm: only a yes publishes.
func TestConfirm(t *testing.T) {
	for typed, want := range map[string]bool{"y": true, "Yes": true, "n": false, "": false, "yesterday": false} {
		u := answer(t, typed)
		if err := new(publishFlags).confirm(u); (err == nil) != want {
			t.Errorf("%q: %v", typed, err)
		}
	}
}
