//go:build !windows

package failure

import (
	"errors"
	"syscall"
)

// Full reports whether the disk, or the part of it that the user may fill, has no space left.
func Full(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// Exhausted reports whether the process or the system has no more open files or memory, so that other files cannot be
// read either.
func Exhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// limitHint returns a hint for an error of a limit of the process, "" for others.
func limitHint(err error) string {
	switch {
	case errors.Is(err, syscall.EMFILE):
		return "raise the limit of open files, see ulimit -n"
	case errors.Is(err, syscall.EFBIG):
		return "raise the limit of the size of a file, see ulimit -f"
	case Exhausted(err):
		return "close other programs"
	}
	return ""
}

// Busy reports whether another program blocks access to a file, which does not happen on this system.
func Busy(error) bool { return false }

// inOurWords returns a system error in words that can follow a colon. On this system it is unchanged.
func inOurWords(err error) error { return err }
