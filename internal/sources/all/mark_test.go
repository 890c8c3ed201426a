package all_test

import (
	"bytes"
	"testing"

	"viewer/internal/sources/all"
	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
)

// TestByteOrderMark: a file of any source that begins with a byte order mark, and whose lines end as those of Windows,
// has the same records as without.
func TestByteOrderMark(t *testing.T) {
	for name, data := range golden.Sections(t, "../../../normalize/testdata/sources/*.txtar", "in.jsonl") {
		want := all.Sources.Read("in.jsonl", data, transcript.Options{})
		marked := append([]byte("\ufeff"), data...)
		for as, data := range map[string][]byte{
			"a mark": marked, "lines of Windows": bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")),
		} {
			got := all.Sources.Read("in.jsonl", data, transcript.Options{})
			if got.Writer.Name != want.Writer.Name || len(got.Records) != len(want.Records) ||
				len(got.Problems) != len(want.Problems) {
				t.Errorf("%s with %s: got %d records of %s and problems %v, want %d of %s and %v", name, as,
					len(got.Records), got.Writer.Name, got.Problems, len(want.Records), want.Writer.Name, want.Problems)
			}
		}
	}
}
