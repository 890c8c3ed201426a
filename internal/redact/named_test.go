package redact

import (
	"strings"
	"testing"
)

// TestNamedApart: sessions of one user share known names, but what one session learns is not used in others.
func TestNamedApart(t *testing.T) {
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, second := r.Session(), r.Session()
	for _, s := range []*Session{first, second} {
		s.learnName("marabel")
		if got := s.Text("ls /home/marabel/x"); strings.Contains(got, "marabel") {
			t.Errorf("the name is left: %s", got)
		}
	}
	first.learnName("jonaswick")
	got := first.Text("by jonaswick@lamp and marabel@lamp")
	if strings.Contains(got, "jonaswick") || strings.Contains(got, "marabel") {
		t.Errorf("a name is left: %s", got)
	}
	const text = "cd /srv/jonaswick/x"
	if got := second.Text(text); got != text {
		t.Errorf("a name of another session is redacted: %s", got)
	}
	if got := r.Session().Text("cd /srv/marabel/x"); got != "cd /srv/marabel/x" {
		t.Errorf("a session that knows no names redacts one: %s", got)
	}
}
