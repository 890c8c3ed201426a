package redaction

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/redact"
	"viewer/internal/smallfile"
	"viewer/internal/sources"
	"viewer/internal/transcript"
	"viewer/render"
)

// Settings selects what is removed from sessions before anything else is done with them. The zero value removes what
// package redact finds by default.
type Settings struct {
	Off      bool     // redact nothing
	Patterns []string // additional expressions to redact, NAME=REGEXP or REGEXP
	Allow    []string // expressions for texts that are not secrets
	File     string   // a list of texts to redact, one a line; "" for none
}

// Rules returns the rules, nil when nothing is redacted. The first call compiles them, because that takes milliseconds
// and a build without changes does not need them.
type Rules func() *redact.Redactor

// Prepare compiles the rules.
func (r Rules) Prepare() {
	if r != nil {
		r()
	}
}

// Rules returns the rules of these settings and their digest. The digest does not reveal the texts in the file: it
// includes the stamp of the file.
func (r Settings) Rules() (Rules, fingerprint.Digest, error) {
	if r.Off {
		return nil, fingerprint.Of([]byte("off")), nil
	}
	var o redact.Options
	h := sha256.New()
	for _, s := range r.Patterns {
		p, err := redact.ParsePattern(s)
		if err != nil {
			return nil, fingerprint.Digest{}, failure.Usage{Err: failure.New(fmt.Errorf("--redact-pattern %w", err),
				"write a regular expression of Go, or NAME=REGEXP")}
		}
		o.Patterns = append(o.Patterns, p)
		fingerprint.Add(h, "pattern", s)
	}
	for _, s := range r.Allow {
		expr, err := redact.ParseAllow(s)
		if err != nil {
			return nil, fingerprint.Digest{}, failure.Usage{Err: failure.New(fmt.Errorf("--allow %w", err),
				"write a regular expression of Go")}
		}
		o.Allow = append(o.Allow, expr)
		fingerprint.Add(h, "allow", s)
	}
	if r.File != "" {
		data, err := smallfile.Read(r.File)
		if err != nil {
			return nil, fingerprint.Digest{}, failure.New(fmt.Errorf("reading %s: %w", r.File, failure.Cause(err)),
				"give a file with one text to redact a line")
		}
		if o.Literals, err = redact.ParseLiterals(data); err != nil {
			return nil, fingerprint.Digest{}, failure.New(fmt.Errorf("reading %s: %w", r.File, err),
				"give a file with one text to redact a line, in UTF-8")
		}
		if info, err := os.Stat(r.File); err == nil {
			fingerprint.Add(h, "file", fmt.Sprint(fingerprint.StampOf(info)))
		}
	}
	made := sync.OnceValues(func() (*redact.Redactor, error) { return redact.New(o) })
	if len(o.Literals) > 0 { // none may be usable
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

// A Redactor redacts the files of one session in the order of session.files, because findings are numbered in order. If
// it learns a secret from a late file, its successor finds that in earlier files: see Restarted. A nil redactor redacts
// nothing.
type Redactor struct {
	*redact.Session
	learnedHome bool // LearnHome has found a folder
}

// Redactor returns a redactor for a session.
func (r Rules) Redactor() *Redactor {
	if r == nil {
		return nil
	}
	return &Redactor{Session: r().Session()}
}

// HeadSize is how many bytes of a file are searched for the folder that the session was started in.
const HeadSize = 256 << 10

// LearnHome learns whose home to redact from the first folder in the beginning of a transcript of a writer.
func (c *Redactor) LearnHome(head []byte, by sources.Source) {
	if c != nil && !c.learnedHome {
		c.LearnFolder(by.FolderOf(head[:min(len(head), HeadSize)]))
	}
}

// LearnFolder learns whose home to redact from the folder that a session was started in, "" for an unknown one.
func (c *Redactor) LearnFolder(folder string) {
	if c != nil && !c.learnedHome && folder != "" {
		c.Learn(folder)
		c.learnedHome = true
	}
}

// Restarted returns a redactor for the same files that knows all that this one has learned. It returns nil if this one
// has learned nothing.
func (c *Redactor) Restarted() *Redactor {
	if c == nil {
		return nil
	}
	next, ok := c.NextPass()
	if !ok {
		return nil
	}
	return &Redactor{next, c.learnedHome}
}

// Confirm repeats the first texts of a session with the successor of a redactor. It reports whether what was learned
// late is nowhere before, so that the successor is not needed. each gives the successor the texts, as long as more
// returns true.
func (c *Redactor) Confirm(each func(next *Redactor, more func() bool)) bool {
	next := c.Restarted()
	each(next, func() bool { return next.Repeats(c.Session) })
	return c.Session.Confirm(next.Session)
}

// MaxRestarts limits how often the files of a session are redacted again. After the first restart all secrets of the
// transcripts are known. Further ones are for files next to them, and for secrets that are only recognized with the
// others.
const MaxRestarts = 3

func (c *Redactor) Options() transcript.Options {
	if c == nil {
		return transcript.Options{}
	}
	return transcript.Options{Rewrite: c.Rewrite, Clean: c.Text}
}

// Text redacts a text that is not JSON.
func (c *Redactor) Text(s string) string {
	if c == nil {
		return s
	}
	return c.Session.Text(s)
}

// Later returns a function that redacts texts assembled from redacted ones, after all files were read. Its findings do
// not affect files that are read later.
func (c *Redactor) Later() func(string) string {
	if c == nil {
		return nil
	}
	fork := sync.OnceValue(c.Fork) // most sessions need none
	return func(s string) string { return fork().Text(s) }
}

// Titles redacts the titles that other sessions give to records of this one. They were redacted without the secrets of
// this one.
func (c *Redactor) Titles(all map[string]string) map[string]string {
	if c == nil || len(all) == 0 || !c.Learned() {
		return all
	}
	redacted := make(map[string]string, len(all))
	for _, leaf := range slices.Sorted(maps.Keys(all)) {
		redacted[leaf] = c.Text(all[leaf])
	}
	return redacted
}

// Value redacts a JSON value. It returns nil for anything else.
func (c *Redactor) Value(data []byte) []byte {
	switch {
	case !validJSON(data):
		return nil
	case c == nil:
		return data
	}
	return c.JSON(data)
}

// ValueOrText redacts a file that may be JSON. Titles are also in files of other formats.
func (c *Redactor) ValueOrText(data []byte) []byte {
	if validJSON(data) {
		return c.Value(data)
	}
	return []byte(c.Text(string(data)))
}

func validJSON(data []byte) bool { return jsontext.Value(data).IsValid() }

// Count adds to a session the number of redactions by rule.
func (c *Redactor) Count(s *render.Session) {
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

// Known returns how many secrets the redactor knows. When that grows, earlier files may contain one.
func (c *Redactor) Known() int {
	if c == nil {
		return 0
	}
	return c.Revision()
}
