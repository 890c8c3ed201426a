package all_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"viewer/internal/sources/all"
	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
)

// TestSorted: a file is recognized and read whatever the order of members in its objects.
func TestSorted(t *testing.T) {
	for name, data := range golden.Sections(t, "../../../normalize/testdata/sources/*.txtar", "in.jsonl") {
		want := all.Sources.Read("in.jsonl", data, transcript.Options{})
		got := all.Sources.Read("in.jsonl", sorted(t, data), transcript.Options{})
		if got.Writer.Name != want.Writer.Name || len(got.Records) != len(want.Records) ||
			len(got.Problems) != len(want.Problems) {
			t.Errorf("%s: got %d records of %s and problems %v, want %d of %s and %v", name,
				len(got.Records), got.Writer.Name, got.Problems, len(want.Records), want.Writer.Name, want.Problems)
		}
	}
}

// sorted returns the document or the lines of a file with the members of each object sorted by name, as jq -S writes
// them. Lines that are no JSON stay as they are.
func sorted(t *testing.T, data []byte) []byte {
	t.Helper()
	parts := [][]byte{data}
	if !json.Valid(data) {
		parts = bytes.SplitAfter(data, []byte("\n"))
	}
	var all bytes.Buffer
	for _, part := range parts {
		if !json.Valid(part) {
			all.Write(part)
			continue
		}
		d := json.NewDecoder(bytes.NewReader(part))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		e := json.NewEncoder(&all)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	return all.Bytes()
}
