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
