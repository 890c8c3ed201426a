// Package secretgen makes up texts and records with secrets and personal data in them, for the tests of package redact.
// It knows nothing of the rules of redact: its values are what people and services use by what their documents say, its
// places are those of sessions.
package secretgen
