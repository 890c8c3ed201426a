// Package fields decodes parts of a log that many versions of programs and models wrote. Its types accept a JSON value
// of any kind and take it for what it most likely means, so that decoding a struct of them never fails because of a
// single field.
package fields
