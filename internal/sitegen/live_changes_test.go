package sitegen

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLiveChanges: a record that changes no file draws no page of net changes, and one that changes a file draws it.
func TestLiveChanges(t *testing.T) { liveChanges(t, false) }

// TestStoredChanges is the same in new processes, which know the pages from files.
func TestStoredChanges(t *testing.T) { liveChanges(t, true) }

func liveChanges(t *testing.T, anew bool) {
	source := t.TempDir()
	file := filepath.Join(source, "-w-live", "11111111-2222-4333-8444-555555555555.jsonl")
	n := 0
	record := func(kind, rest string) string {
		n++
		return fmt.Sprintf(`{"type":%q,"uuid":"%08d-0000-4000-8000-000000000000","sessionId":"s","timestamp":"2026-03-02T09:%02d:00Z","cwd":"/tide",%s}`,
			kind, n, n, rest) + "\n"
	}
	call := func(id, tool, input, result string) string {
		return record("assistant", fmt.Sprintf(
			`"message":{"role":"assistant","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}`, id, tool, input)) +
			record("user", fmt.Sprintf(
				`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"ok"}]},"toolUseResult":%s`,
				id, result))
	}
	text := strings.Repeat(`a line that is long enough to make pages of its own\n`, 600)
	write(t, file, []byte(record("user", `"message":{"role":"user","content":"Write it"}`)+
		call("t1", "Write", `{"file_path":"/tide/long.txt","content":"`+text+`"}`,
			`{"type":"create","filePath":"/tide/long.txt","content":"`+text+
				`","structuredPatch":[],"originalFile":null}`)))
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", Prune: true, storedSize: 1}
	w := &watched{t: t, site: NewSite(o), o: o, source: source, file: file, anew: anew}
	t.Cleanup(func() { w.site.Close() })
	settle(t, source)
	w.build()
	more := func(lines string) (drawn int) {
		appendTo(t, file, lines)
		r := w.build()
		w.checkSame(lines)
		return r.Drawn
	}
	more(record("user", `"message":{"role":"user","content":"Now it is watched"}`)) // the first build reads everything
	for _, c := range []struct {
		what, lines string
		draws       int
	}{
		{"a prompt", record("user", `"message":{"role":"user","content":"Go on"}`), 1},
		{"a file that is read", call("t2", "Read", `{"file_path":"/tide/other.txt"}`,
			`{"type":"text","file":{"filePath":"/tide/other.txt","content":"a","numLines":1,"startLine":1,"totalLines":1}}`), 1},
		{"a new file", call("t3", "Write", `{"file_path":"/tide/new.txt","content":"new\n"}`,
			`{"type":"create","filePath":"/tide/new.txt","content":"new\n","structuredPatch":[],"originalFile":null}`), 2},
	} {
		if got := more(c.lines); got != c.draws {
			t.Errorf("%s draws %d pages, want %d", c.what, got, c.draws)
		}
	}
	page := string(read(t, filepath.Join(o.Out, "s", stem(file), "changes.html")))
	if !strings.Contains(page, "new.txt") {
		t.Error("the page of changes lacks new.txt")
	}
	if anew {
		return // no state in memory
	}
	for _, s := range w.site.last.Sessions {
		if !slices.Contains(s.Outputs(), "s/"+stem(file)+"/changes.html") {
			t.Errorf("the state has the pages %q, want changes.html among them", s.Outputs())
		}
		var listed []string
		for _, f := range s.Files() {
			listed = append(listed, fmt.Sprint(f.Path, " ", f.Added, " ", f.Page))
		}
		if len(listed) != 2 || !strings.HasPrefix(listed[0], "long.txt 600 changes.html#f-") {
			t.Errorf("the state has the files %q, want 2, long.txt first", listed)
		}
	}
}
