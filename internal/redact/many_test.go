package redact

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// TestManySecrets replaces what follows more secrets than any text has as a whole: nothing of them is left, and what
// stands before is replaced one by one, for the rules of users too.
func TestManySecrets(t *testing.T) {
	r, err := New(Options{Patterns: []Pattern{{Name: "mine", Expr: regexp.MustCompile("wor[d]s")}}})
	if err != nil {
		t.Fatal(err)
	}
	secret := "gh" + "p_" + "x7Rk2mQ9vLw4Tz8bNc5Yh1Jd6Fs3Gp0AeUiO"
	line := "words token " + secret + "\n"
	people := strings.Repeat("Mara Quist <mara.quist@tides.dev>\n", 2*maxSecrets)
	if got := r.Session().Text(people + "the end"); strings.Contains(got, "quist@") ||
		!strings.HasSuffix(got, "\nthe end") {
		t.Error("a long list of people is not replaced one by one")
	}
	for _, c := range []struct {
		n    int
		many bool
	}{{maxSecrets / 2, false}, {maxSecrets + 5, true}} {
		raw, err := json.Marshal(map[string]string{"content": strings.Repeat(line, c.n) + "the end"})
		if err != nil {
			t.Fatal(err)
		}
		got := string(r.Session().JSON(raw))
		if !json.Valid([]byte(got)) || strings.Contains(got, secret[6:]) || strings.Contains(got, "words") {
			t.Fatalf("%d secrets: something of them is left", c.n)
		}
		if many := strings.Contains(got, "[secrets 1]"); many != c.many || strings.Contains(got, "the end") == c.many {
			t.Errorf("%d secrets: the end is %.60q", c.n, got[len(got)-60:])
		}
		if n := strings.Count(got, "[github-"); n != min(c.n, maxSecrets) {
			t.Errorf("%d secrets: %d are replaced one by one, want %d", c.n, n, min(c.n, maxSecrets))
		}
	}
}
