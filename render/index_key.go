package render

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"viewer/internal/stats"
	"viewer/internal/transcript"
)

// A fingerprint collects values, each after its length or in eight bytes, so
// that no two lists of values look the same.
type fingerprint []byte

func (f *fingerprint) text(values ...string) {
	for _, s := range values {
		f.number(int64(len(s)))
		*f = append(*f, s...)
	}
}

func (f *fingerprint) number(values ...int64) {
	for _, n := range values {
		*f = binary.LittleEndian.AppendUint64(*f, uint64(n))
	}
}

func (f *fingerprint) truth(b bool) {
	if b {
		f.number(1)
	} else {
		f.number(0)
	}
}

func (f *fingerprint) time(t time.Time) {
	f.truth(t.IsZero())
	f.number(t.Unix(), int64(t.Nanosecond()))
}

func (f *fingerprint) usage(u transcript.Usage) {
	f.number(u.Input, u.Output, u.CacheRead, u.CacheWrite, u.CacheWrite5m, u.CacheWrite1h, u.WebSearches)
}

func (f *fingerprint) cost(c stats.Cost) { f.number(int64(c.List), int64(c.Logged), c.Unpriced) }

func (f *fingerprint) totals(t stats.Totals) {
	for _, n := range []int{t.Sessions, t.Prompts, t.Tools, t.Failed, t.Agents, t.Compacted, t.Requests,
		len(t.Models)} {
		f.number(int64(n))
	}
	f.usage(t.Usage)
	f.truth(t.Doubtful)
	f.cost(t.Cost)
	f.number(int64(t.Time), int64(t.Work))
	for _, m := range t.Models {
		f.text(m.Name)
		f.number(int64(m.Requests))
		f.usage(m.Usage)
		f.cost(m.Cost)
	}
	f.number(int64(len(t.Credits)))
	for _, c := range t.Credits {
		f.text(c.Unit)
		f.number(c.Used)
	}
}

// key stands for all of a session but its problems, which the first page of the
// site lists by itself. It is put together in the buffer of another.
func (s *Summary) key(f fingerprint) (key Key, buffer fingerprint) {
	f = f[:0]
	f.text(s.ID, s.Folder, s.Title, s.Project.Name, s.Project.Path, s.Branch, s.Failure, s.Writer, s.Worktree)
	f.truth(s.Empty)
	f.truth(s.Archived)
	f.time(s.Start)
	f.totals(s.Totals)
	f.outcome(&s.Outcome)
	f.number(int64(len(s.Models)))
	f.text(s.Models...)
	f.number(int64(s.Notes))
	f.number(int64(len(s.Relations)))
	for _, r := range s.Relations {
		f.text(r.How, r.Folder, r.Title)
		f.time(r.At)
	}
	sum := sha256.Sum256(f)
	return Key(sum[:len(key)]), f
}
