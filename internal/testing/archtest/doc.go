// Package archtest has the tests that keep the packages of the module apart and readable: who imports whom, what pure
// packages may use, how long lines and how complex functions may be. It reads source files and never runs them.
package archtest
