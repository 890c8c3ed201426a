package render

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A signer visits a page like its drawing.
type signer struct {
	data *sessionData
	sent *sentTracker
	b    []byte               // on its way into the sum
	sum  hash.Hash            // nil before the first piece
	seen []*normalize.Message // in the order of the visit, which depends only on what is in the signature

	hashed jsontext.Value // the last long value that was hashed
	hashOf uint64
}

// signature returns the signature of everything that was added.
func (s *signer) signature() signature {
	s.flush()
	return signature(s.sum.Sum(nil))
}

func (s *signer) flush() {
	if s.sum == nil {
		s.sum = sha256.New()
	}
	s.sum.Write(s.b)
	s.b = s.b[:0]
}

// hashChunk is the number of bytes that are hashed at once.
const hashChunk = 4 << 10

func (s *signer) totals(t stats.Totals) {
	s.ints(t.Sessions, t.Prompts, t.Tools, t.Failed, t.Agents, t.Compacted, t.Requests, int(t.Time), int(t.Work),
		len(t.Models), len(t.Credits))
	s.bools(t.Doubtful)
	s.usage(t.Usage)
	s.cost(t.Cost)
	for _, m := range t.Models {
		s.strings(m.Name)
		s.ints(m.Requests)
		s.usage(m.Usage)
		s.cost(m.Cost)
	}
	for _, c := range t.Credits {
		s.strings(c.Unit)
		s.ints(int(c.Used))
	}
}

func (s *signer) usage(u transcript.Usage) {
	for _, n := range []int64{u.Input, u.Output, u.CacheRead, u.CacheWrite, u.CacheWrite5m, u.CacheWrite1h,
		u.WebSearches} {
		s.ints(int(n))
	}
}

func (s *signer) cost(c stats.Cost) { s.ints(int(c.List), int(c.Logged), int(c.Unpriced)) }

func (s *signer) times(all ...time.Time) {
	for _, t := range all {
		s.bools(t.IsZero())
		s.ints(int(t.UnixNano()))
	}
}

func (s *signer) strings(all ...string) {
	for _, t := range all {
		s.ints(len(t))
		s.b = append(s.b, t...)
	}
}

func (s *signer) ints(all ...int) {
	for _, n := range all {
		s.b = binary.AppendVarint(s.b, int64(n))
	}
	if len(s.b) > hashChunk {
		s.flush()
	}
}

func (s *signer) bools(all ...bool) {
	for _, t := range all {
		bit := byte(0)
		if t {
			bit = 1
		}
		s.b = append(s.b, bit)
	}
}
