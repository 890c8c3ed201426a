package output

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"viewer/internal/failure"
)

// WriteFile writes one file as a whole or not at all. It creates the folder if necessary. A file that is replaced keeps
// its permissions, and a link leads to the new content.
func WriteFile(name string, data []byte) error { return WriteFileBy(name, writing(data)) }

// WriteFileBy is WriteFile with a function that writes the content.
func WriteFileBy(name string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return failedFile(name, err)
	}
	old, err := os.Stat(name)
	if err == nil && !old.Mode().IsRegular() { // a pipe, a device
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
		if err == nil {
			err = writeAll(f, write)
		}
		return failedFile(name, err)
	}
	target, err := targetOf(name)
	if err != nil {
		return failedFile(name, err)
	}
	f, unlock, err := createPart(target)
	if err != nil {
		return failedFile(name, err)
	}
	defer unlock()
	temp := f.Name()
	if old != nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = writeAll(f, write)
	} else {
		f.Close()
	}
	if runtime.GOOS == "windows" {
		unlock() // an open file cannot be renamed
	}
	if err == nil {
		err = os.Rename(temp, target)
	}
	if err != nil {
		os.Remove(temp)
	}
	return failedFile(name, err)
}

// targetOf returns the file to which a name leads, through symbolic links. As for a shell, it need not exist.
func targetOf(name string) (string, error) {
	for range maxLinks {
		dir, base := filepath.Split(name)
		dir, err := filepath.EvalSymlinks(cmp.Or(dir, "."))
		if err != nil {
			return "", errors.New("a link leads to a folder that does not exist")
		}
		target := filepath.Join(dir, base)
		linked, err := os.Readlink(target)
		if err != nil { // no link, or nothing is there
			return target, nil
		}
		if name = linked; !filepath.IsAbs(linked) {
			name = dir + string(filepath.Separator) + linked // without cleaning it: .. of a linked folder is elsewhere
		}
	}
	return "", errors.New("a link leads to itself")
}

// maxLinks is the maximum number of links to a file, as on Linux.
const maxLinks = 40

// writeAll writes to a file and closes it.
func writeAll(f *os.File, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 64<<10)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	if info, failed := f.Stat(); err == nil && failed == nil && info.Mode().IsRegular() {
		err = f.Sync() // so that a crash of the system leaves the old file or the new one
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// AppendFile appends to a file that others also write to.
func AppendFile(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err == nil {
		_, err = f.Write(data)
		err = errors.Join(err, f.Close())
	}
	return failedFile(name, err)
}

// failedFile wraps an error from writing a file that is not of a site.
func failedFile(name string, err error) error {
	if _, known := errors.AsType[*failure.Error](err); err == nil || known { // reading its content failed
		return err
	}
	hint := "choose another file"
	if failure.Full(err) {
		hint = "free some space, or choose a file on another disk"
	}
	return failure.New(fmt.Errorf("writing %s: %w", name, failure.Cause(err)), hint)
}
