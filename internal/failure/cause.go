package failure

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"unicode/utf8"
)

// Missing reports whether a file does not exist. Below a home folder that is a file, such as /dev/null, nothing does.
func Missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// ErrIrregular is the error for a pipe, a device or a folder in place of a file. Opening a pipe would wait for whoever
// writes to it.
var ErrIrregular = errors.New("not a regular file")

// Regular takes the results of Stat. It returns the error, or ErrIrregular for anything but a regular file.
func Regular(info fs.FileInfo, err error) error {
	if err == nil && !info.Mode().IsRegular() {
		return ErrIrregular
	}
	return err
}

// errName is the error for a name that file systems of Go refuse.
var errName = errors.New("its name is not UTF-8; rename it")

// errDangling is the error for a folder that cannot be made, and is not there either.
var errDangling = errors.New("a link leads to a folder that does not exist")

// OfSystem reports whether the system caused an error, so that the same may succeed later. Damaged content does not.
func OfSystem(err error) bool { return errors.As(err, new(syscall.Errno)) }

// Cause removes the paths from a file error. The message around it names the file.
func Cause(err error) error {
	var at *fs.PathError
	var between *os.LinkError
	switch {
	case errors.As(err, &at) && errors.Is(at.Err, fs.ErrInvalid) && !utf8.ValidString(at.Path):
		return errName
	case at != nil && at.Op == "mkdir" && errors.Is(at.Err, fs.ErrExist):
		return errDangling
	case at != nil:
		err = at.Err
	case errors.As(err, &between):
		err = between.Err
	}
	return inOurWords(err)
}
