package attacks

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"viewer/internal/testing/corpus"
)

func TestCases(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 500 {
		t.Errorf("got %d texts, want at least 500", len(cases))
	}
	seen := map[string]Case{}
	for _, c := range cases {
		if c.Text == "" {
			t.Errorf("%s.txt:%d: empty text", c.Group, c.Line)
		}
		if old, ok := seen[c.Text]; ok {
			t.Errorf("%s.txt:%d: the same as %s.txt:%d", c.Group, c.Line, old.Group, old.Line)
		}
		seen[c.Text] = c
	}
}

// TestFolder: each text is in a record, each place has a text, and records are JSON if their text is UTF-8.
func TestFolder(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	places, err := Places()
	if err != nil {
		t.Fatal(err)
	}
	kinds := []bool{false}
	if corpus.Full() {
		kinds = []bool{false, true}
	}
	for _, full := range kinds {
		files, err := Folder(Options{Full: full})
		if err != nil {
			t.Fatal(err)
		}
		var all bytes.Buffer
		records := 0
		names := map[string]bool{}
		for f := range files {
			if names[f.Path] {
				t.Errorf("two files are named %q", f.Path)
			}
			names[f.Path] = true
			if !strings.HasSuffix(f.Path, ".jsonl") {
				continue
			}
			all.Write(f.Data)
			for line := range bytes.Lines(f.Data) {
				records++
				if utf8.Valid(line) && !json.Valid(line) {
					t.Fatalf("%q: not JSON: %.300q", f.Path, line)
				}
			}
		}
		for _, c := range cases {
			if !full && !strings.Contains(all.String(), escape(c.Text)) {
				t.Errorf("%s.txt:%d is in no record", c.Group, c.Line)
			}
		}
		least := len(cases) * some
		if full {
			least = len(cases) * len(places)
		}
		if records < least {
			t.Errorf("%d records, want at least %d", records, least)
		}
		t.Logf("%d texts, %d places, %d records, %d MB", len(cases), len(places), records, all.Len()>>20)
	}
}
