package redact

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"viewer/internal/redact/match"
	"viewer/internal/redact/rules"
)

// TestShapes: a shape finds the same as its expression, also in texts that almost match.
func TestShapes(t *testing.T) {
	written := 0
	for _, d := range rules.All() {
		expr := loosened(d.Expr) + d.Value
		shapes := match.Shapes(expr)
		if shapes == nil {
			continue
		}
		written++
		re := regexp.MustCompile("^(?:" + expr + ")")
		rng := rand.New(rand.NewPCG(uint64(len(expr)), 5))
		for range 60 {
			text := matchOf(t, rng, expr) + []string{"", " ", "x", "=", "\"", "/", ".", "é"}[rng.IntN(8)]
			if rng.IntN(2) == 0 && len(text) > 1 { // change a random byte
				i := rng.IntN(len(text))
				text = text[:i] + string("aA0_-. \x7f"[rng.IntN(8)]) + text[i+1:]
			}
			m := re.FindStringSubmatchIndex(text)
			found := false
			for _, s := range shapes {
				if start, end, _, ok := s.Match([]byte(text), 0); ok {
					found = true
					if m != nil && (len(m) == 2 && (start != 0 || end > m[1]) ||
						len(m) > 2 && m[2] >= 0 && (start != m[2] || end != m[3]) && len(shapes) == 1) {
						t.Errorf("%s: in %q\ngot  %d to %d\nwant %v", d.ID, text, start, end, m)
					}
					break
				}
			}
			if found != (m != nil) {
				t.Errorf("%s: %s in %q\ngot  %v\nwant %v", d.ID, expr, text, found, m)
			}
		}
	}
	if written < 170 {
		t.Errorf("%d rules have a shape, want at least 170: the others need regexp", written)
	}
	t.Log(written, "rules have a shape")
}

func TestShapesOf(t *testing.T) {
	for _, expr := range []string{`a.*b`, `(?s:.){3}`, `^x`, `a\Bb`, `(ab){2}`, strings.Repeat(`(?:aa|bb)`, 8)} {
		if got := match.Shapes(expr); got != nil {
			t.Errorf("%s: got %d shapes, want none", expr, len(got))
		}
	}
}
