package redact

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestOptions(t *testing.T) {
	s := newSession(t, Options{
		Patterns: []Pattern{{"ticket", regexp.MustCompile(`LAMP-\d+`)}},
		Literals: []string{"Projekt Laterne", "lampen.dev"},
		Allow:    []*regexp.Regexp{regexp.MustCompile(`^` + regexp.QuoteMeta(gh2) + `$`), regexp.MustCompile(`@rosen\.dev$`)},
		Names:    []string{"mara"},
	})
	for _, c := range []struct{ in, want string }{
		{"see LAMP-12, LAMP-7 and LAMP-12", "see [ticket 1], [ticket 2] and [ticket 1]"},
		{"PROJEKT LATERNE at Lampen.dev", "[redacted 1] at [redacted 2]"},
		{"projekt laterne", "[redacted 1]"},
		{gh + " " + gh2, "[github-token 1] " + gh2},
		{"a@rosen.dev b@laternen.dev", "a@rosen.dev [email 1]"},
		{"/tmp/mara/x", "/tmp/[user 1]/x"},
	} {
		if got := s.Text(c.in); got != c.want {
			t.Errorf("in   %q\ngot  %q\nwant %q", c.in, got, c.want)
		}
	}
	if got := string(s.JSON([]byte(`{"LAMP-9":"Projekt \u004caterne"}`))); got != `{"[ticket 3]":"[redacted 1]"}` {
		t.Errorf("got %s", got)
	}
}

// TestLiterals: a text that the user lists is found by its letters, whatever is between them.
func TestLiterals(t *testing.T) {
	s := newSession(t, Options{Literals: []string{"Mara Gr\u00f6\u00dfer", "Jo\u0308rg", "Projekt Laterne",
		"\u674e\u5c0f\u9f99 Ltd"}})
	for _, c := range []struct{ in, want string }{
		{"MARA GR\u00d6SSER, mara gr\u00f6\u00dfer", "[redacted 1], [redacted 1]"},
		{"Mara Gro\u0308\u00dfer!", "[redacted 1]!"},
		{"J\u00f6rgs J\u00d6RG jO\u0308rg", "[redacted 2]s [redacted 2] [redacted 2]"},
		{"Projekt\u00a0Laterne, Projekt   Laterne, ProjektLaterne", "[redacted 3], [redacted 3], [redacted 3]"},
		{"das Projekt\n\tLaterne und", "das [redacted 3]\n und"},
		{"das Projekt\r\nLaterne", "das [redacted 3]\r\n"},
		{"Pro\x1b[31mjekt\x1b[0m Laterne", "[redacted 3]"},
		{"Pro\u00adjekt\u2009Later\u200bne.", "[redacted 3]."},
		{"\u674e\u5c0f\u9f99\u3000LTD", "[redacted 4]"},
		{"Projekte Laternen, Lat erne", "Projekte Laternen, Lat erne"},
	} {
		if got := s.Text(c.in); got != c.want {
			t.Errorf("in   %q\ngot  %q\nwant %q", c.in, got, c.want)
		}
	}
	got := string(s.JSON([]byte(`{"a":"projekt\nlaterne J\u006f\u0308rg"}`)))
	if got != `{"a":"[redacted 3]\n [redacted 2]"}` {
		t.Errorf("got %s", got)
	}
}

func TestParsePattern(t *testing.T) {
	for _, c := range []struct{ in, name, expr, err string }{
		{"ticket=LAMP-\\d+", "ticket", "LAMP-\\d+", ""},
		{"LAMP-\\d+", "custom", "LAMP-\\d+", ""},
		{"A=b", "custom", "A=b", ""},
		{"a=b=c", "a", "b=c", ""},
		{"x=(", "", "", "missing closing"},
		{"x=a*", "", "", "matches the empty text"},
	} {
		p, err := ParsePattern(c.in)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: got %v, want an error with %q", c.in, err, c.err)
			}
		case err != nil:
			t.Errorf("%q: got error %v, want none", c.in, err)
		case p.Name != c.name || p.Expr.String() != c.expr:
			t.Errorf("%q: got name %s and expression %s", c.in, p.Name, p.Expr)
		}
	}
}

func TestParseLiterals(t *testing.T) {
	got, err := ParseLiterals([]byte("Projekt Laterne\r\n\n  lampen.dev \nMüller"))
	if want := []string{"Projekt Laterne", "lampen.dev", "Müller"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if _, err := ParseLiterals([]byte("good\nab\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v, want an error that names line 2", err)
	}
	for _, other := range []string{ // Latin-1, and UTF-16 with and without a mark
		"M\xfcller", "\xff\xfeL\x00a\x00m\x00p\x00", "L\x00a\x00m\x00p\x00",
	} {
		if got, err := ParseLiterals([]byte(other)); err == nil {
			t.Errorf("%q: got %q, want an error", other, got)
		}
	}
}

func TestParseAllow(t *testing.T) {
	for _, expr := range []string{"(", "", "x*"} { // the last two would allow every secret
		if _, err := ParseAllow(expr); err == nil {
			t.Errorf("no error for %q", expr)
		}
	}
	if re, err := ParseAllow("^x$"); err != nil || !re.MatchString("x") {
		t.Errorf("got %v, error %v", re, err)
	}
}

// TestLearn: the user name in the folder of a session may have spaces.
func TestLearn(t *testing.T) {
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{
		`C:\Users\Zeb Ferrand`, "C:/Users/Zeb Ferrand/lamp", "/c:/Users/Zeb Ferrand", "/home/zeb ferrand /x",
	} {
		s := r.Session()
		s.Learn(folder)
		const in, want = `in /c/Users/Zeb Ferrand/lamp and "C:/Users/Zeb Ferrand"`, `in ~/lamp and "~"`
		if got := s.Text(in); got != want {
			t.Errorf("in %s: got %s, want %s", folder, got, want)
		}
	}
}

// TestLearnAccount: a user name in the folder of a session is learned without its domain.
func TestLearnAccount(t *testing.T) {
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{`/home/CORP\marabel/x`, "/home/marabel@corp.local/x"} {
		s := r.Session()
		s.Learn(folder)
		const in, want = "in /var/mail/marabel and CORP/x", "in /var/mail/[user 1] and CORP/x"
		if got := s.Text(in); got != want {
			t.Errorf("in %s: got %s, want %s", folder, got, want)
		}
	}
}

// TestConcurrentSessions: a Redactor may be used by several goroutines at the same time. The race detector checks this
// test.
func TestConcurrentSessions(t *testing.T) {
	r, err := New(Options{Literals: []string{"Laterne"}})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan string)
	for range 8 {
		go func() {
			s := r.Session()
			s.Learn("/home/mara/src")
			var b strings.Builder
			for _, c := range texts {
				b.WriteString(s.Text(c.in))
			}
			done <- b.String()
		}()
	}
	first := <-done
	for range 7 {
		if got := <-done; got != first {
			t.Error("two sessions with the same texts give different results")
		}
	}
}
