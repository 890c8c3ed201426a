//go:build !unix

package input

// dontWait is 0 where folders have no pipes.
const dontWait = 0
