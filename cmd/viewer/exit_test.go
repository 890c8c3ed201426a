package main

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"viewer/sitegen"
)

// TestExitCodes: scripts see only zero or not.
func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{nil, exitDone},
		{errors.New("disk full"), exitFailed},
		{&sitegen.Error{Err: errors.New("no such file"), Hint: "look elsewhere"}, exitFailed},
		{usageError{errors.New("unknown flag")}, exitUsage},
		{fmt.Errorf("wrapped: %w", errStrict), exitProblems},
	} {
		if got := newUI(new(bytes.Buffer), new(bytes.Buffer)).fail(c.err); got != c.code {
			t.Errorf("fail(%v) = %d, want %d", c.err, got, c.code)
		}
	}
}

// TestOneLine: what is said stays on its line, whatever a file is called: the
// runner of a CI service obeys lines that begin with "::".
func TestOneLine(t *testing.T) {
	var out bytes.Buffer
	u := newUI(new(bytes.Buffer), &out)
	u.warn("%s: torn", "a\n::error::b\x1b[2J.jsonl")
	u.line("open %s", "c\r\nd")
	if want := "viewer: warning: a ::error::b\ufffd[2J.jsonl: torn\nviewer: open c\ufffd d\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
