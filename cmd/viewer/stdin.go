package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/term"

	"viewer/console"
	"viewer/sitegen"
)

// An input is what a command reads, with standard input, "-", in a file for as long as the command runs.
type input struct {
	files []string
	kept  string // the file of standard input, "" when it is not among them
	drop  func() // takes that away
}

// readInput reads standard input where it is asked for. What comes is passed on to each of tee meanwhile.
func readInput(u *ui, files []string, tee ...io.Writer) (input, error) {
	in := input{drop: func() {}}
	for _, file := range files {
		if file == "-" && in.kept != "" {
			in.drop()
			return input{}, usagef("- is given twice: there is one standard input")
		}
		if file == "-" {
			if term.IsTerminal(int(os.Stdin.Fd())) {
				u.line("reading standard input; Ctrl-D ends it")
			}
			var err error
			if in.kept, in.drop, err = sitegen.Stdin(io.TeeReader(os.Stdin, io.MultiWriter(tee...))); err != nil {
				return input{}, err
			}
			file = in.kept
		}
		in.files = append(in.files, file)
	}
	return in, nil
}

// named calls the file of standard input in an error what the user knows.
func (in input) named(err error) error {
	if err == nil || in.kept == "" || !strings.Contains(err.Error(), in.kept) {
		return err
	}
	return ofStdin{err, strings.ReplaceAll(err.Error(), in.kept, stdin)}
}

// ofStdin is an error in other words.
type ofStdin struct {
	error
	text string
}

func (e ofStdin) Error() string { return e.text }
func (e ofStdin) Unwrap() error { return e.error }

// stream is standard output for lines of JSON that others wrote: byte by byte for programs, for people and
// for the log of a CI service so that nothing in it is obeyed.
func (u *ui) stream() io.Writer {
	services := []string{"CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"}
	if u.outColumns() == 0 && !slices.ContainsFunc(services, func(name string) bool { return os.Getenv(name) != "" }) {
		return u.out.Raw()
	}
	return console.NewJSONWriter(u.out.Raw())
}

// A passage passes a stream on to standard output. A reader who goes away does not end the run, which has
// more to do than to pass it on; any other failure is kept until the end.
type passage struct {
	to     io.Writer
	gone   bool
	failed error
}

func newPassage(to io.Writer) *passage {
	signal.Ignore(syscall.SIGPIPE) // which ends programs whose standard output is closed
	return &passage{to: to}
}

func (p *passage) Write(data []byte) (int, error) {
	if !p.gone {
		if _, err := p.to.Write(data); err != nil {
			p.gone = true
			if !errors.Is(err, syscall.EPIPE) {
				p.failed = err
			}
		}
	}
	return len(data), nil
}
