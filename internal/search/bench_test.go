package search

import (
	"testing"

	"viewer/internal/testing/corpusgen"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// BenchmarkIndex adds a session to the index: its units, their files, and a block.
func BenchmarkIndex(b *testing.B) {
	f := transcript.Read("s.jsonl", corpusgen.Session(1, 4_000_000))
	c := normalize.Build(normalize.Input{ID: "s", Main: &f})
	s := Session{Conversation: c, Page: func(string) string { return "index.html" }}
	size := 0
	var units []Unit
	for u := range Units(s) {
		size += len(u.Text)
		units = append(units, u)
	}
	b.Run("units", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(size))
		for b.Loop() {
			for range Units(s) {
			}
		}
	})
	b.Run("files", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(size))
		for b.Loop() {
			texts := s.Texts()
			for i := range texts.Len() {
				for range texts.Files(i, "s") {
				}
			}
		}
	})
	b.Run("block", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(size))
		for b.Loop() {
			w := newBlockWriter("b")
			for range 50 {
				w.add(Entry{Units: units})
			}
			w.files()
		}
	})
}
