package sitegen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"viewer/internal/notes"
)

// TestAddNote has several writers add notes to one file. No note may be lost, and the file may never be incomplete.
func TestAddNote(t *testing.T) {
	file := filepath.Join(t.TempDir(), "viewer.notes.json")
	const writers, each = 4, 8
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := range each {
				if err := AddNote(file, fmt.Appendf(nil, `{"session":"s","text":"%d of %d"}`, i, w)); err != nil {
					t.Error(err)
				}
				data, err := os.ReadFile(file)
				if _, problems := notes.JSON("", data); err != nil || len(problems) > 0 {
					t.Error(err, problems)
				}
			}
		})
	}
	group.Wait()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := notes.JSON("", data)
	seen := make(map[string]bool)
	for _, n := range all {
		seen[n.Text] = true
	}
	if len(seen) != writers*each {
		t.Errorf("the file has %d notes, want %d", len(seen), writers*each)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".viewer.notes.json.*"))
	if err != nil || len(left) != 1 || filepath.Ext(left[0]) != ".lock" {
		t.Errorf("the folder has %v, want only the file and its lock: %v", left, err)
	}
}

// TestAddNoteRefused adds invalid notes, and notes to a file that is not a file of notes. Nothing may change.
func TestAddNoteRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "viewer.notes.json")
	write(t, file, []byte(`{"notes": [`))
	for _, note := range []string{
		"", "{", "[]", `"a"`, `{"session":"s"}`, `{"text":"t"}`,
		`[{"session":"s","text":"a"},{"session":"s","text":"b"}]`,
		`{"session":"s","text":"` + strings.Repeat("x", maxNote+1) + `"}`,
		`{"session":"s","text":"a note for a file that is cut off"}`,
	} {
		if err := AddNote(file, []byte(note)); err == nil {
			t.Errorf("%.80s was accepted, want an error", note)
		}
	}
	if data, err := os.ReadFile(file); string(data) != `{"notes": [` {
		t.Errorf("the file changed to %q: %v", data, err)
	}
}
