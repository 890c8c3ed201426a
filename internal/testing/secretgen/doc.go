// Package secretgen generates texts and records with secrets and personal data, for the tests of package redact. It
// never uses the rules of redact: its values follow the documentation of services and the habits of people, and its
// places are those of sessions.
package secretgen
