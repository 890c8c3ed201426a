package sitegen

import (
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/render"
)

// A record appends values to what the state keeps, and fields reads them in the
// same order: numbers as short as they are, texts behind their length. Nothing of
// it says what a value is, so that what many sessions have takes few bytes and
// no time to read.
type record []byte

func (r *record) number(values ...int64) {
	for _, n := range values {
		*r = binary.AppendVarint(*r, n)
	}
}

func (r *record) numbers(values ...*int) {
	for _, n := range values {
		r.number(int64(*n))
	}
}

func (r *record) text(values ...string) {
	for _, s := range values {
		r.number(int64(len(s)))
		*r = append(*r, s...)
	}
}

func (r *record) texts(values []string) {
	r.number(int64(len(values)))
	r.text(values...)
}

func (r *record) truth(b bool) {
	n := int64(0)
	if b {
		n = 1
	}
	r.number(n)
}

func (r *record) digest(d digest) { *r = append(*r, d[:]...) }

func (r *record) time(t time.Time) {
	r.truth(!t.IsZero())
	if !t.IsZero() {
		r.number(t.Unix(), int64(t.Nanosecond()))
	}
}

func (r *record) counts(m map[string]int) {
	r.number(int64(len(m)))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		r.text(k)
		r.number(int64(m[k]))
	}
}

// fields reads values one after the other; at the end of the data it gives
// zeros and says so. Texts share its memory.
type fields struct {
	rest  string
	short bool
}

func (f *fields) take(n int64) string {
	if n < 0 || n > int64(len(f.rest)) {
		f.short, f.rest = true, ""
		return ""
	}
	taken := f.rest[:n]
	f.rest = f.rest[n:]
	return taken
}

func (f *fields) number() int64 {
	var n uint64
	for i := range len(f.rest) {
		c := f.rest[i]
		if i < binary.MaxVarintLen64 {
			n |= uint64(c&0x7f) << (7 * i)
		}
		if c < 0x80 {
			f.rest = f.rest[i+1:]
			return int64(n>>1) ^ -int64(n&1)
		}
	}
	f.short, f.rest = true, ""
	return 0
}

func (f *fields) numbers(to ...*int) {
	for _, n := range to {
		*n = int(f.number())
	}
}

// count is how many values follow, each of which takes a byte at least.
func (f *fields) count() int {
	n := f.number()
	if n < 0 || n > int64(len(f.rest)) {
		f.short, f.rest = true, ""
		return 0
	}
	return int(n)
}

func (f *fields) text() string { return f.take(f.number()) }

func (f *fields) texts() []string {
	n := f.count()
	if n == 0 {
		return nil
	}
	all := make([]string, n)
	for i := range all {
		all[i] = f.text()
	}
	return all
}

func (f *fields) truth() bool { return f.number() != 0 }

func (f *fields) digest() (d digest) {
	copy(d[:], f.take(int64(len(d))))
	return d
}

func (f *fields) time() time.Time {
	if !f.truth() {
		return time.Time{}
	}
	return time.Unix(f.number(), f.number()).UTC()
}

// add adds counts to others.
func (f *fields) add(to map[string]int) {
	for range f.count() {
		name := f.text() // which has to be read before its count
		to[name] += int(f.number())
	}
}

func (r *record) scanned(s scanned) {
	r.text(s.CWD, s.Place, s.SessionID, s.Lineage, s.FirstUUID, s.Team, s.Member)
	r.texts(s.Elsewhere)
	r.number(int64(len(s.Summaries)))
	for _, leaf := range slices.Sorted(maps.Keys(s.Summaries)) {
		r.text(leaf, s.Summaries[leaf])
	}
	r.time(s.Start)
	r.time(s.End)
}

func (f *fields) scanned() scanned {
	s := scanned{CWD: f.text(), Place: f.text(), SessionID: f.text(), Lineage: f.text(), FirstUUID: f.text(), Team: f.text(), Member: f.text(), Elsewhere: f.texts()}
	for range f.count() {
		if s.Summaries == nil {
			s.Summaries = make(map[string]string)
		}
		leaf := f.text()
		s.Summaries[leaf] = f.text()
	}
	s.Start, s.End = f.time(), f.time()
	return s
}

func (r *record) summary(s *render.Summary) {
	r.truth(s.ID == s.Folder)
	if s.ID != s.Folder { // most have their names from the program
		r.text(s.ID)
	}
	r.text(s.Title, s.Project.Name, s.Project.Path, s.Branch)
	r.texts(s.Models)
	r.time(s.Start)
	r.totals(&s.Totals)
	r.number(int64(len(s.Relations)))
	for _, k := range s.Relations {
		r.text(k.How, k.Folder, k.Title)
		r.time(k.At)
	}
	r.number(int64(len(s.Problems)))
	for _, p := range s.Problems {
		r.text(p.Pos.File, p.Text)
		r.number(int64(p.Pos.Line), p.Pos.Offset, int64(p.Others))
		r.truth(p.Lost)
		r.truth(p.Fault)
	}
}

// summary reads all but what a session has for itself: its folder, and whether it
// is empty or archived.
func (f *fields) summary(folder string) render.Summary {
	s := render.Summary{ID: folder, Folder: folder}
	if !f.truth() {
		s.ID = f.text()
	}
	s.Title, s.Project.Name, s.Project.Path, s.Branch = f.text(), f.text(), f.text(), f.text()
	s.Models, s.Start = f.texts(), f.time()
	f.totals(&s.Totals)
	if n := f.count(); n > 0 {
		s.Relations = make([]render.Relation, n)
		for i := range s.Relations {
			s.Relations[i] = render.Relation{How: f.text(), Folder: f.text(), Title: f.text(), At: f.time()}
		}
	}
	if n := f.count(); n > 0 {
		s.Problems = make([]transcript.Problem, n)
		for i := range s.Problems {
			p := transcript.Problem{Pos: transcript.Pos{File: f.text()}, Text: f.text()}
			p.Pos.Line, p.Pos.Offset, p.Others = int(f.number()), f.number(), int(f.number())
			p.Lost, p.Fault = f.truth(), f.truth()
			s.Problems[i] = p
		}
	}
	return s
}

func (r *record) totals(t *stats.Totals) {
	r.numbers(&t.Sessions, &t.Prompts, &t.Tools, &t.Failed, &t.Agents, &t.Compacted, &t.Requests)
	r.usage(t.Usage)
	r.truth(t.Doubtful)
	r.cost(t.Cost)
	r.number(int64(t.Time), int64(len(t.Models)))
	for _, m := range t.Models {
		r.text(m.Name)
		r.number(int64(m.Requests))
		r.usage(m.Usage)
		r.cost(m.Cost)
	}
}

func (f *fields) totals(t *stats.Totals) {
	f.numbers(&t.Sessions, &t.Prompts, &t.Tools, &t.Failed, &t.Agents, &t.Compacted, &t.Requests)
	t.Usage = f.usage()
	t.Doubtful = f.truth()
	t.Cost = f.cost()
	t.Time = time.Duration(f.number())
	if n := f.count(); n > 0 {
		t.Models = make([]stats.Model, n)
		for i := range t.Models {
			t.Models[i] = stats.Model{Name: f.text(), Requests: int(f.number()), Usage: f.usage(), Cost: f.cost()}
		}
	}
}

func (r *record) usage(u transcript.Usage) {
	r.number(u.Input, u.Output, u.CacheRead, u.CacheWrite, u.CacheWrite5m, u.CacheWrite1h, u.WebSearches)
}

func (f *fields) usage() transcript.Usage {
	return transcript.Usage{
		Input: f.number(), Output: f.number(), CacheRead: f.number(), CacheWrite: f.number(), CacheWrite5m: f.number(), CacheWrite1h: f.number(), WebSearches: f.number(),
	}
}

func (r *record) cost(c stats.Cost) { r.number(int64(c.List), int64(c.Logged), c.Unpriced) }

func (f *fields) cost() stats.Cost {
	return stats.Cost{List: stats.Money(f.number()), Logged: stats.Money(f.number()), Unpriced: f.number()}
}

// ledgerNumbers are those of a ledger, in the order in which they are kept.
func ledgerNumbers(l *render.Ledger) []*int {
	return []*int{&l.Files, &l.Read, &l.Drawn, &l.Lost, &l.Missed, &l.Sure, &l.Orphans, &l.Unanswered, &l.Loose, &l.Promptless, &l.Gone}
}

func (r *record) ledger(l *render.Ledger) {
	r.numbers(ledgerNumbers(l)...)
	for _, m := range []map[string]int{l.Generic, l.Hidden, l.Redacted, l.Kinds} {
		r.counts(m)
	}
}

// ledger adds one to another. Nothing else needs that of a session, and a ledger
// of its own would be made of maps.
func (f *fields) ledger(to *render.Ledger) {
	for _, n := range ledgerNumbers(to) {
		*n += int(f.number())
	}
	for _, m := range []*map[string]int{&to.Generic, &to.Hidden, &to.Redacted, &to.Kinds} {
		if *m == nil {
			*m = make(map[string]int)
		}
		f.add(*m)
	}
}
