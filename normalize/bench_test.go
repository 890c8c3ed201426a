package normalize

import (
	"fmt"
	"testing"

	"viewer/internal/testing/corpusgen"
	"viewer/internal/transcript"
)

// BenchmarkNormalize builds conversations of whole sessions.
func BenchmarkNormalize(b *testing.B) {
	for _, megabytes := range []int{1, 20} {
		b.Run(fmt.Sprintf("%dMB", megabytes), func(b *testing.B) {
			data := corpusgen.Session(1, megabytes*1_000_000)
			f := transcript.Read("s.jsonl", data)
			if len(f.Problems) > 0 {
				b.Fatal(f.Problems[0])
			}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				Build(Input{ID: "s", Main: &f})
			}
		})
	}
}
