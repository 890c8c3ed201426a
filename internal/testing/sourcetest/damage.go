package sourcetest

import (
	"bytes"
	"os"
	"testing"

	"viewer/internal/sources"
)

// Damage overwrites 60 bytes of a file with many sessions, at one place after the other, and also truncates the file
// there. The sessions that are still found are drawn, and nothing may panic.
func Damage(t *testing.T, s sources.Splitter, name string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for at := 100; at < len(data); at += 67 {
		damaged := bytes.Clone(data)
		for i := at; i < min(at+60, len(damaged)); i++ {
			damaged[i] ^= 0x5a
		}
		for _, size := range []int{len(damaged), at} {
			parts, _ := s.Split(bytes.NewReader(damaged[:size]), int64(size))
			for _, p := range parts {
				if read, err := p.Read(); err == nil {
					Draw(t, s, p.Name, read)
					drawn++
				}
			}
		}
	}
	if drawn == 0 {
		t.Errorf("no session of %s was drawn, want some despite the damage", name)
	}
}
