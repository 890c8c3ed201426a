package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"viewer/internal/archive"
	"viewer/internal/failure"
)

// Restore writes a version of a file, with its modification time, below a folder: below a folder of its machine, at its
// path there, with ending added to its name. written is false if the file is already there.
func (a *Archive) Restore(to *os.Root, r *archive.Record, ending string) (name string, written bool, err error) {
	name = Plain(r.Machine) + "/" + Plain(r.Folder) + "/" + r.Path + ending
	shown := filepath.Join(to.Name(), filepath.FromSlash(name))
	if there, err := a.restored(to, r, name); err != nil || there {
		return shown, false, err
	}
	err = a.restore(to, r, name)
	if read, ok := errors.AsType[*ErrRead](err); ok {
		return shown, false, fmt.Errorf("restoring %s: %w", shown, failure.Cause(read.Err))
	}
	if err != nil {
		hint := "use -o to choose another folder"
		if failure.Full(err) {
			hint = "free some space, or use -o to choose a folder on another disk; the next run continues"
		}
		return shown, false, failure.New(fmt.Errorf("writing %s: %w", shown, failure.Cause(err)), hint)
	}
	return shown, true, nil
}

// restored reports whether the file is already there. A file with another content is an error.
func (a *Archive) restored(to *os.Root, r *archive.Record, name string) (bool, error) {
	f, err := to.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	shown := filepath.Join(to.Name(), filepath.FromSlash(name))
	if err != nil {
		return false, fmt.Errorf("reading %s: %w", shown, failure.Cause(err))
	}
	defer f.Close()
	c := a.Content(r)
	defer c.Close()
	same, err := equal(f, c)
	if err != nil {
		return false, fmt.Errorf("reading %s: %w", shown, failure.Cause(err))
	}
	if !same {
		return false, failure.New(fmt.Errorf("%s exists, and is another version", shown),
			"use -o to choose another folder")
	}
	return true, nil
}

func equal(a, b io.Reader) (bool, error) {
	x, y := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errX := io.ReadFull(a, x)
		m, errY := io.ReadFull(b, y)
		if !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		for _, err := range []error{errX, errY} {
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				return n == m, nil
			}
			if err != nil {
				return false, err
			}
		}
	}
}

func (a *Archive) restore(to *os.Root, r *archive.Record, name string) error {
	if err := to.MkdirAll(path.Dir(name), 0o700); err != nil { // as private as the archive
		return err
	}
	part := partOf(name)
	if err := to.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := to.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(a.copyTo(f, r), f.Close())
	if err == nil {
		err = to.Chtimes(part, time.Unix(0, r.Mod), time.Unix(0, r.Mod))
	}
	if err == nil {
		err = to.Rename(part, name)
	}
	if err != nil {
		_ = to.Remove(part)
	}
	return err
}

// partOf returns the name under which a file is written before it is renamed. It is the same each time, so that a run
// replaces what a killed one has left.
func partOf(name string) string {
	sum := sha256.Sum256([]byte(path.Base(name)))
	return path.Join(path.Dir(name), ".viewer-"+hex.EncodeToString(sum[:16]))
}

// errContent is the error for a version whose frames are whole, but are not its content.
var errContent = errors.New("its content differs from the manifest")

// copyTo writes the content of a version. Errors of reading it are *ErrRead.
func (a *Archive) copyTo(f io.Writer, r *archive.Record) error {
	c := a.Content(r)
	defer c.Close()
	h, block := sha256.New(), make([]byte, 64<<10)
	for {
		n, err := c.Read(block)
		h.Write(block[:n])
		if _, err := f.Write(block[:n]); err != nil {
			return err
		}
		switch {
		case err == io.EOF && archive.Sum(h.Sum(nil)) != r.Sum:
			return &ErrRead{errContent}
		case err == io.EOF:
			return nil
		case err != nil:
			return &ErrRead{err}
		}
	}
}
