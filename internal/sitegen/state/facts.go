package state

import (
	"maps"
	"slices"

	"viewer/internal/codec"
	"viewer/internal/sources"
)

// EncodeFacts encodes the facts of a session file. Builds keep facts encoded, in memory and in the state.
func EncodeFacts(s sources.Facts) string {
	var r codec.Encoder
	r.Text(s.Writer, s.CWD, s.CWDHash, s.MainHash, s.Repository)
	r.Text(s.SessionID, s.Parent, s.Lineage, s.Plan, s.FirstUUID, s.Team, s.Member)
	r.Texts(s.Elsewhere)
	r.Int(int64(len(s.Summaries)))
	for _, leaf := range slices.Sorted(maps.Keys(s.Summaries)) {
		r.Text(leaf, s.Summaries[leaf])
	}
	r.Time(s.Start)
	r.Time(s.End)
	return string(r)
}

// DecodeFacts decodes the result of EncodeFacts.
func DecodeFacts(encoded string) sources.Facts {
	f := codec.Decoder{Rest: encoded}
	s := sources.Facts{
		Writer: f.Text(), CWD: f.Text(), CWDHash: f.Text(), MainHash: f.Text(), Repository: f.Text(),
		SessionID: f.Text(), Parent: f.Text(), Lineage: f.Text(), Plan: f.Text(),
		FirstUUID: f.Text(), Team: f.Text(), Member: f.Text(), Elsewhere: f.Texts(),
	}
	for range f.Count() {
		if s.Summaries == nil {
			s.Summaries = make(map[string]string)
		}
		leaf := f.Text()
		s.Summaries[leaf] = f.Text()
	}
	s.Start, s.End = f.Time(), f.Time()
	return s
}

// decodeCWD reads the CWD of facts alone.
func decodeCWD(encoded string) string {
	f := codec.Decoder{Rest: encoded}
	_ = f.Text() // the writer
	return f.Text()
}
