// Package failure formats errors of the machine for users: the cause in the same words on every system, and a hint. It
// never opens a file, and decides nothing.
package failure
