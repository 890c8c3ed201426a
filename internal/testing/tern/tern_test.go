package tern

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// TestTranslate checks the records of each line of a log.
func TestTranslate(t *testing.T) {
	data, err := os.ReadFile("tides.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	f := sources.List{Source{}}.Read("tides.jsonl", data, transcript.Options{})
	var got strings.Builder
	for _, r := range f.Records {
		fmt.Fprintf(&got, "%s %s %s", r.Pos, r.Timestamp.Format("05"), r.Type)
		if r.Message != nil {
			b := r.Message.Content[0]
			fmt.Fprintf(&got, " %s %q %s%s %s %d", b.Type, b.Text, b.ID, b.ToolUseID, string(b.Input), b.Encrypted)
		}
		got.WriteString("\n")
	}
	const want = `tides.jsonl:1 00 tern
tides.jsonl:2 01 user text "When is high water?"   0
tides.jsonl:3 02 tern
tides.jsonl:4 03 assistant thinking ""   20
tides.jsonl:5 03 assistant text "Let me look."   0
tides.jsonl:5 03 assistant tool_use "" c1 {"command": "cat tides.txt"} 0
tides.jsonl:6 04 user tool_result "" c1  0
tides.jsonl:7 05 assistant text "At 06:12 and at 18:40."   0
tides.jsonl:8 06 tern
tides.jsonl:9 07 user text "And tomorrow?"   0
tides.jsonl:10 08 assistant text "At 07:01 and at 19:25."   0
`
	if got.String() != want || len(f.Problems) > 0 {
		t.Errorf("records\n%s\nwant\n%s\nproblems %v", got.String(), want, f.Problems)
	}
}

// TestMatch: files are matched by their contents, with any white space.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"tern":1}`: true, "\ufeff\n[{ \"tern\" : {": true,
		`{"type":"user","tern":1}`: false, "tern": false, "": false,
	} {
		if got := (Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%q: got %v, want %v", head, got, want)
		}
	}
}
