package dunlin

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// TestTranslate checks the records of each element of a log: no record has an id or a time, and calls say that their
// results are not logged.
func TestTranslate(t *testing.T) {
	data, err := os.ReadFile("beach.json")
	if err != nil {
		t.Fatal(err)
	}
	f := sources.List{Source{}}.Read("beach.json", data, transcript.Options{})
	var got strings.Builder
	for _, r := range f.Records {
		b := r.Message.Content[0]
		fmt.Fprintf(&got, "%s %s %s %q %s %v %d\n", r.Pos, r.Type, b.Type, b.Text, b.Name, b.NoResult, b.Encrypted)
		if r.UUID+r.SessionID+b.ID != "" || !r.Timestamp.IsZero() {
			t.Errorf("%s: the record has an id or a time, want none", r.Pos)
		}
	}
	const want = `beach.json:5 user text "Which birds are on the beach?"  false 0
beach.json:6 assistant thinking ""  false 36
beach.json:7 assistant tool_use "" Bash true 0
beach.json:8 assistant tool_use "" Read true 0
beach.json:9 assistant encrypted ""  false 24
beach.json:10 assistant text "Dunlins, and one curlew."  false 0
`
	if got.String() != want || len(f.Problems) > 0 {
		t.Errorf("records\n%s\nwant\n%s\nproblems %v", got.String(), want, f.Problems)
	}
}
