package transcript

import (
	"strings"
	"testing"

	"viewer/internal/testing/corpusgen"
)

func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		name string
		size int
	}{{"1MB", 1_000_000}, {"20MB", 20_000_000}} {
		b.Run(c.name, func(b *testing.B) {
			data := corpusgen.Session(1, c.size)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				Read("a.jsonl", data)
			}
		})
	}
	b.Run("2MB lines", func(b *testing.B) {
		image := strings.Repeat("iVBORw0KGgo", 2<<20/11)
		line := `{"type":"user","message":{"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` +
			image + `"}}]}}` + "\n"
		data := []byte(strings.Repeat(line, 5))
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			Read("a.jsonl", data)
		}
	})
}
