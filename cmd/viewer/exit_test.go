package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"viewer/internal/failure"
	"viewer/internal/sitegen"
	"viewer/internal/transcript"
)

// TestExitCodes checks the exit code of each kind of error.
func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{nil, exitDone},
		{errors.New("disk full"), exitFailed},
		{&failure.Error{Err: errors.New("no such file"), Hint: "look elsewhere"}, exitFailed},
		{failure.Usage{Err: errors.New("unknown flag")}, exitUsage},
		{fmt.Errorf("wrapped: %w", errStrict), exitProblems},
		{strictly(reportOf(false), true), exitProblems},
		{strictly(reportOf(true), true), exitFailed},
		{strictly(reportOf(true), false), exitDone},
	} {
		if got := newUI(new(bytes.Buffer), new(bytes.Buffer)).fail(c.err); got != c.code {
			t.Errorf("fail(%v) = %d, want %d", c.err, got, c.code)
		}
	}
}

func reportOf(fault bool) sitegen.Report {
	bad := transcript.Problem{Pos: transcript.Pos{File: "b.jsonl"}, Text: "a fault of the viewer", Fault: fault}
	torn := transcript.Problem{Pos: transcript.Pos{File: "a.jsonl", Line: 1}, Text: "torn"}
	return sitegen.Report{Sessions: 2, Problems: []transcript.Problem{torn, bad}}
}

// TestFaultsAreReported: a session that cannot be shown is reported even with --quiet, and a list without it fails.
func TestFaultsAreReported(t *testing.T) {
	var out bytes.Buffer
	u := newUI(new(bytes.Buffer), &out)
	u.quiet = true
	summarize(u, reportOf(true))
	if want := "viewer: error: b.jsonl: a fault of the viewer\n"; out.String() != want {
		t.Errorf("with --quiet: got %q, want %q", out.String(), want)
	}
	u.quiet = false
	if summarize(u, reportOf(true)); !strings.Contains(out.String(),
		"viewer: 2 sessions, 1 of them NOT SHOWN, 0 pages") {
		t.Errorf("got summary %q, want that 1 session is not shown", out.String())
	}
	if u.leftOut(reportOf(true).Problems[1]); u.fail(nil) != exitFailed {
		t.Errorf("a list without a session succeeds, want exit code %d", exitFailed)
	}
}

// TestOneLine: a message stays on one line and has no control characters, whatever the name of a file is. Runners of CI
// services interpret lines that begin with "::" as commands.
func TestOneLine(t *testing.T) {
	var out bytes.Buffer
	u := newUI(new(bytes.Buffer), &out)
	u.warn("%s: torn", "a\n::error::b\x1b[2J.jsonl")
	u.line("open %s", "c\r\nd")
	if want := "viewer: warning: a :\u2060:error::b\u241b[2J.jsonl: torn\nviewer: open c\u240d d\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
