package aider_test

import (
	"bytes"
	"reflect"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/aider"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
)

// TestMatch: files are matched by their contents.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		"\n# aider chat started at 2026-05-01 08:00:00\n": true,
		"\ufeff# aider chat started at now":               true,
		"# a chat with aider":                             false,
		"{\"type\":\"user\"}":                             false,
		"":                                                false,
	} {
		if got := (aider.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%q: got %v, want %v", head, got, want)
		}
	}
}

// TestArrange: a history is named after its folder, and no other file there is read.
func TestArrange(t *testing.T) {
	tree := &sources.Tree{Base: "fence"}
	tree.Paths = []string{".aider.chat.history.md", "docs/a.md", "gate/.aider.chat.history.md"}
	tree.Head = func(p string) []byte {
		if p == "docs/a.md" {
			t.Error("another file was opened, want only the history")
		}
		return []byte("# aider chat started at 2026-05-01 08:00:00\n")
	}
	want := []sources.Folder{
		{Name: "fence", Sessions: []sources.Session{{ID: "fence-aider", Log: 0, Path: tree.Paths[0]}}},
		{Name: "gate", Sessions: []sources.Session{{ID: "gate-aider", Log: 2, Path: tree.Paths[2]}}},
	}
	if got := (aider.Source{}).Arrange(tree); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestValues: every line of a history is in one of its parts, with its line number.
func TestValues(t *testing.T) {
	data := sourcetest.Cases(t, "aider_*")["aider_history"]
	last := 0
	for pos, v := range (aider.Source{}).Values(data) {
		text := transcript.String(transcript.Field(v, "text"))
		first, _, _ := bytes.Cut([]byte(text), []byte("\n"))
		line := bytes.Split(data, []byte("\n"))[pos.Line-1]
		if pos.Line <= last || len(bytes.TrimSpace(line)) > 0 && !bytes.Contains(line, bytes.TrimSpace(first)) {
			t.Errorf("line %d: got %q, want %q", pos.Line, line, first)
		}
		last = pos.Line
	}
	if last != 66 {
		t.Errorf("the last part begins in line %d, want 66", last)
	}
}

// FuzzTranslate: all contents of any file are accounted for.
func FuzzTranslate(f *testing.F) { sourcetest.Fuzz(f, aider.Source{}, sourcetest.Cases(f, "aider_*")) }

// count counts the items of a file with knowledge of the format only: a prompt follows the start of a run or a message
// of the program.
func count(_ string, data []byte) (c sourcetest.Counts) {
	before := byte('#')
	for line := range bytes.Lines(data) {
		switch {
		case len(bytes.TrimSpace(line)) == 0:
			continue
		case bytes.HasPrefix(line, []byte("#### ")) && before != 'a':
			c.Prompts++
		}
		if before = line[0]; before != '#' && before != '>' {
			before = 'a'
		}
	}
	return c
}

// TestCorpus: all records of each real history are accounted for, and the conversation has the items that an
// independent count finds.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, aider.Source{}, sourcetest.SharedFiles(t, "agents/aider", ".md"), nil, count)
}
