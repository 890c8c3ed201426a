// Package fields decodes parts of logs that many versions of programs and models wrote. Its types accept any JSON value
// and convert it to the most likely meaning, so that a single field never makes decoding a struct fail.
package fields
