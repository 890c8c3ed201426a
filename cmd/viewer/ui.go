package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"viewer/sitegen"
	"viewer/transcript"
	"viewer/words"
)

// All talk is here. What was asked for goes to standard output; everything
// else goes to standard error with "viewer:" before it, in lower case and
// without a full stop. An error names the file and ends in the cause; a hint
// says what to do next.
type ui struct {
	out, err io.Writer
	quiet    bool
	verbose  bool
	color    choice            // auto, always, never
	command  *cobra.Command    // that ran, nil while none has
	from     map[string]string // where the value of each flag is from, see settings.fill
	faulty   atomic.Bool       // a session was left out, see leftOut
}

func newUI(out, err io.Writer) *ui {
	return &ui{out: out, err: err, color: choice{"auto", []string{"auto", "always", "never"}}}
}

// line says something that is neither error nor warning; quiet takes it away.
func (u *ui) line(format string, args ...any) {
	if !u.quiet {
		fmt.Fprintln(u.err, "viewer: "+oneLine(fmt.Sprintf(format, args...)))
	}
}

// oneLine keeps what is said on one line: the name of a file may hold anything,
// and the runner of a CI service obeys lines that begin with "::".
func oneLine(s string) string {
	if strings.IndexFunc(s, unicode.IsControl) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return ' '
		case unicode.IsControl(r) && r != '\t':
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// detail says what only those want to know who asked for it.
func (u *ui) detail(format string, args ...any) {
	if u.verbose {
		u.line(format, args...)
	}
}

func (u *ui) warn(format string, args ...any) { u.mark("warning:", yellow, format, args...) }

func (u *ui) hint(format string, args ...any) { u.mark("hint:", cyan, format, args...) }

func (u *ui) fault(format string, args ...any) { u.mark("error:", red, format, args...) }

// The colours of the words that a line begins with.
const (
	red    = "\x1b[1;31m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
)

func (u *ui) mark(word, color, format string, args ...any) {
	if u.colors(u.err) {
		word = color + word + "\x1b[0m"
	}
	fmt.Fprintln(u.err, "viewer: "+word+" "+oneLine(fmt.Sprintf(format, args...)))
}

// colors says whether what is written to takes colours: as --color says, else where
// it is a terminal and nobody asked for none (https://no-color.org).
func (u *ui) colors(w io.Writer) bool {
	f, ok := w.(*os.File)
	terminal := ok && term.IsTerminal(int(f.Fd()))
	switch u.color.value {
	case "always":
		return !terminal || escapes(f)
	case "never":
		return false
	}
	return terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && escapes(f)
}

// usageError is a mistake in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errStrict ends a strict run whose data has problems; they have been listed.
var errStrict = errors.New("the data has problems")

// errStopped ends what goes on until it is stopped.
var errStopped = errors.New("stopped")

// fail reports an error and turns it into an exit code.
func (u *ui) fail(err error) int {
	var usage usageError
	switch {
	case err == nil && u.faulty.Load():
		return exitFailed
	case err == nil:
		return exitDone
	case errors.Is(err, errFaults):
		return exitFailed
	case errors.Is(err, errStrict):
		return exitProblems
	case errors.Is(err, errFailOn):
		u.complain(err)
		return exitProblems
	case errors.As(err, &usage):
		u.fault("%v", err)
		u.hint("%s", u.usageHint(err))
		return exitUsage
	}
	u.complain(err)
	return exitFailed
}

// usageHint says which name was likely meant, and where it is told what a command takes.
func (u *ui) usageHint(err error) string {
	hint := "viewer help lists the commands"
	if c := u.command; c != nil && c.HasParent() && c.Name() != "help" {
		hint = "viewer help" + strings.TrimPrefix(c.CommandPath(), "viewer") + " shows what it takes"
	}
	var other unknown
	if errors.As(err, &other) && other.near != "" {
		hint = "did you mean " + other.near + "? " + hint
	}
	return hint
}

// errFaults ends a strict run that the program itself failed in; the sessions have been listed.
var errFaults = errors.New("the viewer failed on sessions")

// leftOut says that a session is missing from what was asked for, because the program failed on it. The run
// ends as failed.
func (u *ui) leftOut(p transcript.Problem) {
	u.faulty.Store(true)
	u.fault("%s", p)
}

// complain says an error, and what can be done about it.
func (u *ui) complain(err error) {
	u.fault("%v", err)
	var known *sitegen.Error
	if errors.As(err, &known) && known.Hint != "" {
		u.hint("%s", known.Hint)
	}
}

// interrupted says that the user stopped the run.
func (u *ui) interrupted() int {
	u.line("interrupted; what was written stays, and the next build completes it")
	return exitInterrupted
}

// or lists words that may be said: "a, b or c".
func or(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// join lists what is there, without what is empty.
func join(parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, ", ")
}

// print writes what was asked for.
func (u *ui) print(format string, args ...any) { fmt.Fprintf(u.out, format, args...) }

// table prints counts below a title, right-aligned; nothing when all are zero.
func (u *ui) table(title string, counts []count) {
	any := false
	for _, c := range counts {
		any = any || c.n > 0
	}
	if !any {
		return
	}
	if title != "" {
		u.print("\n%s\n", title)
	}
	for _, c := range counts {
		if c.n > 0 {
			u.print("%12s  %s\n", words.Count(c.n), c.name)
		}
	}
}
