package sitegen

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/redact"
	"viewer/internal/sources"
	"viewer/internal/transcript"
	"viewer/render"
)

// Redaction selects what is removed from sessions before anything else is done with them. The zero value removes what
// package redact finds by default.
type Redaction struct {
	Off      bool     // redact nothing
	Patterns []string // additional expressions to redact, NAME=REGEXP or REGEXP
	Allow    []string // expressions for what is no secret
	File     string   // a list of texts to redact, one a line; "" for none
}

// rules compiles the rules when it is called first, because that takes milliseconds and a build without changes does
// not need them. It returns nil when nothing is redacted.
type rules func() *redact.Redactor

// prepare compiles the rules.
func (r rules) prepare() {
	if r != nil {
		r()
	}
}

// rules returns the rules of these settings and their digest. The digest does not reveal the texts in the file: it
// includes the stamp of the file.
func (r Redaction) rules() (rules, fingerprint.Digest, error) {
	if r.Off {
		return nil, fingerprint.Of([]byte("off")), nil
	}
	var o redact.Options
	h := sha256.New()
	for _, s := range r.Patterns {
		p, err := redact.ParsePattern(s)
		if err != nil {
			return nil, fingerprint.Digest{}, failure.New(fmt.Errorf("--redact-pattern %w", err),
				"write a regular expression of Go, or NAME=REGEXP")
		}
		o.Patterns = append(o.Patterns, p)
		fingerprint.Add(h, "pattern", s)
	}
	for _, s := range r.Allow {
		expr, err := redact.ParseAllow(s)
		if err != nil {
			return nil, fingerprint.Digest{}, failure.New(fmt.Errorf("--allow %w", err),
				"write a regular expression of Go")
		}
		o.Allow = append(o.Allow, expr)
		fingerprint.Add(h, "allow", s)
	}
	if r.File != "" {
		data, err := ReadSmall(r.File)
		if err != nil {
			return nil, fingerprint.Digest{}, failure.New(fmt.Errorf("reading %s: %w", r.File, failure.Cause(err)),
				"give a file with one text to redact a line")
		}
		if o.Literals, err = redact.ParseLiterals(data); err != nil {
			return nil, fingerprint.Digest{}, failure.New(fmt.Errorf("reading %s: %w", r.File, err),
				"give a file with one text to redact a line")
		}
		if info, err := os.Stat(r.File); err == nil {
			fingerprint.Add(h, "file", fmt.Sprint(fingerprint.StampOf(info)))
		}
	}
	made := sync.OnceValues(func() (*redact.Redactor, error) { return redact.New(o) })
	if len(o.Literals) > 0 { // there may be none that can be redacted
		if _, err := made(); err != nil {
			return nil, fingerprint.Digest{}, failure.New(err, "give longer texts to redact")
		}
	}
	all := func() *redact.Redactor {
		all, err := made()
		if err != nil {
			panic(err) // only texts are refused
		}
		return all
	}
	return all, fingerprint.Digest(h.Sum(nil)[:16]), nil
}

// A redactor redacts the files of one session in the order of session.files, because findings are numbered in order.
// What it learns from a late file is found in earlier files by its successor, see restarted. A nil redactor redacts
// nothing.
type redactor struct {
	*redact.Session
	learnedHome bool // it knows whose home the session was started in
}

// newRedactor returns a redactor for a session.
func (o Options) newRedactor() *redactor {
	if o.rules == nil {
		return nil
	}
	return &redactor{Session: o.rules().Session()}
}

// learnHome learns whose home to redact from the first folder in the beginning of a transcript of a writer.
func (c *redactor) learnHome(head []byte, by sources.Source) {
	if c == nil || c.learnedHome {
		return
	}
	head = head[:min(len(head), headSize)]
	if cwd := by.FolderOf(head); cwd != "" {
		c.Learn(cwd)
		c.learnedHome = true
	}
}

// restarted returns a redactor for the same files that knows all that this one has learned. It returns nil if this one
// learned nothing.
func (c *redactor) restarted() *redactor {
	if c == nil {
		return nil
	}
	next, ok := c.NextPass()
	if !ok {
		return nil
	}
	return &redactor{next, c.learnedHome}
}

// maxRestarts limits how often the files of a session are redacted again. After the first restart all secrets of the
// transcripts are known. Others serve files next to them, and what is revealed when those secrets are found everywhere.
const maxRestarts = 3

func (c *redactor) options() transcript.Options {
	if c == nil {
		return transcript.Options{}
	}
	return transcript.Options{Rewrite: c.JSON, Clean: c.Text}
}

// text redacts a text that is not JSON.
func (c *redactor) text(s string) string {
	if c == nil {
		return s
	}
	return c.Text(s)
}

// later returns a function that redacts texts assembled from redacted ones, after all files were read. What it finds
// does not affect what is read later.
func (c *redactor) later() func(string) string {
	if c == nil {
		return nil
	}
	fork := sync.OnceValue(c.Fork) // most sessions need none
	return func(s string) string { return fork().Text(s) }
}

// titles redacts the titles that other sessions give to records of this one. Those sessions do not know its secrets.
func (c *redactor) titles(all map[string]string) map[string]string {
	if c == nil || len(all) == 0 || !c.Learned() {
		return all
	}
	redacted := make(map[string]string, len(all))
	for _, leaf := range slices.Sorted(maps.Keys(all)) {
		redacted[leaf] = c.text(all[leaf])
	}
	return redacted
}

// value redacts a JSON value. It returns nil for anything else.
func (c *redactor) value(data []byte) []byte {
	switch {
	case !validJSON(data):
		return nil
	case c == nil:
		return data
	}
	return c.JSON(data)
}

// valueOrText redacts a file that may be JSON. Titles are also in files of other formats.
func (c *redactor) valueOrText(data []byte) []byte {
	if validJSON(data) {
		return c.value(data)
	}
	return []byte(c.text(string(data)))
}

// count notes in a session what was redacted, by rule.
func (c *redactor) count(s *render.Session) {
	if c == nil {
		return
	}
	s.Redacted, s.Secrets, s.Sure = make(map[string]int), make(map[string]int), 0
	for _, count := range c.Counts() {
		s.Redacted[count.Rule] += count.N
		switch count.Confidence {
		case redact.High:
			s.Sure += count.N
			fallthrough
		case redact.Likely:
			s.Secrets[count.Rule] += count.N
		}
	}
}

// known returns how many secrets the redactor knows. When that grows, earlier files may contain one.
func (c *redactor) known() int {
	if c == nil {
		return 0
	}
	return c.Revision()
}

// redactFacts redacts the facts of a file before its session is read. Most files of a folder have the same facts, and
// creating a redactor costs as much as reading a small file.
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
	s.CWD, s.Team, s.Member = c.text(s.CWD), c.text(s.Team), c.text(s.Member)
	for leaf, title := range s.Summaries {
		s.Summaries[leaf] = c.text(title)
	}
	v.redactedFacts.Store(known, factsKey{s.CWD, s.Team, s.Member})
	return s
}

// A factsKey holds the facts that many files of a folder share.
type factsKey struct{ cwd, team, member string }

// redactedName redacts the name of a file or a folder.
func (o Options) redactedName(s string) string { return o.newRedactor().text(s) }
