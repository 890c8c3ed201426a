// Package failure has the errors of the machine as users read them: the cause in the same words on every system,
// and a hint at the next step. It never opens a file, and decides nothing.
package failure
