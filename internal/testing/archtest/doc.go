// Package archtest holds the tests that keep the packages of the module apart: who imports whom, and
// what the pure ones stay away from. It reads source files, never runs them, and exports nothing.
package archtest
