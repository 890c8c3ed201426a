package search

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestQueries checks the table that also assets/js/search.js is checked with (e2e/search_answers_test.go).
func TestQueries(t *testing.T) {
	table, err := os.ReadFile("testdata/queries.txt")
	if err != nil {
		t.Fatal(err)
	}
	for block := range strings.SplitSeq(string(table), "\n> ") {
		query, want, ok := strings.Cut(strings.TrimSpace(block), "\n")
		if !ok || strings.HasPrefix(query, "#") {
			continue
		}
		q := ParseQuery(query, Options{})
		if got := inQueryTable(q); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", query, got, want)
		}
	}
}

// inQueryTable returns a query in the notation of the table.
func inQueryTable(q Query) string {
	if err := q.Check(); err != nil {
		return "! " + err.Error()
	}
	var phrases []string
	for _, p := range q.wanted {
		words := strings.Join(p.terms, " ")
		if p.exact {
			words = `"` + words + `"`
		}
		phrases = append(phrases, words)
	}
	lines := strings.Join(phrases, " + ")
	if keys := q.Unknown(); len(keys) > 0 {
		lines += "\n? " + strings.Join(keys, " ")
	}
	return lines
}

// TestStopWords checks that assets/js/search.js has the same stop words.
func TestStopWords(t *testing.T) {
	script, err := os.ReadFile("../../assets/js/search.js")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(script), "STOP_WORDS = new Set((")
	list, _, ok := strings.Cut(list, ").split")
	if !ok {
		t.Fatal("assets/js/search.js does not define STOP_WORDS")
	}
	got := strings.Fields(strings.NewReplacer(`"`, "", "+", "").Replace(list))
	if want := strings.Fields(stopWords); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("assets/js/search.js has the stop words\n%s\nwant\n%s", got, want)
	}
}

// TestNear searches for misspelled words.
func TestNear(t *testing.T) {
	s := indexOf(t, "Deploy the pump", "Deploy it again and deployed address receive valve",
		"Valves and pumps were released")
	for _, c := range []struct{ word, want string }{
		{"dpeloy", "deploy"}, {"deplyo", "deploy"}, {"diploy", "deploy"}, {"dploy", "deploy"}, {"edploy", "deploy"},
		{"pmup", "pump"}, {"recieve", "receive"}, {"adress", "address"}, {"valvess", "valves"}, {"pmu", ""},
		{"zebra", ""}, {"deploy7", ""}, {"deployy", "deploy"},
	} {
		found, err := s.Find(ParseQuery(c.word, Options{}), 10)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(found.Near) > 0 {
			got = strings.Join(found.Near[0].Terms, " ")
		}
		if got != c.want || len(found.Groups) > 0 {
			t.Errorf("%s: got the suggestions %q, want %q; %d groups", c.word, got, c.want, len(found.Groups))
		}
	}
}

// TestPartial searches for words that no message has together. The message with the most words and the rarest ones
// comes first, and events come last. A title and the prompt that contains it are one hit.
func TestPartial(t *testing.T) {
	s := indexOf(t, "Release the program", "How to publish with goreleaser", "A release today", "Release notes",
		"Event: release goreleaser program")
	for _, c := range []struct{ query, want string }{
		{"how did we release with goreleaser", "4 event: Event: release goreleaser program"},
		{"release goreleaser now", "1 prompt: How to publish with goreleaser"},
		{"release program", "0 prompt: Release the program, 4 event: Event: release goreleaser program"},
		{"zebra notes", "3 prompt: Release notes"},
		{`"program release"`, ""},
		{"release kind:event notes", "4 event: Event: release goreleaser program"},
	} {
		found, err := s.Find(ParseQuery(c.query, Options{}), 10)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range found.Groups {
			for _, h := range g.Hits {
				got = append(got, g.Session.Folder+" "+h.Kind.String()+": "+h.Text)
			}
		}
		if all := strings.Join(got, ", "); all != c.want && !(found.Partial && strings.HasPrefix(all, c.want)) {
			t.Errorf("%s: got %s, want %s", c.query, all, c.want)
		}
	}
}

// TestLongQuery searches for a whole message of more words than numbers have bits.
func TestLongQuery(t *testing.T) {
	var words []string
	for n := range 100 {
		words = append(words, fmt.Sprintf("w%d", n))
	}
	message := strings.Join(words, " ")
	s := indexOf(t, message, "another")
	for _, query := range []string{message, `"` + message + `"`, "another -" + strings.Join(words, " -")} {
		found, err := s.Find(ParseQuery(query, Options{}), 10)
		if err != nil || len(found.Groups) != 1 || found.Partial {
			t.Errorf("%.20s: got %d groups, partial %t, error %v", query, len(found.Groups), found.Partial, err)
		}
	}
}

// indexOf returns an index of sessions with one prompt each, which is also the title, or with one event.
func indexOf(t *testing.T, prompts ...string) *Index {
	t.Helper()
	var sessions []Entry
	for i, text := range prompts {
		b := unitBuilders.Get().(*unitBuilder)
		b.begin()
		if strings.HasPrefix(text, "Event") {
			b.add(Document{Page: firstPage, Kind: Event, Anchor: "e", Text: text})
		} else {
			b.add(Document{Page: firstPage, Kind: Title, Text: text})
			b.add(Document{Page: firstPage, Kind: Prompt, Anchor: "p", Text: text})
		}
		u := b.end(Unit{Page: firstPage})
		u.Text = string(b.text)
		b.release()
		sessions = append(sessions, Entry{Folder: string(rune('0' + i)), Title: text, Units: []Unit{u}})
	}
	return NewIndex(sessions)
}
