package sitegen

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"viewer/internal/export"
	"viewer/internal/failure"
	"viewer/internal/stats"
	"viewer/render"
)

// SinglePage draws sessions as one file that needs no other.
func SinglePage(sessions ...render.Session) []byte {
	return render.DrawSingle(sessions).Pages[0].HTML
}

// Exported is a session as exports take it.
func Exported(s render.Session) export.Session {
	return export.Session{Conversation: s.Conversation, Project: s.Project.Name, Totals: stats.Of(s.Conversation, s.Prices), Spilled: s.Spilled}
}

// mostSmall is how much is read of a file of settings, prices, names or texts, in bytes.
const mostSmall = 64 << 20

// ReadSmall reads a file that people write, or a pipe. It is an error when there is more than any of them has.
func ReadSmall(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostSmall+1))
	if err == nil && len(data) > mostSmall {
		err = &fs.PathError{Op: "reading", Path: name, Err: fmt.Errorf("it has more than %d MB", mostSmall>>20)}
	}
	return data, err
}

// WriteFile puts one file in its place, whole or not at all; its folder is made
// when it is not there.
func WriteFile(name string, data []byte) error {
	return WriteFileBy(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFileBy puts one file in its place that is written bit by bit.
func WriteFileBy(name string, write func(io.Writer) error) error {
	fail := func(err error) error {
		if known := (*Error)(nil); errors.As(err, &known) { // what is written could not be read
			return err
		}
		return failure.New(fmt.Errorf("writing %s: %w", name, Cause(err)), writeHint(err))
	}
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fail(err)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() { // a pipe, a device
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
		if err == nil {
			err = writeAll(f, write)
		}
		if err != nil {
			return fail(err)
		}
		return nil
	}
	f, err := os.CreateTemp(dir, ".viewer-*")
	if err != nil {
		return fail(err)
	}
	if err = f.Chmod(0o644); err == nil {
		err = writeAll(f, write)
	} else {
		f.Close()
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
		return fail(err)
	}
	return nil
}

// writeAll writes a file and closes it.
func writeAll(f *os.File, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 64<<10)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
