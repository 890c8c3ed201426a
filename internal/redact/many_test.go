package redact

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// TestManySecrets: text after more secrets than any real text has is replaced as a whole, so none is left. Secrets
// before it are replaced one by one, also by rules of users.
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
		t.Error("a long list of people is not replaced one by one, or text after it is lost")
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
			t.Fatalf("%d secrets: part of a secret is left, or the result is not JSON", c.n)
		}
		if many := strings.Contains(got, "[secrets 1]"); many != c.many || strings.Contains(got, "the end") == c.many {
			t.Errorf("%d secrets: got the end %.60q", c.n, got[len(got)-60:])
		}
		if n := strings.Count(got, "[github-"); n != min(c.n, maxSecrets) {
			t.Errorf("%d secrets: got %d replaced one by one, want %d", c.n, n, min(c.n, maxSecrets))
		}
	}
}
