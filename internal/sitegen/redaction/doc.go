// Package redaction applies package redact to the files of a session, by the settings of a user. It never tells what it
// found, and reads no files of sessions.
package redaction
