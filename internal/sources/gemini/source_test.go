package gemini_test

import (
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"viewer/internal/sources"
	"viewer/internal/sources/gemini"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
)

// TestMatch: files are matched by their contents, with any white space.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"sessionId":"a","projectHash":"b","startTime":"t","lastUpdated":"t","kind":"main"}`: true,
		"{\n  \"lastUpdated\": \"t\",\n  \"messages\": [\n    {\n      \"content\": \"cut":    true,
		`{"$set":{"lastUpdated":"t"}}`:                                                           true,
		`{"$rewindTo":"m"}`:                                                                      true,
		`{"$patch":{"id":"m"}}`:                                                                  true,
		`{"content":"a","id":"b","timestamp":"t","type":"gemini"}`:                               true,
		`{"id":"b","timestamp":"t","type":"user","content":"hi"}`:                                true,
		`[{"sessionId":"a","messageId":0,"type":"user","message":"hi","timestamp":"t"}]`:         false,
		`{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}`:    false,
		`{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{}}`:               false,
		`{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user"}}`: false,
		`{"timestamp":"t","type":"session_meta","payload":{"id":"a"}}`:                           false,
		`{"history":[{"role":"user","parts":[{"text":"cut`:                                       true,
		"[\n  {\n    \"parts\": [],\n    \"role\": \"model\"\n  }":                               true,
		`{"history":[{"type":"user","text":"hi"}],"toolCall":{}}`:                                false,
		`[{"role":"user","content":"hi"}]`:                                                       false,
		"":                                                                                       false,
	} {
		if got := (gemini.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestArrange: sessions and their agents are in the folder of a project. Credentials are not read, and a session that
// exists in both formats is one. A saved history counts if there are no sessions.
func TestArrange(t *testing.T) {
	head := `{"sessionId":"7a1e5c20-1","projectHash":"b","startTime":"t"}`
	hash := strings.Repeat("5e", 32)
	paths := []string{
		hash + "/chats/session-2025-10-04T09-00-11112222.json", "logs.json", "oauth_creds.json",
		"quay/chats/7a1e5c20-0000-4000-8000-000000000001/9b00c0de.jsonl",
		"quay/chats/session-2026-05-04T09-00-7a1e5c20.json", "quay/chats/session-2026-05-04T09-00-7a1e5c20.jsonl",
		"quay/chats/session-claude.jsonl", "quay/checkpoint-copy.json", "lock/checkpoint-only.json",
	}
	var read []string
	tree := sources.Tree{Base: "tmp", Paths: paths, Head: func(p string) []byte {
		read = append(read, p)
		if strings.Contains(p, "claude") {
			return []byte(`{"type":"user","uuid":"u","sessionId":"s"}`)
		}
		if strings.Contains(p, "checkpoint") {
			return []byte(`{"history":[{"role":"user","parts":[]}]}`)
		}
		return []byte(head)
	}}
	var got []string
	for _, fo := range (gemini.Source{}).Arrange(&tree) {
		for _, s := range fo.Sessions {
			got = append(got, fo.Name+" "+s.ID)
			for _, a := range s.Agents {
				got = append(got, "agent "+a.ID)
			}
		}
	}
	want := []string{
		hash[:12] + " session-2025-10-04T09-00-11112222", "quay session-2026-05-04T09-00-7a1e5c20", "agent 9b00c0de",
		"lock checkpoint-only",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if all := strings.Join(read, " "); strings.Contains(all, "creds") || strings.Contains(all, "logs.json") {
		t.Errorf("credentials or logs were read: %q", read)
	}
}

// TestProjectRoot: a file beside the logs names the project, also for the folders of older versions, which are named
// after its hash, and for copies of logs. What an older version wrote is left if a newer one has copied it.
func TestProjectRoot(t *testing.T) {
	const hash = "a7fa3168cc16dce49e0f5529f43208931355eefd4a651eb67b1794a209199a13" // of /home/mara/kiln
	head := func(updated string) string {
		return `{"sessionId":"s","projectHash":"` + hash + `","startTime":"t","lastUpdated":"` + updated + `"}`
	}
	other := `{"sessionId":"s","projectHash":"b","startTime":"t"}`
	files := map[string]string{
		"kiln/.project_root":                 "/home/mara/kiln\n",
		"kiln/chats/session-new.jsonl":       other,
		"kiln/chats/session-copy.json":       head("2026-02-01"),
		"kiln/chats/session-older.json":      head("2026-02-01"),
		"kiln/chats/5e/9b.jsonl":             other,
		hash + "/chats/session-copy.json":    head("2026-02-01"),
		hash + "/chats/session-older.json":   head("2026-02-02"),
		hash + "/chats/session-only.json":    head("2026-02-01"),
		"elsewhere/chats/session-moved.json": head("2026-02-01"),
		"strange/.project_root":              "kiln",
		"strange/chats/session-rel.json":     other,
		"lines/.project_root":                "/home/mara\n/home/finn",
		"lines/chats/session-two.json":       other,
		"windows/.project_root":              `c:\users\mara\kiln`,
		"windows/chats/session-drive.json":   other,
	}
	tree := sources.Tree{
		Base: "tmp", Paths: slices.Sorted(maps.Keys(files)), Head: func(p string) []byte { return []byte(files[p]) },
	}
	got := make(map[string]string)
	for _, fo := range (gemini.Source{}).Arrange(&tree) {
		for _, s := range fo.Sessions {
			got[s.Path] = s.Folder
		}
	}
	want := map[string]string{
		"kiln/chats/session-new.jsonl":       "/home/mara/kiln",
		"kiln/chats/session-copy.json":       "/home/mara/kiln",
		"kiln/chats/session-older.json":      "/home/mara/kiln",
		hash + "/chats/session-older.json":   "/home/mara/kiln",
		hash + "/chats/session-only.json":    "/home/mara/kiln",
		"elsewhere/chats/session-moved.json": "/home/mara/kiln",
		"strange/chats/session-rel.json":     "",
		"lines/chats/session-two.json":       "",
		"windows/chats/session-drive.json":   `c:\users\mara\kiln`,
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for i, p := range tree.Paths {
		if path.Base(p) == ".project_root" && !tree.Taken(i) {
			t.Errorf("%s may be taken for a session", p)
		}
	}
}

// TestFolderOfFiles: the folder of a session without one is that of the files of its calls, also when the home folder
// was redacted.
func TestFolderOfFiles(t *testing.T) {
	for folder, want := range map[string]string{
		"/home/mara/kiln": "/home/mara/kiln", "/kiln": "", "kiln": "",
		"~/kiln": "~/kiln", "~": "~", `~\\kiln`: `~\kiln`,
	} {
		slash := "/"
		if strings.Contains(folder, `\`) {
			slash = `\\`
		}
		call := `{"id":"c","name":"read_file","args":{"absolute_path":"` + folder + slash + `glaze.txt"}}`
		c, _ := sourcetest.Draw(t, gemini.Source{}, "s.json", []byte(`{"sessionId":"s",`+
			`"startTime":"2026-05-04T09:00:00Z","lastUpdated":"2026-05-04T09:00:00Z","messages":[`+
			`{"id":"m","timestamp":"2026-05-04T09:00:00Z","type":"gemini","content":"Done.","toolCalls":[`+call+`]}]}`))
		if got := c.Facts.CWD; got != want {
			t.Errorf("files in %s: the folder is %q, want %q", folder, got, want)
		}
	}
}

// TestAppend: a growing log, including incomplete lines, gives the same as reading it at once.
func TestAppend(t *testing.T) {
	sourcetest.Grow(t, gemini.Source{}, sourcetest.Cases(t, "gemini-cli_*"))
}

// TestShuffled: lines in any order are all accounted for.
func TestShuffled(t *testing.T) {
	first := `{"$set":{}}`
	sourcetest.Shuffle(t, gemini.Source{}, first, sourcetest.Cases(t, "gemini-cli_*"))
}

// TestManySaved: the time is linear in the number of calls of a saved history, whose results name no call.
func TestManySaved(t *testing.T) {
	const n = 100_000
	doc := `{"history":[{"role":"model","parts":[` + strings.Repeat(`{"functionCall":{"name":"dig"}},`, n-1) +
		`{"functionCall":{"name":"fill"}}]},{"role":"user","parts":[` +
		strings.Repeat(`{"functionResponse":{"name":"dig","response":{}}},`, n-1) + `{"text":"More."}]}]}`
	start := time.Now()
	f := sources.List{gemini.Source{}}.Read("checkpoint-a.json", []byte(doc), transcript.Options{})
	if took := time.Since(start); len(f.Records) < n/10 || took > 10*time.Second {
		t.Errorf("got %d records in %v, want many in a second", len(f.Records), took)
	}
}

// FuzzTranslate: any value becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, gemini.Source{}, sourcetest.Cases(f, "gemini-cli_*"))
}
