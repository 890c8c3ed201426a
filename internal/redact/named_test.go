package redact

import (
	"strings"
	"testing"
)

// TestNamedApart: sessions of one user share words, and what one of them learns besides stays with it.
func TestNamedApart(t *testing.T) {
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, second := r.Session(), r.Session()
	for _, s := range []*Session{first, second} {
		s.learnName("marabel")
		if got := s.Text("ls /home/marabel/x"); strings.Contains(got, "marabel") {
			t.Errorf("the name stays: %s", got)
		}
	}
	first.learnName("jonaswick")
	got := first.Text("by jonaswick@lamp and marabel@lamp")
	if strings.Contains(got, "jonaswick") || strings.Contains(got, "marabel") {
		t.Errorf("a name stays: %s", got)
	}
	const text = "cd /srv/jonaswick/x"
	if got := second.Text(text); got != text {
		t.Errorf("a name of another session is found: %s", got)
	}
	if got := r.Session().Text("cd /srv/marabel/x"); got != "cd /srv/marabel/x" {
		t.Errorf("a session that learned no name finds one: %s", got)
	}
}
