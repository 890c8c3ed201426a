// Package secretgen makes texts and records with secrets and personal data in them, for the tests of package redact. It
// never uses the rules of redact: its values are what people and services use according to their documentation, its
// places are those of sessions.
package secretgen
