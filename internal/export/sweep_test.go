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

// eachSession calls f with every session file of our own, and with real ones where there are some.
func eachSession(t *testing.T, f func(name string, s Session)) {
	t.Helper()
	names := corpus.Files(t, isSession, "../../testdata/projects")
	if len(names) < 20 {
		t.Fatalf("only %d sessions: the sweep looks in the wrong place", len(names))
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

// TestSchema validates what JSON writes of every session.
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

// TestSchemaRejects: a schema that takes anything would pass the sweep, too.
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
			t.Fatalf("%s is not in\n%s", c.old, good)
		}
		if schemacheck.Validate(schema, []byte(bad)) == nil {
			t.Errorf("the schema takes %s", c.new)
		}
	}
}

// ours are the tags that Markdown writes; everything else would come from a log.
var ours = regexp.MustCompile(`^(<details( open)?><summary>([^<>]|</?(b|code)>)*</summary>|</details>)$`)

// called is what a forge takes for the name of somebody.
var called = regexp.MustCompile(`(^|[^\w\\-])@\w.*`)

// TestMarkdownHolds parses the Markdown of every session: each of our sections
// is there and at the top, all HTML is ours and closes, no picture is loaded.
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
					if !ours.MatchString(line) {
						t.Errorf("%s: HTML that is not ours: %.200s", name, line)
					}
					open += strings.Count(line, "<details") - strings.Count(line, "</details")
					if open < 0 {
						t.Errorf("%s: a fold is closed that was not open", name)
					}
				}
			}
		}
		if got != want || open != 0 {
			t.Errorf("%s: %d sections, want %d; %d folds stay open", name, got, want, open)
		}
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			switch n := n.(type) {
			case *ast.RawHTML, *ast.Image:
				t.Errorf("%s: a %s", name, n.Kind())
				return ast.WalkStop, nil
			case *ast.CodeSpan:
				return ast.WalkSkipChildren, nil
			case *ast.Text:
				if m := called.Find(src[max(n.Segment.Start-1, 0):n.Segment.Stop]); m != nil {
					t.Errorf("%s: somebody is called: %s", name, m)
				}
			}
			return ast.WalkContinue, nil
		})
	})
}

// TestTextIsPlain: nothing reaches a terminal but text.
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
