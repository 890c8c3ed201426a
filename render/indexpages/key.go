package indexpages

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/render"
)

// A Key identifies everything that index pages show of a session: the same key means the same rows.
type Key [16]byte

// A Fingerprint encodes values, with lengths or in eight bytes, so that different lists of values differ.
type Fingerprint []byte

// Text adds texts.
func (f *Fingerprint) Text(values ...string) {
	for _, s := range values {
		f.Number(int64(len(s)))
		*f = append(*f, s...)
	}
}

// Number adds numbers.
func (f *Fingerprint) Number(values ...int64) {
	for _, n := range values {
		*f = binary.LittleEndian.AppendUint64(*f, uint64(n))
	}
}

// Truth adds a boolean.
func (f *Fingerprint) Truth(b bool) {
	if b {
		f.Number(1)
	} else {
		f.Number(0)
	}
}

// Time adds a time.
func (f *Fingerprint) Time(t time.Time) {
	f.Truth(t.IsZero())
	f.Number(t.Unix(), int64(t.Nanosecond()))
}

func (f *Fingerprint) usage(u transcript.Usage) {
	f.Number(u.Input, u.Output, u.CacheRead, u.CacheWrite, u.CacheWrite5m, u.CacheWrite1h, u.WebSearches)
}

func (f *Fingerprint) cost(c stats.Cost) { f.Number(int64(c.List), int64(c.Logged), c.Unpriced) }

func (f *Fingerprint) totals(t stats.Totals) {
	for _, n := range []int{t.Sessions, t.Prompts, t.Tools, t.Failed, t.Agents, t.Compacted, t.Requests,
		len(t.Models)} {
		f.Number(int64(n))
	}
	f.usage(t.Usage)
	f.Truth(t.Doubtful)
	f.cost(t.Cost)
	f.Number(int64(t.Time), int64(t.Work))
	for _, m := range t.Models {
		f.Text(m.Name)
		f.Number(int64(m.Requests))
		f.usage(m.Usage)
		f.cost(m.Cost)
	}
	f.Number(int64(len(t.Credits)))
	for _, c := range t.Credits {
		f.Text(c.Unit)
		f.Number(c.Used)
	}
}

// outcome adds the outcome of a session to the key of the pages that list it.
func (f *Fingerprint) outcome(o *render.Outcome) {
	f.Text(o.Asked, o.Heading, o.Text, o.Changes)
	f.Number(int64(o.Mark), int64(o.Commits), int64(o.Files), int64(o.Added), int64(o.Removed),
		int64(o.UnknownAdded), int64(o.UnknownRemoved),
		int64(len(o.PullRequests)))
	f.Text(o.PullRequests...)
}

// summaryKey returns the key of a session without its problems, which have their own list on the first page of the
// site. It uses f as a buffer.
func summaryKey(s *render.Summary, f Fingerprint) (key Key, buffer Fingerprint) {
	f = f[:0]
	f.Text(s.ID, s.Folder, s.Title, s.Project.Name, s.Project.Path, s.Branch, s.Failure, s.Writer, s.Worktree)
	f.Truth(s.Empty)
	f.Truth(s.Kept)
	f.Time(s.Start)
	f.totals(s.Totals)
	f.outcome(&s.Outcome)
	f.Number(int64(len(s.Models)))
	f.Text(s.Models...)
	f.Number(int64(s.Notes))
	f.Number(int64(len(s.Relations)))
	for _, r := range s.Relations {
		f.Text(r.How, r.Folder, r.Title)
		f.Time(r.At)
	}
	sum := sha256.Sum256(f)
	return Key(sum[:len(key)]), f
}
