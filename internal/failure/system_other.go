//go:build !windows

package failure

import (
	"errors"
	"syscall"
)

// Full reports whether the disk has no space left.
func Full(err error) bool { return errors.Is(err, syscall.ENOSPC) }

// Busy reports whether another program blocks access to a file, which does not happen on this system.
func Busy(error) bool { return false }

// inOurWords returns a system error in words that can follow a colon. On this system it is unchanged.
func inOurWords(err error) error { return err }
