package sitegen

import (
	"bytes"

	"viewer/internal/sitegen/redaction"
	"viewer/internal/sources"
)

// newRedactor returns a redactor for a session.
func (o Options) newRedactor() *redaction.Redactor { return o.rules.Redactor() }

// redactedName redacts the name of a file or a folder.
func (o Options) redactedName(s string) string { return o.newRedactor().Text(s) }

// confirmed reports whether a redactor found all secrets of a session although it learned some late, because they are
// nowhere before in the main transcript. Its beginning is redacted again for that, which takes a third of the time of
// reading the session again.
func (o Options) confirmed(c *redaction.Redactor, main file) bool {
	const longestName = 4096 // which is redacted before the file
	return c.LearnedBefore(main.most()+longestName) && c.Confirm(func(next *redaction.Redactor, more func() bool) {
		o.nameOf(next, main)
		each := func(lines []byte) {
			for line := range bytes.Lines(lines) {
				if line = bytes.TrimSpace(line); len(line) > 0 && more() {
					next.JSON(line)
				}
			}
		}
		_ = main.lines(main.most(), each) // the session is read again if this fails
	})
}

// redactFacts redacts the facts of a file before its session is read. Most files of a folder have the same facts, and a
// new redactor takes as long as reading a small file.
func (v *survey) redactFacts(s sources.Facts) sources.Facts {
	if v.options.rules == nil {
		return s
	}
	known := factsKey{s.CWD, s.Team, s.Member}
	if shown, ok := v.redactedFacts.Load(known); ok && len(s.Summaries) == 0 {
		s.CWD, s.Team, s.Member = shown.(factsKey).cwd, shown.(factsKey).team, shown.(factsKey).member
		return s
	}
	c := v.options.newRedactor()
	c.Learn(s.CWD)
	s.CWD, s.Team, s.Member = c.Text(s.CWD), c.Text(s.Team), c.Text(s.Member)
	for leaf, title := range s.Summaries {
		s.Summaries[leaf] = c.Text(title)
	}
	v.redactedFacts.Store(known, factsKey{s.CWD, s.Team, s.Member})
	return s
}

// A factsKey holds the facts that many files of a folder share.
type factsKey struct{ cwd, team, member string }
