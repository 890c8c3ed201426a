package main

import (
	"time"

	"viewer/internal/sitegen"
	"viewer/internal/words"
)

// soonDays is how many days ahead deletions are announced.
const soonDays = 7

// tellDeletions prints how many sessions of the sources their agents will delete soon.
func (u *ui) tellDeletions(terminal bool, sources []string, now time.Time) {
	if !terminal || u.quiet {
		return
	}
	for _, d := range sitegen.Deletions(sources, now.AddDate(0, 0, soonDays)) {
		them := "them"
		if d.Sessions == 1 {
			them = "it"
		}
		u.line("%s will be deleted by %s within %d days; viewer archive keeps %s",
			words.Plural(d.Sessions, "session", "sessions"), d.Agent, soonDays, them)
	}
}
