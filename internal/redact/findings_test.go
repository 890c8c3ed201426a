package redact

import (
	"slices"
	"testing"
)

// TestConfirm: the next pass is needed exactly if it finds more than the first one.
func TestConfirm(t *testing.T) {
	const password = "Sommerregen42!"
	tells := `{"text":"password: ` + password + `"}`
	records := map[string]string{
		"tells":      tells,
		"has":        `{"text":"Try ` + password + ` now"}`,
		"has escape": `{"text":"Try \u0053ommerregen42! now"}`,
		"has base64": `{"text":"echo ` + "VHJ5IFNvbW1lcnJlZ2VuNDIhIG5vdyBhbmQgdGhlbiBhZ2Fpbg==" + ` | base64 -d"}`,
		"has both":   `{"a":"Try ` + password + `","b":"password: ` + password + `"}`,
		"other":      `{"text":"nothing"}`,
		"home":       `{"text":"in /home/ottilie/tides","cwd":"/home/ottilie/tides"}`,
		"token":      `{"text":"` + "gh" + "p_" + "x7Rk2mQ9vLw4Tz8bNc5Yh1Jd6Fs3Gp0AeUiO" + `"}`,
		"late":       `{"text":"DB_PASSWORD=Laternenpfahl77?"}`,
	}
	redactor, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	needed := 0
	names := []string{"tells", "has", "has escape", "has base64", "has both", "other", "home", "token", "late"}
	for i := range 9 * 9 * 9 * 9 {
		order := []string{names[i%9], names[i/9%9], names[i/81%9], names[i/729]}
		pass := func(s *Session) (out []string) {
			for _, name := range order {
				out = append(out, string(s.JSON([]byte(records[name]))))
			}
			return out
		}
		s := redactor.Session()
		first := pass(s)
		next, ok := s.NextPass()
		if !ok {
			continue
		}
		again := pass(next)
		part, _ := s.NextPass()
		for n := 0; part.Repeats(s); n++ {
			part.JSON([]byte(records[order[n]]))
		}
		if confirmed := s.Confirm(part); confirmed != slices.Equal(first, again) {
			t.Fatalf("%q confirmed: %v\nfirst %q\nagain %q", order, confirmed, first, again)
		} else if !confirmed {
			needed++
		} else if _, ok := s.NextPass(); ok {
			t.Fatalf("%q: another pass after it was confirmed", order)
		}
	}
	if needed < 100 {
		t.Errorf("only %d orders need another pass", needed)
	}
}
