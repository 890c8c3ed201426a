// Package settings sets the flags of commands from the environment and from files, and knows which files the user
// trusts. It never prints, and knows no command by name.
package settings
