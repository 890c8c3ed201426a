//go:build unix

package input

import "syscall"

// dontWait makes an open return at once, also that of a pipe. It does not change how regular files are read.
const dontWait = syscall.O_NONBLOCK
