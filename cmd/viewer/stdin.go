package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/term"

	"viewer/internal/console"
	"viewer/internal/failure"
	"viewer/internal/sitegen"
)

// An input is the files that a command reads. Streams such as standard input, "-", are copied to temporary files.
type input struct {
	files []string
	kept  map[string]string // by temporary file: the name that the user gave
	drop  func()            // removes the temporary files
}

// readInput reads the streams among the arguments: "-", named pipes, and <(command) of a shell. Standard input is also
// copied to each writer in tee while it is read.
func readInput(ctx context.Context, u *ui, files []string, tee ...io.Writer) (in input, err error) {
	var drops []func()
	in = input{kept: make(map[string]string), drop: func() {
		for _, drop := range drops {
			drop()
		}
	}}
	defer func() {
		if err != nil {
			in.drop()
		}
	}()
	for i, file := range files {
		if file == "-" && slices.Contains(files[:i], "-") {
			return in, usagef("- is given twice, but there is only one standard input")
		}
		kept, drop, err := keepStream(ctx, u, file, tee)
		if err != nil {
			return in, err
		}
		if kept != "" {
			drops = append(drops, drop)
			in.kept[kept] = cmp.Or(strings.TrimPrefix(file, "-"), stdin)
			file = kept
		}
		in.files = append(in.files, file)
	}
	return in, nil
}

// keepStream copies a stream to a file. kept is "" if the argument is not a stream.
func keepStream(
	ctx context.Context, u *ui, file string, tee []io.Writer,
) (kept string, drop func(), err error) {
	if file == "-" {
		outliveOutput()
		waitFor(u, os.Stdin, stdin)
		return sitegen.Stream(ctx, stdin, io.TeeReader(os.Stdin, io.MultiWriter(tee...)))
	}
	if !isStream(file) {
		return "", nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", nil, &failure.Error{
			Err: fmt.Errorf("reading %s: %w", file, failure.Cause(err)), Hint: "- reads standard input",
		}
	}
	defer f.Close()
	outliveOutput()
	waitFor(u, f, file)
	return sitegen.Stream(ctx, file, f)
}

// outliveOutput makes the program run on if the reader of standard output closes it. So the copy of a stream, which is
// not redacted, is removed.
func outliveOutput() { signal.Ignore(syscall.SIGPIPE) }

// isStream reports whether a file can only be read once, from beginning to end: a pipe, a terminal, or a file that the
// program was given open.
func isStream(name string) bool {
	info, err := os.Stat(name)
	switch {
	case err != nil || info.IsDir():
		return false
	case info.Mode()&os.ModeNamedPipe != 0:
		return true
	case name == os.DevNull || name == "/dev/tty" || name == "/dev/stdin" && info.Mode()&os.ModeSocket == 0:
		return true
	}
	return info.Mode().IsRegular() && (strings.HasPrefix(name, "/dev/fd/") || ofProcess(name))
}

// ofProcess reports whether a file is one that a process of Linux has open: /proc/self/fd/7.
func ofProcess(name string) bool {
	is, _ := path.Match("/proc/*/fd/*", name)
	return is
}

// waitFor prints that the program waits for input.
func waitFor(u *ui, f *os.File, name string) {
	if term.IsTerminal(int(f.Fd())) {
		u.line("reading %s; press Ctrl-D to end the input", name)
	}
}

// named replaces the names of temporary files in an error with those that the user gave.
func (in input) named(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	for kept, name := range in.kept {
		text = strings.ReplaceAll(text, kept, name)
	}
	if text == err.Error() {
		return err
	}
	return ofStdin{err, text}
}

// An ofStdin is an error with another text.
type ofStdin struct {
	error
	text string
}

func (e ofStdin) Error() string { return e.text }
func (e ofStdin) Unwrap() error { return e.error }

// stream returns standard output for lines of JSON of a transcript. Programs get the exact bytes. For people and logs
// of CI services the lines are made safe to print.
func (u *ui) stream() io.Writer {
	if u.outColumns() == 0 && !inCI() {
		return u.out.Raw()
	}
	return console.NewJSONWriter(u.out.Raw())
}

// A passage copies a stream to standard output. If the reader closes it, the command continues, since it has more to
// do. Any other failure is reported at the end.
type passage struct {
	to     io.Writer
	gone   bool
	failed error
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
