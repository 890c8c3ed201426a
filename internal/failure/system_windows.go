package failure

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/windows"
)

// Full reports whether the disk has no space left.
func Full(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// Exhausted reports whether the process or the system has no more open files or memory, so that other files cannot be
// read either.
func Exhausted(err error) bool {
	return errors.Is(err, windows.ERROR_TOO_MANY_OPEN_FILES) || errors.Is(err, windows.ERROR_NO_SYSTEM_RESOURCES) ||
		errors.Is(err, windows.ERROR_NOT_ENOUGH_MEMORY)
}

// limitHint returns a hint for an error of a limit, "" for others.
func limitHint(err error) string {
	if Exhausted(err) {
		return "close other programs"
	}
	return ""
}

// Busy reports whether another program blocks access to a file, or may do so: Windows also denies access when an open
// file would be replaced.
func Busy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) ||
		errors.Is(err, windows.ERROR_ACCESS_DENIED)
}

// A worded is a system error with a message of this program.
type worded struct {
	error
	words string
}

func (e worded) Error() string { return e.words }
func (e worded) Unwrap() error { return e.error }

// inOurWords returns a system error in words that can follow a colon. Messages of Windows are sentences in the language
// of the user, which must not reach pages.
func inOurWords(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return worded{err, "no such file or directory"}
	case errors.Is(err, windows.ERROR_SHARING_VIOLATION), errors.Is(err, windows.ERROR_LOCK_VIOLATION):
		return worded{err, "another program has it open"}
	case errors.Is(err, fs.ErrPermission):
		return worded{err, "permission denied"}
	case Full(err):
		return worded{err, "no space left on device"}
	case errors.Is(err, windows.ERROR_INVALID_NAME):
		return worded{err, "the name is invalid"}
	}
	return err
}
