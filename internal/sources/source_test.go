package sources_test

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/sources/claude"
	"viewer/internal/testing/tern"
	"viewer/internal/transcript"
)

// cards is an invented database of sessions of Tern: each value follows "card" and its length.
type cards struct{ tern.Source }

func (cards) Match(head sources.Head) bool { return bytes.HasPrefix(head.Data, []byte("card ")) }

func (cards) Values(data []byte) iter.Seq2[transcript.Pos, jsontext.Value] {
	return func(yield func(transcript.Pos, jsontext.Value) bool) {
		for row := 1; len(data) > 0; row++ {
			n := 0
			fmt.Sscanf(string(data), "card %d", &n)
			_, rest, _ := bytes.Cut(data, []byte(":"))
			n = min(n, len(rest))
			if !yield(transcript.Pos{Line: row}, rest[:n]) {
				return
			}
			data = rest[n:]
		}
	}
}

func (cards) Arrange(t *sources.Tree) []sources.Folder { return nil }

// TestList: the contents of a file decide its source, which says how to read, redact and scan it: as lines, as one
// document, or as a database.
func TestList(t *testing.T) {
	list := sources.List{cards{}, tern.Source{}, claude.Source{}}
	head, said := `{"tern":1,"id":"t1","dir":"/w","at":"2026-01-01T00:00:00Z"}`, `{"sec":2,"user":"say HARBOUR"}`
	for _, c := range []struct{ name, data, writer, place string }{
		{"lines", head + "\n" + said, "Tern", "a:2"},
		{"a document", "[\n" + head + ",\n\n" + said + "\n]", "Tern", "a:4"},
		{"a database", fmt.Sprintf("card %d:%scard %d:%scard 1:1", len(head), head, len(said), said), "Tern", "a:2"},
		{"records", `{"type":"user","sessionId":"t1","cwd":"/w","timestamp":"2026-01-01T00:00:02Z"}`, "", "a:1"},
	} {
		data := []byte(c.data)
		redact := func(v, _ []byte) []byte { return bytes.ReplaceAll(v, []byte("HARBOUR"), []byte("*****")) }
		f := list.Read("a", data, transcript.Options{Rewrite: redact})
		last := f.Records[len(f.Records)-1]
		if f.Writer.Name != c.writer || last.Pos.String() != c.place || strings.Contains(string(last.Raw), "HARBOUR") {
			t.Errorf("%s: got writer %q, the last record at %s: %s", c.name, f.Writer.Name, last.Pos, last.Raw)
		}
		if lost := strings.HasPrefix(c.data, "card"); lost != (len(f.Problems) == 1) {
			t.Errorf("%s: got problems %v", c.name, f.Problems)
		}
		scan := sources.ScanRecords(list.Of(data))
		for _, line := range strings.SplitAfter(c.data, "\n") {
			scan.Lines([]byte(line))
		}
		facts := sources.FactsOf(scan.Clone())
		if facts.CWD != "/w" || facts.SessionID != "t1" || facts.End.Second() != 2 {
			t.Errorf("%s: got facts %+v", c.name, facts)
		}
		if got := list.Of(data).FolderOf(data); got != "/w" {
			t.Errorf("%s: got folder %q, want /w", c.name, got)
		}
	}
	if list.Named("Tern").Writer().Name != "Tern" || list.Named("nobody").Writer().Name != "" {
		t.Error("Named does not find a source by its name, or finds an unknown one")
	}
}

// TestReadHead: a file is read as far as its writer is looked for: 4 KB, or its first line if that is longer.
func TestReadHead(t *testing.T) {
	line := func(n int) string { return `{"text":"` + strings.Repeat("a", n) + `","id":1}` }
	for _, c := range []struct {
		name, data string
		has        bool // the member after the text
	}{
		{"empty", "", false},
		{"short", line(10), true},
		{"a short line before others", line(10) + "\n" + line(10_000), true},
		{"long", line(10_000), true},
		{"a long line before others", line(10_000) + "\n" + line(10), true},
		{"too long", line(1 << 20), false},
		{"a long line within a document", "{\n" + line(10_000)[1:], false},
	} {
		head := sources.NewHead([]byte(c.data))
		if head.Has("id") != c.has {
			t.Errorf("%s: got id %v, want %v", c.name, head.Has("id"), c.has)
		}
		read := sources.ReadHead(strings.NewReader(c.data))
		if got := sources.NewHead(read); !bytes.Equal(got.Data, head.Data) {
			t.Errorf("%s: got %d bytes of the file, want %d", c.name, len(got.Data), len(head.Data))
		}
	}
}

// TestArrangeList: files belong to the source of their place or contents. Outputs of tools may contain anything.
func TestArrangeList(t *testing.T) {
	files := map[string]string{
		"-w/s1.jsonl": `{"tern":1}`, "-w/s1/tool-results/log.json": `{"tern":1}`, "other/log.json": `{"tern":1}`,
		"other/card.db":       "card 1:1",
		"other/settings.json": `{"a":1}`,
	}
	tree := sources.Tree{Base: "top", Head: func(p string) []byte { return []byte(files[p]) }}
	tree.Paths = []string{
		"-w/s1.jsonl", "-w/s1/tool-results/log.json", "other/card.db", "other/log.json", "other/settings.json",
	}
	var got []string
	for _, fo := range (sources.List{cards{}, tern.Source{}, claude.Source{}}).Arrange(&tree) {
		for _, s := range fo.Sessions {
			got = append(got, fmt.Sprintf("%s/%s by %q", fo.Name, s.ID, fo.By.Writer().Name))
		}
	}
	if want := `-w/s1 by "", other/log by "Tern"`; strings.Join(got, ", ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestPlaceIn: a record has its position in the document.
func TestPlaceIn(t *testing.T) {
	doc := jsontext.Value("{\n\"messages\": [\n{\"a\": 1},\n{\"a\": 1}]}")
	var got []string
	for part := range transcript.Elements(transcript.Field(doc, "messages")) {
		got = append(got, sources.PlaceIn(transcript.Pos{File: "a", Line: 7}, doc, part).String())
	}
	if strings.Join(got, " ") != "a:9 a:10" {
		t.Errorf("got positions %v", got)
	}
	if pos := (transcript.Pos{File: "a", Line: 7}); sources.PlaceIn(pos, doc, jsontext.Value(`{"a": 1}`)) != pos {
		t.Error("a value of another document has another position")
	}
}

// TestPlaces asks for the positions of parts in any order, and for parts of parts.
func TestPlaces(t *testing.T) {
	data := jsontext.Value("{\n\"a\": [\n {\"b\": [1,\n 2]},\n\n {\"b\": [3]}\n],\n\"c\": 4}")
	places := sources.Places{Pos: transcript.Pos{File: "f", Line: 10, Offset: 100}, Value: data}
	a, c := transcript.Field(data, "a"), transcript.Field(data, "c")
	for range 2 {
		if got := places.Of(c).Line; got != 17 {
			t.Errorf("c: got line %d, want 17", got)
		}
		if got := places.Of(a).Line; got != 11 {
			t.Errorf("a: got line %d, want 11", got)
		}
	}
	if got := places.Of(jsontext.Value("4")); got != places.Pos {
		t.Errorf("a value of another document: got %v", got)
	}
	var b sources.Builder
	b.Begin(places.Pos, data)
	var got []int
	for e := range b.Parts(a) {
		got = append(got, b.Pos.Line)
		for range b.Parts(transcript.Field(e, "b")) {
			got = append(got, b.Pos.Line)
		}
	}
	if want := []int{12, 12, 13, 15, 15}; !slices.Equal(got, want) {
		t.Errorf("got lines %v, want %v", got, want)
	}
}

// TestHashCWD: folders on Windows are the same in any case.
func TestHashCWD(t *testing.T) {
	same := func(a, b string) bool { return sources.HashCWD(a) == sources.HashCWD(b) }
	if !same(`D:\Kiln`, `d:\kiln`) || same("/w/Kiln", "/w/kiln") || sources.HashCWD("") != "" {
		t.Error("case matters on Windows, or does not elsewhere")
	}
}
