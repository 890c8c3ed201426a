package state

import (
	"maps"
	"slices"
	"time"

	"viewer/internal/codec"
	"viewer/internal/insights"
	"viewer/internal/sitegen/output"
	"viewer/internal/stats"
)

func encodeInsights(r *codec.Encoder, s *insights.Session) {
	encodeDays(r, s.Days)
	r.Int(int64(len(s.Rows)))
	for i := range s.Rows {
		encodeCounts(r, &s.Rows[i])
		r.Text(s.Rows[i].Place)
	}
}

func encodeDays(r *codec.Encoder, all []stats.Day) {
	r.Int(int64(len(all)))
	for _, day := range all {
		r.Text(day.Date)
		encodeModels(r, day.Models)
	}
}

func decodeDays(f *codec.Decoder) []stats.Day {
	n := f.Count()
	if n == 0 {
		return nil
	}
	all := make([]stats.Day, n)
	for i := range all {
		all[i] = stats.Day{Date: f.Text(), Models: decodeModels(f)}
	}
	return all
}

// encodeCounts encodes a row without its place.
func encodeCounts(r *codec.Encoder, row *insights.Row) {
	r.Int(int64(row.Kind), int64(row.Count), int64(row.Failed), row.Tokens, int64(row.Time))
	r.Text(row.Name, row.Detail)
}

func decodeCounts(f *codec.Decoder, row *insights.Row) {
	row.Kind, row.Count, row.Failed = insights.Kind(f.Int()), int(f.Int()), int(f.Int())
	row.Tokens, row.Time = f.Int(), time.Duration(f.Int())
	row.Name, row.Detail = f.Text(), f.Text()
}

// decodeInsights appends the rows to those given.
func decodeInsights(f *codec.Decoder, rows []insights.Row) insights.Session {
	s := insights.Session{Rows: rows, Days: decodeDays(f)}
	if n := f.Count(); n > 0 {
		from := len(s.Rows)
		s.Rows = slices.Grow(s.Rows, n)[:from+n]
		for i := from; i < len(s.Rows); i++ {
			decodeCounts(f, &s.Rows[i])
			s.Rows[i].Place = f.Text()
		}
	}
	return s
}

// An InsightSum is the insights of some sessions, encoded.
type InsightSum struct{ spooled }

// NewInsightSum encodes the insights of some sessions, numbered from 0 on. It is the same for the same sessions.
func NewInsightSum(t *insights.Total) InsightSum { return InsightSum{spooled{memory: encodeTotal(t)}} }

// Spool moves it to a spool, which must stay open as long as it is used.
func (s *InsightSum) Spool(to *output.Spool) {
	s.put(to)
	s.keep(0)
}

// AddTo adds it to a total, in which its sessions have other numbers. The total keeps no memory of it.
func (s InsightSum) AddTo(total *insights.Total, numbers []int32) { addTotal(total, s.all(), numbers) }

func encodeTotal(t *insights.Total) string {
	var r codec.Encoder
	r.Int(int64(t.Sessions))
	encodeDays(&r, t.Days)
	r.Int(int64(len(t.OnDay)))
	for _, date := range slices.Sorted(maps.Keys(t.OnDay)) {
		r.Text(date)
		r.Int(int64(len(t.OnDay[date])))
		for _, session := range t.OnDay[date] {
			r.Int(int64(session))
		}
	}
	all := t.All()
	r.Int(int64(len(all)))
	for _, s := range all {
		encodeCounts(&r, &s.Row)
		r.Int(int64(s.Sessions), int64(len(s.Places)))
		for _, p := range s.Places {
			r.Int(int64(p.Session))
			r.Bool(p.Failed)
			r.Text(p.At)
		}
	}
	return string(r)
}

func addTotal(to *insights.Total, encoded string, numbers []int32) {
	f := codec.Decoder{Rest: encoded}
	number := func() int {
		if n := f.Int(); n >= 0 && n < int64(len(numbers)) {
			return int(numbers[n])
		}
		f.Short, f.Rest = true, ""
		return 0
	}
	to.Sessions += int(f.Int())
	to.Days = stats.AddDays(to.Days, decodeDays(&f))
	for range f.Count() {
		date := f.Text()
		for range f.Count() {
			to.NoteDay(date, number())
		}
	}
	var s insights.Sum
	for range f.Count() {
		decodeCounts(&f, &s.Row)
		s.Sessions, s.Places = int(f.Int()), s.Places[:0]
		for range f.Count() {
			p := insights.Place{Session: number(), Failed: f.Bool(), At: f.Text()}
			s.Places = append(s.Places, p)
		}
		to.AddSum(&s)
	}
}
