package sitegen

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestGeminiRoot builds and watches sessions of Gemini CLI whose project is named by a file beside them, once with
// another name for the home folder of somebody else.
func TestGeminiRoot(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "kiln-1", ".project_root")
	file := filepath.Join(dir, "kiln-1", "chats", "session-2026-05-04T09-00-7a1e5c20.jsonl")
	lines := []string{
		`{"sessionId":"7a1e5c20-1","projectHash":"b","startTime":"2026-05-04T09:00:00Z"}`,
		`{"id":"m1","timestamp":"2026-05-04T09:00:01Z","type":"user","content":"Which glaze does mara7 take?"}`,
		`{"id":"m2","timestamp":"2026-05-04T09:00:05Z","type":"gemini","content":"Look.","toolCalls":[{"id":"c1",` +
			`"name":"read_file","args":{"file_path":"/srv/mara7/kiln/glazes/red.txt"},"status":"success"}]}`,
		`{"id":"m3","timestamp":"2026-05-04T09:00:09Z","type":"gemini","content":"Red."}`,
	}
	write(t, root, []byte("/srv/mara7/kiln"))
	write(t, file, []byte(strings.Join(lines[:2], "\n")+"\n"))
	write(t, filepath.Join(dir, "other", ".project_root"), []byte("/srv/mara7/kiln/glazes"))
	write(t, filepath.Join(dir, "other", "chats", "session-2026-05-04T10-00-7a1e5c21.jsonl"),
		[]byte(strings.ReplaceAll(strings.Join(lines, "\n"), "7a1e5c20-1", "7a1e5c21-1")+"\n"))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test", Prune: true}
	w := watchFile(t, o, file)
	w.build()
	for _, line := range lines[2:] {
		appendTo(t, file, line+"\n")
		w.build()
		w.checkSame(line[:60])
	}
	projects := func() string { return string(read(t, filepath.Join(o.Out, "sessions.json"))) }
	page := func() string { return string(read(t, filepath.Join(o.Out, "s", "7a1e5c20-1", "index.html"))) }
	if got := projects(); !strings.Contains(got, `"project": "kiln"`) || !strings.Contains(got, `"project": "glazes"`) {
		t.Errorf("the projects are wrong: %s", got)
	}
	if got := page(); !strings.Contains(got, "glazes/") || strings.Contains(got, "/kiln/glazes") {
		t.Error("the path of a file is not relative to the project")
	}
	settle(t, dir)
	w.build()
	write(t, root, []byte("/home/mara7/kiln"))
	touch(t, root, time.Now().Add(-time.Hour))
	w.build()
	w.checkSame("another folder")
	if got := page(); !strings.Contains(got, "/kiln/glazes") {
		t.Error("the path of a file is relative to the old folder")
	}
}

// TestGeminiWindows: Gemini CLI writes the path of a project on Windows in lower case, other than those of files.
func TestGeminiWindows(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "kiln", ".project_root"), []byte(`d:\work\kiln`))
	write(t, filepath.Join(dir, "kiln", "chats", "session-2026-05-04T09-00-7a1e5c20.jsonl"), []byte(
		`{"sessionId":"7a1e5c20-1","projectHash":"b","startTime":"2026-05-04T09:00:00Z"}`+"\n"+
			`{"id":"m1","timestamp":"2026-05-04T09:00:01Z","type":"user","content":"Write the glaze down"}`+"\n"+
			`{"id":"m2","timestamp":"2026-05-04T09:00:05Z","type":"gemini","content":"So be it.","toolCalls":[{"id":"c1",`+
			`"name":"write_file","args":{"file_path":"D:\\Work\\Kiln\\Glazes\\red.txt","content":"iron\n"},`+
			`"status":"success","resultDisplay":{"fileName":"red.txt","filePath":"D:\\Work\\Kiln\\Glazes\\red.txt",`+
			`"isNewFile":true,"newContent":"iron\n","fileDiff":""}}]}`+"\n"))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test"}
	if r := mustBuild(t, o); r.Sessions != 1 || len(r.Problems) != 0 {
		t.Errorf("got %d sessions, problems %v", r.Sessions, r.Problems)
	}
	page := string(read(t, filepath.Join(o.Out, "s", "7a1e5c20-1", "index.html")))
	if !strings.Contains(page, "red.txt") || strings.Contains(page, "Work") ||
		strings.Contains(page, "Outside the project") {
		t.Error("the file is not in the project")
	}
	if !strings.Contains(string(read(t, filepath.Join(o.Out, "sessions.json"))), `"project": "kiln"`) {
		t.Error("the project has another name")
	}
}
