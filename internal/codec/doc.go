// Package codec encodes values one after the other and decodes them in the same order. The encoding does not tell
// types: the state of many sessions takes few bytes and little time to read. The package never knows what the values
// mean. Decoding damaged data returns zero values and never panics.
package codec
