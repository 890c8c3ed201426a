package main

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// isPortTaken reports whether a port cannot be listened on because another program has it, or the system has set it
// aside for one.
func isPortTaken(err error) bool {
	return errors.Is(err, windows.WSAEADDRINUSE) || errors.Is(err, windows.WSAEACCES)
}

// escapes makes a console support escape sequences, and reports whether it does.
func escapes(f *os.File) bool {
	var mode uint32
	h := windows.Handle(f.Fd())
	return windows.GetConsoleMode(h, &mode) == nil &&
		windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
