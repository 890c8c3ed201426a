package redact

import (
	"bytes"
	"math"
	"testing"
)

// TestEntropy compares the result with the definition.
func TestEntropy(t *testing.T) {
	for _, s := range [][]byte{nil, []byte("a"), []byte("aaaa"), []byte("abab"), []byte("correct horse battery staple"),
		bytes.Repeat([]byte("ab1"), 500), bytes.Repeat([]byte{0, 255, 7, 7}, 3)} {
		want := 0.0
		for c := range 256 {
			if p := float64(bytes.Count(s, []byte{byte(c)})) / float64(len(s)); p > 0 {
				want -= p * math.Log2(p)
			}
		}
		if got := entropy(s); math.Abs(got-want) > 1e-9 {
			t.Errorf("%.20q: got %v, want %v", s, got, want)
		}
	}
}

// TestEntropyAtLimits: an entropy that is a whole number is that number, whatever a processor makes of logarithms.
// Limits of rules are whole numbers, so a difference in the last bit would decide what is redacted.
func TestEntropyAtLimits(t *testing.T) {
	for bits := range 7 {
		for each := 1; each < 50; each++ {
			var s []byte
			for c := range 1 << bits {
				s = append(s, bytes.Repeat([]byte{byte(c)}, each)...)
			}
			if got := entropy(s); got != float64(bits) {
				t.Errorf("%d bytes, each %d times: got %v, want %d", 1<<bits, each, got, bits)
			}
		}
	}
}
