//go:build !windows

package sitegen

import (
	"errors"
	"syscall"
)

// full says that the disk has no space left.
func full(err error) bool { return errors.Is(err, syscall.ENOSPC) }

// busy says that another program keeps everybody else from a file. None can.
func busy(error) bool { return false }

// plainly is an error of the system in words that go on after a colon: it is.
func plainly(err error) error { return err }

// changed is when a file was last changed, of which its stamp knows all that can be known.
func changed(string) int64 { return 0 }
