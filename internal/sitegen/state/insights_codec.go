package state

import (
	"slices"
	"time"

	"viewer/internal/codec"
	"viewer/internal/insights"
	"viewer/internal/stats"
)

func encodeInsights(r *codec.Encoder, s *insights.Session) {
	r.Int(int64(len(s.Days)))
	for _, day := range s.Days {
		r.Text(day.Date)
		encodeModels(r, day.Models)
	}
	r.Int(int64(len(s.Rows)))
	for i := range s.Rows {
		row := &s.Rows[i]
		r.Int(int64(row.Kind), int64(row.Count), int64(row.Failed), row.Tokens, int64(row.Time))
		r.Text(row.Name, row.Detail, row.Place)
	}
}

// decodeInsights appends the rows to those given.
func decodeInsights(f *codec.Decoder, rows []insights.Row) insights.Session {
	s := insights.Session{Rows: rows}
	if n := f.Count(); n > 0 {
		s.Days = make([]stats.Day, n)
		for i := range s.Days {
			s.Days[i] = stats.Day{Date: f.Text(), Models: decodeModels(f)}
		}
	}
	if n := f.Count(); n > 0 {
		from := len(s.Rows)
		s.Rows = slices.Grow(s.Rows, n)[:from+n]
		for i := from; i < len(s.Rows); i++ {
			row := &s.Rows[i]
			row.Kind, row.Count, row.Failed = insights.Kind(f.Int()), int(f.Int()), int(f.Int())
			row.Tokens, row.Time = f.Int(), time.Duration(f.Int())
			row.Name, row.Detail, row.Place = f.Text(), f.Text(), f.Text()
		}
	}
	return s
}
