package sitegen

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"

	"viewer/internal/failure"
	"viewer/internal/redact"
	"viewer/internal/sources"
	"viewer/internal/transcript"
	"viewer/render"
)

// Redaction says what is taken out of sessions before anything is made of them.
// The zero value takes out what package redact finds by itself.
type Redaction struct {
	Off      bool     // nothing
	Patterns []string // expressions of what is taken out as well, NAME=REGEXP or REGEXP
	Allow    []string // expressions of what is no secret
	File     string   // that lists texts to take out, one a line; "" for none
}

// rules find what is taken out: they are made when they are asked for first, which
// takes milliseconds, and no build asks that changes nothing. They are nil when nothing
// is taken out.
type rules func() *redact.Redactor

// prepare makes them, beside whatever else there is to do.
func (r rules) prepare() {
	if r != nil {
		r()
	}
}

// rules compiles it. The digest stands for it without giving away the texts of the
// file: for that it goes by its stamp.
func (r Redaction) rules() (rules, digest, error) {
	if r.Off {
		return nil, digestOf([]byte("off")), nil
	}
	var o redact.Options
	h := sha256.New()
	for _, s := range r.Patterns {
		p, err := redact.ParsePattern(s)
		if err != nil {
			return nil, digest{}, failure.New(fmt.Errorf("--redact-pattern %w", err), "write a regular expression of Go, or NAME=REGEXP")
		}
		o.Patterns = append(o.Patterns, p)
		add(h, "pattern", s)
	}
	for _, s := range r.Allow {
		expr, err := redact.ParseAllow(s)
		if err != nil {
			return nil, digest{}, failure.New(fmt.Errorf("--allow %w", err), "write a regular expression of Go")
		}
		o.Allow = append(o.Allow, expr)
		add(h, "allow", s)
	}
	if r.File != "" {
		data, err := ReadSmall(r.File)
		if err != nil {
			return nil, digest{}, failure.New(fmt.Errorf("reading %s: %w", r.File, Cause(err)), "give a file with one text to redact a line")
		}
		if o.Literals, err = redact.ParseLiterals(data); err != nil {
			return nil, digest{}, failure.New(fmt.Errorf("reading %s: %w", r.File, err), "give a file with one text to redact a line")
		}
		if info, err := os.Stat(r.File); err == nil {
			add(h, "file", fmt.Sprint(newStamp(info)))
		}
	}
	made := sync.OnceValues(func() (*redact.Redactor, error) { return redact.New(o) })
	if len(o.Literals) > 0 { // which may be none that can be taken out
		if _, err := made(); err != nil {
			return nil, digest{}, failure.New(err, "give longer texts to redact")
		}
	}
	all := func() *redact.Redactor {
		all, err := made()
		if err != nil {
			panic(err) // only texts are refused
		}
		return all
	}
	return all, digest(h.Sum(nil)[:16]), nil
}

// A cover takes secrets and personal data out of the files of one session: in
// the order of session.files, since what it finds is numbered as it comes. What it learns late is found in
// what came before by the next one, see again. A
// nil cover takes out nothing.
type cover struct {
	*redact.Session
	placed  bool // it knows whose home the folder of the session is in
	writers sources.List
}

// cover is a new cover for a session, which knows whose home its folder is in.
func (o Options) cover(main []byte) *cover {
	if o.rules == nil {
		return nil
	}
	c := &cover{Session: o.rules().Session(), writers: o.knownWriters()}
	c.place(main)
	return c
}

// place tells the cover the first folder that a transcript names, by how it begins.
func (c *cover) place(head []byte) {
	if c == nil || c.placed {
		return
	}
	head = head[:min(len(head), headSize)]
	if cwd := c.writers.Of(head).FolderOf(head); cwd != "" {
		c.Learn(cwd)
		c.placed = true
	}
}

// again is a new cover for the same files that knows all that this one has learned, nil when this one knew it from the start.
func (c *cover) again() *cover {
	if c == nil {
		return nil
	}
	next, ok := c.Again()
	if !ok {
		return nil
	}
	return &cover{next, c.placed, c.writers}
}

// mostRestarts is how often the files of a session are covered anew at most. The first time all is known that they tell for
// secrets; others are for what lies beside, and what comes out when those are found everywhere.
const mostRestarts = 3

func (c *cover) options() transcript.Options {
	if c == nil {
		return transcript.Options{}
	}
	return transcript.Options{Rewrite: c.JSON, Clean: c.Text}
}

// text covers a text that is no JSON.
func (c *cover) text(s string) string {
	if c == nil {
		return s
	}
	return c.Text(s)
}

// titles covers titles that other sessions give to records of this one, which know nothing of its secrets.
func (c *cover) titles(all map[string]string) map[string]string {
	if c == nil || len(all) == 0 || !c.Learned() {
		return all
	}
	covered := make(map[string]string, len(all))
	for _, leaf := range slices.Sorted(maps.Keys(all)) {
		covered[leaf] = c.text(all[leaf])
	}
	return covered
}

// value covers a JSON value, nil for what is none.
func (c *cover) value(data []byte) []byte {
	switch {
	case !validJSON(data):
		return nil
	case c == nil:
		return data
	}
	return c.JSON(data)
}

// report counts what was taken out, by rule.
func (c *cover) report(s *render.Session) {
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

// state tells whether the cover has learned something since.
func (c *cover) state() int {
	if c == nil {
		return 0
	}
	return c.Known()
}

// facts covers what was seen of a file before its session is read. Most files of
// a folder say the same, and a cover costs as much as a small file.
func (v *survey) facts(s sources.Facts) sources.Facts {
	if v.options.rules == nil {
		return s
	}
	known := facts{s.CWD, s.Team, s.Member}
	if shown, ok := v.shown.Load(known); ok && len(s.Summaries) == 0 {
		s.CWD, s.Team, s.Member = shown.(facts).cwd, shown.(facts).team, shown.(facts).member
		return s
	}
	c := v.options.cover(nil)
	c.Learn(s.CWD)
	s.CWD, s.Team, s.Member = c.text(s.CWD), c.text(s.Team), c.text(s.Member)
	for leaf, title := range s.Summaries {
		s.Summaries[leaf] = c.text(title)
	}
	v.shown.Store(known, facts{s.CWD, s.Team, s.Member})
	return s
}

// facts are what files say of themselves, as a key of what is shown of it.
type facts struct{ cwd, team, member string }

// name covers the name of a file or a folder.
func (o Options) name(s string) string { return o.cover(nil).text(s) }
