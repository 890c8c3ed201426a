package redact

import (
	"bytes"
	"os"
	"testing"

	"viewer/internal/testing/corpusgen"
)

func BenchmarkJSON(b *testing.B) {
	run := func(name string, data []byte) {
		b.Run(name, func(b *testing.B) {
			r, err := New(Options{})
			if err != nil {
				b.Fatal(err)
			}
			lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				s := r.Session()
				for _, line := range lines {
					s.JSON(line)
				}
			}
		})
	}
	data := corpusgen.Session(1, 20_000_000)
	run("generated", data)
	if data, err := os.ReadFile(os.Getenv("REDACT_BENCH")); err == nil {
		run("file", data)
	}
}
