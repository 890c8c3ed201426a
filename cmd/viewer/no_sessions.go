package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"viewer/internal/sitegen"
)

// noMatch returns an error that says why no session is left of those in the sources. filters are the flags that select
// sessions, "" for none: then all sessions are empty.
func noMatch(sources []string, filters string) error {
	if filters != "" {
		return sitegen.None(fmt.Errorf("no session matches %s", filters))
	}
	where := sitegen.UsualWords()
	if len(sources) > 0 {
		where = strings.Join(sources, ", ")
	}
	return sitegen.None(fmt.Errorf("only empty sessions in %s", where))
}

// nothing returns reason, an error of sources. If it says that they have no session, a program with --json gets empty,
// and the reason as a message: to it, nothing is an answer like any other.
func nothing(u *ui, reason error, sources []string, asJSON bool, empty any) error {
	none := errors.Is(reason, sitegen.ErrNone) || len(sources) == 0 && errors.Is(reason, fs.ErrNotExist)
	if !none || !asJSON {
		return reason
	}
	u.line("%v", reason)
	if err := u.printJSON(empty, " "); err != nil {
		return fmt.Errorf("printing the result: %w", err)
	}
	return nil
}
