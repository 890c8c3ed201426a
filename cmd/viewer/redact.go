package main

import (
	"github.com/spf13/cobra"

	"viewer/internal/sitegen/redaction"
)

// redactFlags are the flags for redaction, on every command that shows the content of sessions.
type redactFlags struct {
	off             bool
	patterns, allow []string
	file            string
}

func (f *redactFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.off, "no-redact", false, "do not redact secrets and personal data")
	c.Flags().StringArrayVar(&f.patterns, "redact-pattern", nil,
		"also redact what matches `REGEXP`, or NAME=REGEXP; may be repeated")
	c.Flags().StringVar(&f.file, "redact-file", "", "also redact the texts in `FILE`, one a line")
	c.Flags().StringArrayVar(&f.allow, "allow", nil, "do not redact what matches `REGEXP`; may be repeated")
}

func (f *redactFlags) redaction() redaction.Settings {
	return redaction.Settings{Off: f.off, Patterns: f.patterns, Allow: f.allow, File: f.file}
}
