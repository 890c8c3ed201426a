package export

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"viewer/internal/stats"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/schemacheck"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// eachSession calls f for every session file of testdata, and for real ones if they exist.
func eachSession(t *testing.T, f func(name string, s Session)) {
	t.Helper()
	names := corpus.Files(t, isSession, "../../testdata/projects")
	if len(names) < 20 {
		t.Fatalf("got %d sessions, want at least 20: are the folders right?", len(names))
	}
	found := corpus.Optional(t, "dev", "sdk", "synthetic", "excerpts-2.1.270", "large")
	names = append(names, corpus.Share(corpus.Files(t, isSession, found...))...)
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f(name, session("/"+filepath.Base(name), data))
	}
	t.Logf("%d sessions", len(names))
}

func isSession(path string) bool {
	return (strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".json")) &&
		!strings.HasSuffix(path, ".meta.json")
}

func session(name string, data []byte) Session {
	file := transcript.Read(name, data)
	c := normalize.Build(normalize.Input{ID: strings.TrimSuffix(filepath.Base(name), ".jsonl"), Main: &file})
	return Session{Conversation: c, Project: "p", Totals: stats.Of(c, stats.ListPrices())}
}

// TestSchema validates the JSON export of every session.
func TestSchema(t *testing.T) {
	schema := schemacheck.Load(t, "conversation.json")
	eachSession(t, func(name string, s Session) {
		data, err := JSON(s, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if err := schemacheck.Validate(schema, data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
}

// TestSchemaRejects: the schema rejects invalid exports.
func TestSchemaRejects(t *testing.T) {
	schema := schemacheck.Load(t, "conversation.json")
	good, err := JSON(session("/a.jsonl", []byte(`{"type":"user","uuid":"u","message":{"content":"x"}}`)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new string }{
		{`"version": 2`, `"version": 3`},
		{`"file": "/a.jsonl"`, `"file": "a.jsonl"`},
		{`"kind": "prompt"`, `"kind": "poem"`},
		{`"kind": "prompt"`, `"mood": "glad", "kind": "prompt"`},
		{`"prompts": 1`, `"prompts": "1"`},
		{`"title": "x"`, `"title": ""`},
	} {
		bad := strings.Replace(string(good), c.old, c.new, 1)
		if bad == string(good) {
			t.Fatalf("the export lacks %s:\n%s", c.old, good)
		}
		if schemacheck.Validate(schema, []byte(bad)) == nil {
			t.Errorf("the schema accepts %s", c.new)
		}
	}
}

// ownTags are the tags that the Markdown export writes. All other HTML comes from a log.
var ownTags = regexp.MustCompile(`^(<details( open)?><summary>([^<>]|</?(b|code)>)*</summary>|</details>)$`)

// mention matches text in which a forge finds a user name.
var mention = regexp.MustCompile(`(^|[^\w\\-])@\w.*`)

// TestMarkdownHolds parses the Markdown of every session: each of our sections exists at the top level, all HTML is
// ours and is closed, and no picture is loaded.
func TestMarkdownHolds(t *testing.T) {
	grammar := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	eachSession(t, func(name string, s Session) {
		src, err := Markdown(s, Options{Level: Everything})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		turns, err := choose(s.Conversation, Options{Level: Everything})
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, turn := range turns {
			if turn.prompt != nil {
				want++
			}
		}
		got, open := 0, 0
		doc := grammar.Parse(text.NewReader(src))
		for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
			switch n := n.(type) {
			case *ast.Heading:
				if n.Level == 2 &&
					regexp.MustCompile(`^(\d+\. )?(You|Command)( · [\d:]+)?$`).Match(n.Lines().Value(src)) {
					got++
				}
			case *ast.HTMLBlock:
				for line := range strings.Lines(string(n.Lines().Value(src))) {
					line = strings.TrimSuffix(line, "\n")
					if !ownTags.MatchString(line) {
						t.Errorf("%s: HTML from a log: %.200s", name, line)
					}
					open += strings.Count(line, "<details") - strings.Count(line, "</details")
					if open < 0 {
						t.Errorf("%s: </details> without <details>", name)
					}
				}
			}
		}
		if got != want || open != 0 {
			t.Errorf("%s: got %d sections, want %d; %d <details> are not closed", name, got, want, open)
		}
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			switch n := n.(type) {
			case *ast.RawHTML, *ast.Image:
				t.Errorf("%s: unexpected %s", name, n.Kind())
				return ast.WalkStop, nil
			case *ast.CodeSpan:
				return ast.WalkSkipChildren, nil
			case *ast.Text:
				if m := mention.Find(src[max(n.Segment.Start-1, 0):n.Segment.Stop]); m != nil {
					t.Errorf("%s: a user is mentioned: %s", name, m)
				}
			}
			return ast.WalkContinue, nil
		})
	})
}

// TestTextIsPlain: the text export has no control characters.
func TestTextIsPlain(t *testing.T) {
	eachSession(t, func(name string, s Session) {
		out, err := Text(s, Options{Level: Everything})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if i := bytes.IndexFunc(out, func(r rune) bool {
			return unicode.IsControl(r) && r != '\n' && r != '\t'
		}); i >= 0 {
			t.Errorf("%s: a control character in %.40q", name, out[i:])
		}
	})
}
