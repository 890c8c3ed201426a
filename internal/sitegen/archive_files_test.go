package sitegen

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/archive/store"
)

// TestArchiveFiles: all files that belong to sessions are archived and restored, in the folders of sessions and around
// them. Keys, account files and targets of links to outside are not.
func TestArchiveFiles(t *testing.T) {
	config, kept := filepath.Join(t.TempDir(), ".claude"), filepath.Join(t.TempDir(), "kept")
	const id = "17c3e8a4-0b6d-4f92-a7e1-c58d2b90f463"
	in := "projects/-w/"
	log := func(text string) string {
		return `{"type":"user","uuid":"u1","sessionId":"` + id + `","cwd":"/w","message":{"role":"user","content":"` +
			text + `"}}` + "\n"
	}
	want := map[string]string{
		in + id + ".jsonl":                              log("Mend it"),
		in + id + "/subagents/agent-a1.jsonl":           log("As an agent"),
		in + id + "/subagents/agent-a1.meta.json":       `{"agentType":"general-purpose"}`,
		in + id + "/tool-results/toolu_1.txt":           "a long output",
		in + id + "/tool-results/picture.png":           "\x89PNG\r\n\x1a\n\x00",
		in + id + "/workflows/wf_1.json":                "{}",
		in + "agent-b2.jsonl":                           log("As an agent of former times"),
		in + "memory/MEMORY.md":                         "",
		"history.jsonl":                                 `{"display":"Mend it","sessionId":"` + id + `"}` + "\n",
		"paste-cache/0123456789abcdef.txt":              "a pasted text",
		"image-cache/" + id + "/1.png":                  "a pasted picture",
		"file-history/" + id + "/aabbccdd@v1":           "a file before an edit",
		"plans/mend-it-calmly.md":                       "# A plan",
		"todos/" + id + "-agent-" + id + ".json":        "[]",
		"tasks/" + id + "/1.json":                       "{}",
		"../outside/secret.txt":                         "outside",
		".credentials.json":                             "a key",
		"settings.json":                                 "{}",
		in + id + "/.credentials.json":                  "a key",
		in + id + "/.git/config":                        "of a repository",
		"plans/auth.json":                               "a key",
		"shell-snapshots/snapshot-bash-1234567890.sh":   "export KEY=1",
		"statsig/statsig.session_id.0123456789":         "x",
		"projects/-w/" + id + "/tool-results/empty.txt": "",
	}
	var left []string
	for name, text := range want {
		write(t, filepath.Join(config, filepath.FromSlash(name)), []byte(text))
		base := filepath.Base(name)
		if base == ".credentials.json" || base == "auth.json" || base == "settings.json" ||
			slices.ContainsFunc([]string{"../", "shell-", "statsig", in + id + "/.git", in + "memory"},
				func(begin string) bool { return strings.HasPrefix(name, begin) }) {
			left = append(left, name)
			delete(want, name)
		}
	}
	outside := filepath.Join(filepath.Dir(config), "outside")
	for _, link := range []string{in + id + "/tool-results/link.txt", "plans/link.md"} {
		if err := os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(config, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, link := range []string{in + id + "/linked", "paste-cache/linked"} {
		if err := os.Symlink(outside, filepath.Join(config, link)); err != nil {
			t.Skip(err)
		}
	}
	archiveOf(t, kept, "m", filepath.Join(config, "projects"))
	a, err := store.Open(context.Background(), kept)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	got := make(map[string]bool)
	for _, k := range a.Keys() {
		name, err := filepath.Rel(config, filepath.FromSlash(k.Folder+"/"+k.Path))
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		got[name] = true
		c := a.Content(a.Newest(k))
		text, err := io.ReadAll(c)
		c.Close()
		if wanted, ok := want[name]; !ok || err != nil || string(text) != wanted {
			t.Errorf("%s is archived as %q (error %v), want %q", name, text, err, wanted)
		}
	}
	for name := range want {
		if !got[name] {
			t.Errorf("%s is not archived", name)
		}
	}
	if len(left) != 9 {
		t.Errorf("%d files are left out, want 9: %q", len(left), left)
	}
	// The files of one session, which are restored together.
	n := 0
	for _, k := range a.Keys() {
		if IsOfSession(k.Path, id[:8]) {
			n++
		}
	}
	if n != 11 {
		t.Errorf("%d files belong to the session, want 11", n)
	}
}

// TestArchiveProject: with a project or a session, files around the projects folder are archived if their names have
// the id of one of its sessions, and no others. They are restored to their places.
func TestArchiveProject(t *testing.T) {
	config := filepath.Join(t.TempDir(), ".claude")
	const id, second = "17c3e8a4-0b6d-4f92-a7e1-c58d2b90f463", "27c3e8a4-0b6d-4f92-a7e1-c58d2b90f463"
	const other = "37c3e8a4-0b6d-4f92-a7e1-c58d2b90f463"
	put := func(name, text string) { t.Helper(); write(t, filepath.Join(config, name), []byte(text)) }
	log := func(id string) string {
		return `{"type":"user","uuid":"u1","sessionId":"` + id + `","message":{"role":"user","content":"Mend it"}}`
	}
	put("projects/-w/"+id+".jsonl", log(id))
	put("projects/-w/"+second+".jsonl", log(second))
	put("projects/-other/"+other+".jsonl", log(other))
	put("history.jsonl", `{"display":"Of others","sessionId":"`+other+`"}`+"\n")
	put("plans/a-plan.md", "# Of whom?")
	put("paste-cache/0123456789abcdef.txt", "of whom?")
	for _, id := range []string{id, second, other} {
		put("image-cache/"+id+"/1.png", "picture "+id)
		put("file-history/"+id+"/sub/aabbccdd@v1", "file "+id)
		put("todos/"+id+"-agent-"+id+".json", `["`+id+`"]`)
		put("tasks/"+id+"/1.json", `{"of":"`+id+`"}`)
	}
	put("file-history/"+id+"/.credentials.json", "a key")
	put("todos/"+other+"-agent-"+id+".json", `["an agent of another session"]`)
	of := func(ids ...string) []string {
		var names []string
		for _, id := range ids {
			names = append(names, "file-history/"+id+"/sub/aabbccdd@v1", "image-cache/"+id+"/1.png",
				"projects/-w/"+id+".jsonl", "tasks/"+id+"/1.json", "todos/"+id+"-agent-"+id+".json")
		}
		slices.Sort(names)
		return names
	}
	for name, c := range map[string]struct {
		source string
		want   []string
	}{
		"a project": {"projects/-w", of(id, second)},
		"a session": {"projects/-w/" + id + ".jsonl", of(id)},
	} {
		t.Run(name, func(t *testing.T) {
			kept := filepath.Join(t.TempDir(), "kept")
			archiveOf(t, kept, "m", filepath.Join(config, c.source))
			a, err := store.Open(context.Background(), kept)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			to, err := os.OpenRoot(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer to.Close()
			var got []string
			for _, k := range a.Keys() {
				restored, _, err := a.Restore(to, a.Newest(k), "")
				if err != nil {
					t.Fatal(err)
				}
				below := filepath.Join(to.Name(), "m", filepath.FromSlash(store.Plain(filepath.ToSlash(config))))
				name, err := filepath.Rel(below, restored)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, filepath.ToSlash(name))
				if !bytes.Equal(read(t, restored), read(t, filepath.Join(config, name))) {
					t.Errorf("the restored %s differs", name)
				}
			}
			if slices.Sort(got); !slices.Equal(got, c.want) {
				t.Errorf("restored:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			o := Options{Sources: []string{kept}, Version: "test"}
			listed, _, err := List(context.Background(), o, ListOptions{})
			if want := strings.Count(strings.Join(c.want, " "), ".jsonl"); err != nil || len(listed) != want {
				t.Errorf("the archive has %d sessions (error %v), want %d", len(listed), err, want)
			}
		})
	}
}

// TestNewerCopy: if a session is in an archive and in a folder, the newer copy is shown.
func TestNewerCopy(t *testing.T) {
	projects, kept := filepath.Join(t.TempDir(), "projects"), filepath.Join(t.TempDir(), "kept")
	const id = "17c3e8a4-0b6d-4f92-a7e1-c58d2b90f463"
	line := func(uuid, text string) string {
		return `{"type":"user","uuid":"` + uuid + `","sessionId":"` + id + `","cwd":"/w",` +
			`"timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"` + text + `"}}` + "\n"
	}
	put := func(text string) { t.Helper(); write(t, filepath.Join(projects, "-w", id+".jsonl"), []byte(text)) }
	prompts := func(want int) {
		t.Helper()
		for _, names := range [][]string{{projects, kept}, {kept, projects}} {
			listed, _, err := List(context.Background(), Options{Sources: names, Version: "test"}, ListOptions{})
			if err != nil || len(listed) != 1 || listed[0].Totals.Prompts != want {
				t.Errorf("%v: got %d sessions, %+v, error %v; want one with %d prompts",
					names, len(listed), listed, err, want)
			}
		}
	}
	put(line("u1", "One") + line("u2", "Two"))
	archiveOf(t, kept, "m", projects)
	prompts(2)
	put(line("u1", "One") + line("u2", "Two") + line("u3", "Three"))
	prompts(3) // the folder is newer
	put(line("u1", "One"))
	prompts(2) // the log was truncated, so the archive has more
	archiveOf(t, kept, "other", projects)
	prompts(2) // and one machine has more than the other
}
