package corpusgen

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestDistribution(t *testing.T) {
	s := distribution{10, 20, 40, 80, 160, 320, 640}
	for i, want := range s {
		if got := s.at(min(quantiles[i], 999_999)); got < want*98/100 || got > want {
			t.Errorf("at %d: got %d, want %d", quantiles[i], got, want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	picked := make([]int, 20_000)
	for i := range picked {
		picked[i] = s.pick(rng)
	}
	slices.Sort(picked)
	if m := picked[len(picked)/2]; m < 38 || m > 42 {
		t.Errorf("median %d, want 38 to 42", m)
	}
}

// TestLargeValues: large values are the same where an int has 32 bits.
func TestLargeValues(t *testing.T) {
	s := distribution{0, 1_000, 900_000, 1_000_000, 1_500_000, 1_800_000, 2_000_000}
	for millionth, want := range map[int]int{
		300_000: 225_750, 499_900: 899_550, 899_900: 1_499_333, 950_000: 1_592_592,
	} {
		if got := s.at(millionth); got != want {
			t.Errorf("at %d: got %d, want %d", millionth, got, want)
		}
	}
}

func TestAppendf(t *testing.T) {
	got := string(appendf(nil, `{"a":%q,"b":%s,"c":%d,"d":%t,"e":%q}`, "q\"\\\n\t\x1b<é>", []byte("[1]"), -5,
		true, []byte("x")))
	if want := `{"a":"q\"\\\n\t\u001b<é>","b":[1],"c":-5,"d":true,"e":"x"}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCut(t *testing.T) {
	from := []byte("one\ntwo\nthree\nfour\nfive\nsix\n")
	rng := rand.New(rand.NewPCG(1, 2))
	for size := range 60 {
		for range 50 {
			for _, line := range cutLines(cut(rng, from, size)) {
				if !slices.Contains([]string{"", "one", "two", "three", "four", "five", "six"}, line) {
					t.Fatalf("cut(%d) has an incomplete line: %q", size, line)
				}
			}
		}
	}
}

func cutLines(b []byte) []string { return strings.Split(string(b), "\n") }
