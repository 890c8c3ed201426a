package all_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/all"
)

// TestSplitOwn: only the source that a database is of finds sessions in it, and none takes damage in the database of
// another program, or in a file that is none, for its own.
func TestSplitOwn(t *testing.T) {
	files := map[string][]byte{"": []byte("no database")}
	paths, err := filepath.Glob("../*/testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		if data, err := os.ReadFile(p); err == nil && bytes.HasPrefix(data, []byte("SQLite format 3\x00")) {
			files[p] = data
		}
	}
	if len(files) < 10 {
		t.Fatalf("got %d databases, want those of seven sources", len(files)-1)
	}
	for p, data := range files {
		owner := "viewer/internal/sources/" + filepath.Base(filepath.Dir(filepath.Dir(p)))
		found := false
		for _, s := range all.Sources {
			splitter, ok := s.(sources.Splitter)
			if !ok {
				continue
			}
			parts, err := splitter.Split(bytes.NewReader(data), int64(len(data)))
			if reflect.TypeOf(s).PkgPath() == owner {
				found = found || err == nil && len(parts) > 0
			} else if err != nil || len(parts) > 0 {
				t.Errorf("%s: %T finds %d sessions, error %v, want none", p, s, len(parts), err)
			}
		}
		if !found && p != "" {
			t.Errorf("%s: no session", p)
		}
	}
}
