package render

import (
	"fmt"
	"testing"

	"viewer/internal/testing/corpusgen"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// BenchmarkPage draws all pages of whole sessions. MB/s refers to the bytes read.
func BenchmarkPage(b *testing.B) {
	for _, megabytes := range []int{1, 20} {
		b.Run(fmt.Sprintf("%dMB", megabytes), func(b *testing.B) {
			data := corpusgen.Session(1, megabytes*1_000_000)
			f := transcript.Read("s.jsonl", data)
			if len(f.Problems) > 0 {
				b.Fatal(f.Problems[0])
			}
			s := Session{Conversation: normalize.Build(normalize.Input{ID: "s", Main: &f}), Main: &f, Folder: "s"}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				DrawSession(s)
			}
		})
	}
}
