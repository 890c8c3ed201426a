// Package redaction applies package redact to the files of a session, with the settings of the user. It never reveals
// what it found, and reads no session files.
package redaction
