package state

import (
	"time"

	"viewer/internal/codec"
	"viewer/internal/outcome"
	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/render"
)

func encodeSummary(r *codec.Encoder, s *render.Summary) {
	r.Bool(s.ID == s.Folder)
	if s.ID != s.Folder { // most folders are named by the id
		r.Text(s.ID)
	}
	r.Text(s.Title, s.Project.Name, s.Project.Path, s.Branch, s.Failure, s.Writer, s.Worktree)
	r.Texts(s.Models)
	r.Time(s.Start)
	encodeTotals(r, &s.Totals)
	encodeOutcome(r, &s.Outcome)
	r.Int(int64(len(s.Relations)))
	for _, k := range s.Relations {
		r.Text(k.How, k.Folder, k.Title)
		r.Time(k.At)
	}
	r.Int(int64(s.Notes))
	encodeProblems(r, s.Problems)
}

func encodeProblems(r *codec.Encoder, all []transcript.Problem) {
	r.Int(int64(len(all)))
	for _, p := range all {
		r.Text(p.Pos.File, p.Text)
		r.Int(int64(p.Pos.Line), p.Pos.Offset, int64(p.Others))
		r.Bool(p.Lost)
		r.Bool(p.Fault)
	}
}

func decodeProblems(f *codec.Decoder) []transcript.Problem {
	n := f.Count()
	if n == 0 {
		return nil
	}
	all := make([]transcript.Problem, n)
	for i := range all {
		p := transcript.Problem{Pos: transcript.Pos{File: f.Text()}, Text: f.Text()}
		p.Pos.Line, p.Pos.Offset, p.Others = int(f.Int()), f.Int(), int(f.Int())
		p.Lost, p.Fault = f.Bool(), f.Bool()
		all[i] = p
	}
	return all
}

// decodeSummary decodes a summary. The folder, and whether the session is empty or kept, are stored elsewhere.
func decodeSummary(f *codec.Decoder, folder string) render.Summary {
	s := render.Summary{ID: folder, Folder: folder}
	if !f.Bool() {
		s.ID = f.Text()
	}
	s.Title, s.Project.Name, s.Project.Path, s.Branch = f.Text(), f.Text(), f.Text(), f.Text()
	s.Failure, s.Writer, s.Worktree = f.Text(), f.Text(), f.Text()
	s.Models, s.Start = f.Texts(), f.Time()
	decodeTotals(f, &s.Totals)
	decodeOutcome(f, &s.Outcome)
	if n := f.Count(); n > 0 {
		s.Relations = make([]render.Relation, n)
		for i := range s.Relations {
			s.Relations[i] = render.Relation{How: f.Text(), Folder: f.Text(), Title: f.Text(), At: f.Time()}
		}
	}
	s.Notes = int(f.Int())
	s.Problems = decodeProblems(f)
	return s
}

// decodeTitle reads the title of a summary alone.
func decodeTitle(encoded string) string {
	f := codec.Decoder{Rest: encoded}
	if !f.Bool() {
		_ = f.Text() // the id
	}
	return f.Text()
}

func encodeOutcome(r *codec.Encoder, o *render.Outcome) {
	r.Int(int64(o.Mark))
	r.Text(o.Asked, o.Heading, o.Text, o.Changes)
	r.Ints(&o.Commits, &o.Files, &o.Added, &o.Removed, &o.UnknownAdded, &o.UnknownRemoved)
	r.Texts(o.PullRequests)
}

func decodeOutcome(f *codec.Decoder, o *render.Outcome) {
	o.Mark = outcome.Mark(f.Int())
	o.Asked, o.Heading, o.Text, o.Changes = f.Text(), f.Text(), f.Text(), f.Text()
	f.Ints(&o.Commits, &o.Files, &o.Added, &o.Removed, &o.UnknownAdded, &o.UnknownRemoved)
	o.PullRequests = f.Texts()
}

func encodeChangedFiles(r *codec.Encoder, all []render.ChangedFile) {
	r.Int(int64(len(all)))
	for i := range all {
		c := &all[i]
		r.Text(c.Path, c.From, c.Page)
		for _, is := range []bool{c.Created, c.Gone, c.Binary, c.Undone} {
			r.Bool(is)
		}
		r.Ints(&c.Added, &c.Removed, &c.UnknownAdded, &c.UnknownRemoved, &c.Calls)
		r.Time(c.Last)
	}
}

func decodeChangedFiles(f *codec.Decoder) []render.ChangedFile {
	n := f.Count()
	if n == 0 {
		return nil
	}
	all := make([]render.ChangedFile, n)
	for i := range all {
		c := &all[i]
		c.Path, c.From, c.Page = f.Text(), f.Text(), f.Text()
		c.Created, c.Gone, c.Binary, c.Undone = f.Bool(), f.Bool(), f.Bool(), f.Bool()
		f.Ints(&c.Added, &c.Removed, &c.UnknownAdded, &c.UnknownRemoved, &c.Calls)
		c.Last = f.Time()
	}
	return all
}

func encodeTotals(r *codec.Encoder, t *stats.Totals) {
	r.Ints(&t.Sessions, &t.Prompts, &t.Tools, &t.Failed, &t.Agents, &t.Compacted, &t.Requests)
	encodeUsage(r, t.Usage)
	r.Bool(t.Doubtful)
	encodeCost(r, t.Cost)
	r.Int(int64(t.Time), int64(t.Work))
	encodeModels(r, t.Models)
	r.Int(int64(len(t.Credits)))
	for _, c := range t.Credits {
		r.Text(c.Unit)
		r.Int(c.Used)
	}
}

func encodeModels(r *codec.Encoder, models []stats.Model) {
	r.Int(int64(len(models)))
	for _, m := range models {
		r.Text(m.Name)
		r.Int(int64(m.Requests))
		encodeUsage(r, m.Usage)
		encodeCost(r, m.Cost)
	}
}

func decodeModels(f *codec.Decoder) []stats.Model {
	n := f.Count()
	if n == 0 {
		return nil
	}
	all := make([]stats.Model, n)
	for i := range all {
		m := &all[i]
		m.Name, m.Requests, m.Usage, m.Cost = f.Text(), int(f.Int()), decodeUsage(f), decodeCost(f)
	}
	return all
}

func decodeTotals(f *codec.Decoder, t *stats.Totals) {
	f.Ints(&t.Sessions, &t.Prompts, &t.Tools, &t.Failed, &t.Agents, &t.Compacted, &t.Requests)
	t.Usage = decodeUsage(f)
	t.Doubtful = f.Bool()
	t.Cost = decodeCost(f)
	t.Time, t.Work = time.Duration(f.Int()), time.Duration(f.Int())
	t.Models = decodeModels(f)
	if n := f.Count(); n > 0 {
		t.Credits = make([]stats.Credit, n)
		for i := range t.Credits {
			t.Credits[i] = stats.Credit{Unit: f.Text(), Used: f.Int()}
		}
	}
}

func encodeUsage(r *codec.Encoder, u transcript.Usage) {
	r.Int(u.Input, u.Output, u.CacheRead, u.CacheWrite, u.CacheWrite5m, u.CacheWrite1h, u.WebSearches)
}

func decodeUsage(f *codec.Decoder) transcript.Usage {
	return transcript.Usage{
		Input: f.Int(), Output: f.Int(), CacheRead: f.Int(), CacheWrite: f.Int(),
		CacheWrite5m: f.Int(), CacheWrite1h: f.Int(), WebSearches: f.Int(),
	}
}

func encodeCost(r *codec.Encoder, c stats.Cost) { r.Int(int64(c.List), int64(c.Logged), c.Unpriced) }

func decodeCost(f *codec.Decoder) stats.Cost {
	return stats.Cost{List: stats.Money(f.Int()), Logged: stats.Money(f.Int()), Unpriced: f.Int()}
}

// ledgerNumbers returns the numbers of a ledger in the order in which they are stored.
func ledgerNumbers(l *render.Ledger) []*int {
	return []*int{
		&l.Files, &l.Read, &l.Drawn, &l.Lost, &l.Missed, &l.Sure,
		&l.Orphans, &l.Unanswered, &l.Loose, &l.Promptless, &l.LogMissing,
	}
}

func encodeLedger(r *codec.Encoder, l *render.Ledger) {
	r.Ints(ledgerNumbers(l)...)
	for _, m := range []map[string]int{l.Generic, l.Hidden, l.Redacted, l.Kinds} {
		r.Counts(m)
	}
}

// decodeLedger adds an encoded ledger to another one. Decoding it to a new ledger would allocate maps.
func decodeLedger(f *codec.Decoder, to *render.Ledger) {
	for _, n := range ledgerNumbers(to) {
		*n += int(f.Int())
	}
	for _, m := range []*map[string]int{&to.Generic, &to.Hidden, &to.Redacted, &to.Kinds} {
		if *m == nil {
			*m = make(map[string]int)
		}
		f.AddCounts(*m)
	}
}
