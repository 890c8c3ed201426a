// Package fields decodes parts of a log that many versions of programs and models wrote: its types take a JSON
// value of any kind for what it most likely means, so that a struct made of them never fails at a single field.
package fields
