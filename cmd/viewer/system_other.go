//go:build !windows

package main

import (
	"errors"
	"os"
	"syscall"
)

// isPortTaken reports whether a port cannot be listened on because another program has it.
func isPortTaken(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }

// escapes reports whether a terminal supports escape sequences.
func escapes(*os.File) bool { return true }
