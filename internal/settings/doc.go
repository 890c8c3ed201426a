// Package settings sets flags from the environment and from files, and records which files the user trusts. It never
// prints, and it knows no command by name.
package settings
