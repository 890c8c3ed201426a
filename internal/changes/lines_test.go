package changes

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestCompare compares the result with that of the textbook algorithm, which is slow and simple.
func TestCompare(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		letters := 1 + random.IntN(6)
		text := func() []string {
			lines := make([]string, random.IntN(14))
			for i := range lines {
				lines[i] = strconv.Itoa(random.IntN(letters))
			}
			return lines
		}
		a, b := text(), text()
		var got []string
		changed, at := 0, 0
		for _, s := range compare(a, b) {
			got = append(append(got, a[at:s.from0]...), b[s.from1:s.to1]...)
			at = s.to0
			changed += s.to0 - s.from0 + s.to1 - s.from1
		}
		got = append(got, a[at:]...)
		if !slices.Equal(got, b) {
			t.Fatalf("%q to %q gives %q", a, b, got)
		}
		if want := len(a) + len(b) - 2*longest(a, b); changed != want {
			t.Fatalf("%q to %q: %d lines changed, want %d", a, b, changed, want)
		}
	}
}

// longest returns the length of the longest common subsequence.
func longest(a, b []string) int {
	row := make([]int, len(b)+1)
	for i := range a {
		corner := 0
		for j := range b {
			old := row[j+1]
			if a[i] == b[j] {
				row[j+1] = corner + 1
			} else {
				row[j+1] = max(old, row[j])
			}
			corner = old
		}
	}
	return row[len(b)]
}

// TestCompareBounded: a search that stops early finds more changed lines than necessary, but a correct diff.
func TestCompareBounded(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	text := func() []string {
		lines := make([]string, 400)
		for i := range lines {
			lines[i] = strconv.Itoa(random.IntN(20))
		}
		return lines
	}
	for range 20 {
		a, b := text(), text()
		var got []string
		at := 0
		for _, s := range compareWithin(a, b, 5) {
			got = append(append(got, a[at:s.from0]...), b[s.from1:s.to1]...)
			at = s.to0
		}
		if got = append(got, a[at:]...); !slices.Equal(got, b) {
			t.Fatalf("%q to %q gives %q", a, b, got)
		}
	}
}

// TestIndexOf finds what package strings finds, also if many places have a common prefix.
func TestIndexOf(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 3000 {
		part := strings.Repeat("ab", random.IntN(60)) + strings.Repeat("c", 1+random.IntN(60))
		var text strings.Builder
		for range random.IntN(200) {
			switch random.IntN(20) {
			case 0:
				text.WriteString(part)
			case 1:
				text.WriteString(part[:random.IntN(len(part))])
			default:
				text.WriteString("ab")
			}
		}
		s := text.String()
		if at := strings.Index(s, part); indexOf(s, part) != at {
			t.Fatalf("%q in %q: got %d, want %d", part, s, indexOf(s, part), at)
		} else if at >= 0 {
			found++
		}
		if n := strings.Count(s, part); countOf(s, part) != n {
			t.Fatalf("%q in %q: got %d times, want %d", part, s, countOf(s, part), n)
		}
	}
	if found < 100 {
		t.Errorf("%d parts were found, want at least 100", found)
	}
}
