// Package archtest has tests for the structure of the module: which packages may import which, what pure packages may
// use, and limits for the length of lines and the complexity of functions. It reads source files and never runs them.
package archtest
