package cursor_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"viewer/internal/sources"
	"viewer/internal/sources/claude"
	"viewer/internal/sources/cursor"
	"viewer/internal/testing/corpus"
	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render"
)

var list = sources.List{cursor.Source{}, claude.Source{}}

// TestMatch: files are matched by their contents.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"role":"user","message":{"content":[{"type":"text","text":"cut`:                   true,
		`{"type":"turn_ended","status":"success"}`:                                          false, // nothing else
		"{\"type\":\"turn_ended\"}\n{\"role\":\"user\",\"message\":{\"content\":[":          true,
		`{"message":{"content":[]},"role":"assistant"}`:                                     true,
		`{"role":"user","message":{"content":"hi"}}`:                                        false,
		`{"role":"user","content":"hi"}`:                                                    false,
		`{"type":"user","role":"user","message":{"content":[]}}`:                            false,
		`{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":[]}}`: false,
		"": false,
	} {
		if got := (cursor.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestCorpus: all records of each real transcript are accounted for, and the calls and results in its text are found.
func TestCorpus(t *testing.T) {
	n := 0
	for _, root := range corpus.Glob(t, "agents/cursor") {
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(p) != ".jsonl" {
				return err
			}
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			calls, results := count(data)
			f := list.Read(filepath.Base(p), data, transcript.Options{})
			c := normalize.Build(normalize.Input{ID: "a", Main: &f})
			if l := render.DrawSession(render.Session{Conversation: c, Main: &f, Folder: "x"}).Ledger; !l.Balanced() {
				t.Errorf("%s: the ledger is not balanced: %+v", p, l)
			}
			for g := range c.Groups() {
				if g.Call != nil {
					calls--
				}
				if g.Result != nil {
					results--
				}
			}
			if calls != 0 || results != 0 {
				t.Errorf("%s: %d calls and %d results are missing", p, calls, results)
			}
			n++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files counted", n)
}

// count counts the blocks of a transcript.
func count(data []byte) (calls, results int) {
	for line := range bytes.Lines(data) {
		var l struct {
			Message struct{ Content []struct{ Type string } }
		}
		if json.Unmarshal(line, &l) != nil {
			continue
		}
		for _, b := range l.Message.Content {
			switch b.Type {
			case "tool_use", "tool_call":
				calls++
			case "tool_result", "tool-result":
				results++
			}
		}
	}
	return calls, results
}

// FuzzTranslate: any line becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	f.Add([]byte(`{"role":"user","message":{"content":[{"type":"text","text":"<user_query>hi</user_query>"}]}}`))
	f.Add([]byte(`{"role":"tool","message":{"content":[{"type":"tool_result","content":[{"type":"tool_use"}]}]}}`))
	f.Add([]byte(`{"role":"assistant","message":{"content":[{"type":"tool_use","input":1},{},3]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := sources.List{cursor.Source{}}.Read("in.jsonl", data, transcript.Options{})
		c := normalize.Build(normalize.Input{ID: "in", Main: &file})
		l := render.DrawSession(render.Session{Conversation: c, Main: &file, Folder: "x"}).Ledger
		if !l.Balanced() {
			t.Fatalf("the ledger is not balanced: %+v", l)
		}
	})
}

// TestClock reads the times that the program puts around prompts.
func TestClock(t *testing.T) {
	for around, want := range map[string]string{
		"<timestamp>Sunday, Sep 20, 2026, 12:31 AM (UTC+3)</timestamp>":                 "2026-09-19T21:31:00Z",
		"<timestamp>Sunday, Sept 20, 2026, 9:05 PM (UTC-5:30)</timestamp>\n<rules>":     "2026-09-21T02:35:00Z",
		"<timestamp>Sunday, June 7, 2026, 9:05 PM (UTC)</timestamp>":                    "2026-06-07T21:05:00Z",
		"<timestamp>Sunday, Jun 7, 2026, 9:05 PM (UTC+9223372036854775807)</timestamp>": "0001-01-01T00:00:00Z",
		"<timestamp>Sunday, Jun 7, 2026, 9:05 PM (UTC+3:99)</timestamp>":                "0001-01-01T00:00:00Z",
		"<timestamp>Sunday, Jun 7, 2026</timestamp>":                                    "0001-01-01T00:00:00Z",
		"<timestamp>Sunday, Jun 7, 2026, 9:05 PM (UTC+3)":                               "0001-01-01T00:00:00Z",
		"<timestamp></timestamp>":                                                       "0001-01-01T00:00:00Z",
	} {
		content := []any{map[string]any{"type": "text", "text": around + "\n<user_query>Trim</user_query>"}}
		line, err := json.Marshal(map[string]any{"role": "user", "message": map[string]any{"content": content}})
		if err != nil {
			t.Fatal(err)
		}
		records, _ := cursor.Source{}.NewTranslator().Translate(transcript.Pos{}, line)
		for _, r := range records {
			if got := r.Timestamp.Format(time.RFC3339); got != want {
				t.Errorf("%q: %s, want %s", around, got, want)
			}
		}
	}
}
