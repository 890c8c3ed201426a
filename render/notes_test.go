package render

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"viewer/internal/notes"
	"viewer/internal/testing/corpus"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// notedSession returns a session of some pages with notes.
func notedSession(lines []string, all ...notes.Note) Session {
	f := transcript.Read("s.jsonl", []byte(strings.Join(lines, "\n")+"\n"))
	return Session{
		Conversation: normalize.Build(normalize.Input{ID: "s", Main: &f}), Main: &f, Folder: "s", Notes: all,
	}
}

func longScript() *sessionWriter {
	s := new(sessionWriter)
	for i := range 12 {
		s.prompt(100)
		s.text(50_000)
		s.call(fmt.Sprint("toolu_", i), 100)
		s.result(fmt.Sprint("toolu_", i), 40_000)
	}
	return s
}

// TestNotesOnPages: each note is drawn once, on the page of what it is about, and the first page links to it.
func TestNotesOnPages(t *testing.T) {
	s := longScript()
	all := []notes.Note{{Text: "of all"}, {Anchor: "gone", Text: "of nothing"}}
	for n := range s.lines {
		all = append(all, notes.Note{Anchor: id(n + 1), Label: "n", Text: fmt.Sprint("of record ", n+1, ".")})
	}
	for i := range 12 {
		all = append(all, notes.Note{Anchor: fmt.Sprint("toolu_", i), Text: fmt.Sprint("of call ", i, ".")})
	}
	d := DrawSession(notedSession(s.lines, all...))
	if len(d.Pages) < 3 {
		t.Fatalf("got %d pages, want several", len(d.Pages))
	}
	var html strings.Builder
	for _, p := range d.Pages {
		html.Write(p.HTML)
		for _, m := range regexp.MustCompile(`role="note" id="([^"]*)"><p class="who">.*?(?:href="([^"]*)">)?`).
			FindAllSubmatch(p.HTML, -1) {
			if n := bytes.Count(p.HTML, []byte(`id="`+string(m[1])+`"`)); n != 1 {
				t.Errorf("%s: %d elements have the id %s", p.Name, n, m[1])
			}
		}
		if n := bytes.Count(p.HTML, []byte(`role="note"`)); n > 0 && p.Name != "index.html" &&
			!bytes.Contains(p.HTML, []byte(`class="noted"`)) {
			t.Errorf("%s: %d notes are not beside an element", p.Name, n)
		}
	}
	for _, n := range all {
		if got := strings.Count(html.String(), "<p>"+n.Text+"</p>"); got != 1 {
			t.Errorf("the note %q is drawn %d times, want once", n.Text, got)
		}
	}
	if !strings.Contains(html.String(), `href="2.html#note-`) {
		t.Error("the first page links to no note on the second")
	}
	if d.Summary.Notes != len(all) {
		t.Errorf("the summary has %d notes, want %d", d.Summary.Notes, len(all))
	}
}

// TestNotesOnOverflow draws the notes about items that have no space on their page.
func TestNotesOnOverflow(t *testing.T) {
	s := new(sessionWriter)
	s.prompt(10)
	s.record("user", `"message":{"role":"user","content":"`+
		strings.Repeat(`<ide_selection>x</ide_selection>`, 6000)+`"}`)
	last := id(s.n)
	d := DrawSession(notedSession(s.lines, notes.Note{Anchor: last, Text: "On a large one."}))
	if n := bytes.Count(d.Pages[0].HTML, []byte("<p>On a large one.</p>")); n != 1 {
		t.Errorf("the note is drawn %d times, want once", n)
	}
}

// TestManyNotes: a page has a limited size, however many and long the notes are, and no note is lost.
func TestManyNotes(t *testing.T) {
	s := longScript()
	var all []notes.Note
	many := 1000
	if corpus.Full() {
		many = 3000
	}
	for i := range many {
		all = append(all, notes.Note{Anchor: id(1 + i%3), Label: "n", Text: fmt.Sprint("Note ", i, ": ",
			strings.Repeat("[a](https://example.com) ", 200))})
	}
	d := DrawSession(notedSession(s.lines, all...))
	var texts bytes.Buffer
	for _, p := range d.Pages {
		if len(p.HTML) > 700<<10 {
			t.Errorf("%s has %d bytes, want less", p.Name, len(p.HTML))
		}
		texts.Write(p.HTML)
	}
	for _, m := range d.Media {
		texts.Write(m.Data)
	}
	for i := range all {
		if !bytes.Contains(texts.Bytes(), fmt.Appendf(nil, "Note %d:", i)) {
			t.Fatalf("note %d is lost", i)
		}
	}
}

// TestNotesSign changes notes: only the signatures of pages that show them may change, and a session without notes must
// have the same bytes as before.
func TestNotesSign(t *testing.T) {
	s := longScript()
	signed := func(all ...notes.Note) (signatures []signature, pages []Page) {
		b := Open(notedSession(s.lines, all...))
		for i := range b.b.jobs {
			now, _ := b.b.sign(&b.b.jobs[i])
			signatures = append(signatures, now)
		}
		return signatures, DrawSession(notedSession(s.lines, all...)).Pages
	}
	without, bare := signed()
	for _, p := range bare {
		if bytes.Contains(p.HTML, []byte("note")) {
			t.Errorf("%s has markup of notes, but no notes", p.Name)
		}
	}
	last := id(s.n)
	one, _ := signed(notes.Note{Anchor: last, Text: "a"})
	other, _ := signed(notes.Note{Anchor: last, Text: "b"})
	n := len(without) - 1
	if one[n] == without[n] || other[n] == one[n] {
		t.Error("the page of a new note has the same signature")
	}
	for i := 1; i < n; i++ {
		if one[i] != without[i] {
			t.Errorf("page %d has another signature, but no note", i+1)
		}
	}
}
