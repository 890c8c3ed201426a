package pi

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"viewer/internal/sqlite"
)

// TestMostUnpacked: what unpacks to more than the limit is left out, and the session says so.
func TestMostUnpacked(t *testing.T) {
	data, err := os.ReadFile("testdata/openclaw-agent.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	table, columns := db.Table("transcript_events"), []string{"event_json", packed}
	var s stored
	for row, err := range table.Rows("session_id", "seq") {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(row.Text(0), "1") {
			s.lines = append(s.lines, line{row.Int(1), row.Place()})
		}
	}
	whole, err := s.read(table, columns, mostUnpacked)
	if n := bytes.Count(whole, []byte("\n")); err != nil || n != 3 {
		t.Fatalf("%d lines, error %v, want 3", n, err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	got, err := s.read(table, columns, len(lines[1])-2) // without its end
	want := string(lines[0]) + "line 1 and those after it are left out: they unpack to more than 0 MB\n"
	if err != nil || string(got) != want {
		t.Errorf("got %s, error %v, want %s", got, err, want)
	}
}
