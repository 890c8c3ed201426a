package sitegen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTitleBeside: a file beside a session gives its title.
func TestTitleBeside(t *testing.T) {
	out := t.TempDir()
	buildInto(t, out, testdata+"/C--Users-Noor-bookshelf")
	page, err := os.ReadFile(filepath.Join(out, "s", "2b7d9e05-6c13-4f8a-b5e2-81a04c96d37f", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "<title>Moving the shelf marks"; !strings.Contains(string(page), want) {
		_, head, _ := strings.Cut(string(page), "<title>")
		t.Errorf("the page has the title %.60q, want %q", head, want)
	}
}

// TestTitlesWithMark: files next to a session, files that make a session together, and lists of titles may begin with a
// byte order mark.
func TestTitlesWithMark(t *testing.T) {
	dir := t.TempDir()
	const id = "019ed936-0000-7000-8000-000000000001"
	for name, text := range map[string]string{
		"grok/w/g/chat_history.jsonl":             personalLines["grok/chat_history.jsonl"][1:],
		"grok/w/g/summary.json":                   `{"generated_title":"Count the terns"}`,
		"cline/c/api_conversation_history.json":   `[{"role":"user","content":"<task>Count gulls</task>"}]`,
		"cline/c/history_item.json":               `{"task":"Count the gulls"}`,
		"codex/sessions/rollout-" + id + ".jsonl": string(rollout(t, "calls", id)),
		"codex/session_index.jsonl":               `{"id":"` + id + `","thread_name":"Count the plovers"}`,
		"open/storage/session/p/ses_a.json":       `{"id":"ses_a","title":"Count the dunlins","directory":"/sea"}`,
		"open/storage/message/ses_a/msg_1.json":   `{"id":"msg_1","role":"user","sessionID":"ses_a"}`,
		"open/storage/part/msg_1/prt_1.json":      `{"id":"prt_1","messageID":"msg_1","type":"text","text":"How many?"}`,
	} {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte("\ufeff"+text))
	}
	var sources []string
	for _, name := range []string{"grok", "cline", "codex", "open"} {
		sources = append(sources, filepath.Join(dir, name))
	}
	all, _, err := List(t.Context(), Options{Sources: sources, Version: "test"}, ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	titles := make(map[string]string)
	for _, l := range all {
		titles[l.ID] = l.Title
	}
	want := map[string]string{"g": "Count the terns", "c": "Count the gulls", id: "Count the plovers",
		"ses_a": "Count the dunlins"}
	if diff := cmp.Diff(want, titles); diff != "" {
		t.Errorf("titles (-want +got):\n%s", diff)
	}
}
