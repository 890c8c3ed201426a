package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"viewer/internal/console"
	"viewer/internal/failure"
	"viewer/internal/storage"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

// All messages are printed here. Results go to standard output. Everything else goes to standard error with the prefix
// "viewer:", in lower case and without a full stop. An error names the file and ends in the cause; a hint tells what to
// do next. The output is safe for terminals and runners of CI services, see console.
type ui struct {
	out, err *console.Writer
	quiet    bool
	verbose  bool
	color    wordFlag               // auto, always, never
	command  *cobra.Command         // that ran, nil before
	from     map[string]string      // the origin of the value of each flag, see settings.fill
	faulty   atomic.Bool            // a session was left out, see leftOut
	leaves   atomic.Pointer[string] // what an interrupt leaves, see begins

	unreadSaid sync.Map // messages, see unread
}

func newUI(out, err io.Writer) *ui {
	return &ui{
		out: console.NewWriter(out), err: console.NewWriter(err), color: wordFlag{
			value: "auto", of: []string{"auto", "always", "never"},
		},
	}
}

// line prints a message that is neither error nor warning; --quiet suppresses it.
func (u *ui) line(format string, args ...any) {
	if !u.quiet {
		u.say("", format, args...)
	}
}

// open names the page to open. The folder stays as the user wrote it, but for the slashes of Windows.
func (u *ui) open(dir, page string) {
	name := strings.TrimRight(dir, "/") + "/" + page
	if !storage.IsAddress(dir) {
		name = filepath.FromSlash(name)
	}
	u.line("open %s", name)
}

// say writes one line to standard error, made safe to print, because the name of a file may contain anything.
func (u *ui) say(word console.Styled, format string, args ...any) {
	_ = u.err.Printf("viewer: %s%s\n", word, console.OneLine(fmt.Sprintf(format, args...)))
}

// detail prints a line that only --verbose shows.
func (u *ui) detail(format string, args ...any) {
	if u.verbose {
		u.line(format, args...)
	}
}

func (u *ui) warn(format string, args ...any) { u.mark("warning:", console.Yellow, format, args...) }

func (u *ui) hint(format string, args ...any) { u.mark("hint:", console.Cyan, format, args...) }

func (u *ui) fault(format string, args ...any) { u.mark("error:", console.BoldRed, format, args...) }

func (u *ui) mark(word string, style console.Style, format string, args ...any) {
	shown := console.Styled(word)
	if u.colors(u.err) {
		shown = style.Of(word)
	}
	u.say(shown+" ", format, args...)
}

// colors reports whether to write colours: as --color says, else if the output is a terminal and NO_COLOR is not set
// (https://no-color.org).
func (u *ui) colors(w *console.Writer) bool {
	f, ok := w.Raw().(*os.File)
	terminal := ok && term.IsTerminal(int(f.Fd()))
	on := u.colored(f, terminal)
	w.SetStyles(on)
	return on
}

func (u *ui) colored(f *os.File, terminal bool) bool {
	switch u.color.value {
	case "always":
		return !terminal || escapes(f)
	case "never":
		return false
	}
	return terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && escapes(f)
}

// usagef returns a mistake in the command line.
func usagef(format string, args ...any) error { return failure.Usagef(format, args...) }

// errStrict is the error of a strict run whose data has problems. They have been listed.
var errStrict = errors.New("the data has problems")

// errStopped is the error of a command that runs until it is stopped.
var errStopped = errors.New("stopped")

// fail reports an error and turns it into an exit code.
func (u *ui) fail(err error) int {
	var usage failure.Usage
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

// usageHint returns the hint of an error in the command line or in the settings, else which name was probably meant,
// and how to get help.
func (u *ui) usageHint(err error) string {
	if known, ok := errors.AsType[*failure.Error](err); ok {
		return known.Hint
	}
	hint := "viewer help lists the commands"
	if c := u.command; c != nil && c.HasParent() && c.Name() != "help" {
		hint = "viewer help" + strings.TrimPrefix(c.CommandPath(), "viewer") + " shows what it takes"
	}
	if usage, ok := errors.AsType[failure.Usage](err); ok && usage.Near != "" {
		hint = "did you mean " + usage.Near + "? " + hint
	}
	return hint
}

// errFaults is the error of a strict run in which the program failed on sessions. They have been listed.
var errFaults = errors.New("the viewer failed on sessions")

// leftOut prints that a session is missing from the output, because the program failed on it. The run ends as failed.
func (u *ui) leftOut(p transcript.Problem) {
	u.faulty.Store(true)
	u.fault("%s", p)
}

// unread prints that a usual folder cannot be read, once.
func (u *ui) unread(err error) {
	text := err.Error()
	if _, said := u.unreadSaid.LoadOrStore(text, true); !said {
		u.warn("%s", text)
	}
}

// complain prints an error and its hint.
func (u *ui) complain(err error) {
	u.fault("%v", err)
	if known, ok := errors.AsType[*failure.Error](err); ok && known.Hint != "" {
		u.hint("%s", known.Hint)
	}
}

// begins notes that the command begins to write, or has written, and what an interrupt leaves from now on.
func (u *ui) begins(leaves string) { u.leaves.Store(&leaves) }

// leavesSite is what a build leaves that is interrupted.
const leavesSite = "what was written stays, and the next build completes it"

// interrupted prints that the user stopped the run, and what is left of it.
func (u *ui) interrupted() int {
	text := "interrupted"
	if leaves := u.leaves.Load(); leaves != nil {
		text += "; " + *leaves
	}
	u.line("%s", text)
	return exitInterrupted
}

// or returns a list of alternatives: "a, b or c".
func or(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// join joins the texts that are not empty.
func join(parts ...string) string {
	return strings.Join(words.NonEmpty(parts...), ", ")
}

// print writes a result. Errors are checked at the end, see arrived.
func (u *ui) print(format string, args ...any) { _ = u.out.Printf(format, args...) }

// printJSON writes a value for programs.
func (u *ui) printJSON(v any, indent string) error {
	data, err := json.MarshalIndent(v, "", indent)
	if err != nil {
		return err
	}
	u.print("%s\n", console.JSON(data))
	return nil
}

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
