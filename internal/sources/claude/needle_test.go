package claude

import (
	"bytes"
	"testing"

	"viewer/internal/testing/corpusgen"
)

// TestNeedle finds what bytes.Index finds.
func TestNeedle(t *testing.T) {
	texts := []string{`"cwd":"`, `"teamName":"`, `"type":"summary"`, `aab`, `U`, ``, `"a": "`, "ü"}
	heaps := []string{
		"", `"`, `aaaab`, `aabaab`, `{"cwd":"","teamName":"x","Uuid":"U"}`, `"cwd":`, `"type":"summar`,
		`"type":"summary`, `"type":"summary"`, `xx"a": "ü`,
	}
	for _, text := range texts {
		for _, heap := range heaps {
			if got, want := newNeedle(text).in([]byte(heap)), bytes.Index([]byte(heap), []byte(text)); got != want {
				t.Errorf("%q in %q: %d, want %d", text, heap, got, want)
			}
		}
	}
	log := corpusgen.Session(1, 300_000)
	for _, text := range texts {
		rest, n := log, newNeedle(text)
		for len(rest) > 0 {
			got, want := n.in(rest), bytes.Index(rest, []byte(text))
			if got != want {
				t.Fatalf("%q: %d, want %d", text, got, want)
			}
			if got < 0 {
				break
			}
			rest = rest[got+1:]
		}
	}
}

func BenchmarkScan(b *testing.B) {
	data := corpusgen.Session(1, 3_000_000)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		scanAll(data)
	}
}
