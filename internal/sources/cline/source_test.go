package cline_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/cline"
	"viewer/internal/testing/sourcetest"
)

// TestMatch: files are matched by their contents, with any white space.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`[{"role":"user","content":[{"type":"text","text":"<task>\nPaint.\n</task>`:        true,
		"[\n {\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"<user_message>": true,
		`{"version":1,"agent":"lead","sessionId":"s","messages":[`:                         true,
		`{"sessionId":"s","messages":[]}`:                                                  false,
		`{"sessionId":"s","messages":[],"lastUpdated":"t","version":1}`:                    false,
		`[{"role":"user","content":"hi"}]`:                                                 false,
		`[{"role":"assistant","content":"<task>"}]`:                                        false,
		`[{"type":"user","role":"user","content":"<task>"}]`:                               false,
		`{"role":"user","content":"<task>"}`:                                               false,
		"":                                                                                 false,
	} {
		if got := (cline.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestArrange: a task consists of the files in its folder, with its title. Other files there are not read.
func TestArrange(t *testing.T) {
	files := map[string]string{
		"17/api_conversation_history.json": `[{"role":"user","content":"<task>Paint</task>"}]`,
		"17/history_item.json":             `{"task":"Paint"}`,
		"17/task_metadata.json":            `{}`,
		"17/ui_messages.json":              `[]`,
		"s1/s1.json":                       `{"metadata":{"title":"Sail"}}`,
		"s1/s1.messages.json":              `{"sessionId":"s1","messages":[],"agent":"lead"}`,
	}
	tree := &sources.Tree{Base: "tasks", Head: func(p string) []byte { return []byte(files[p]) }, Paths: []string{
		"17/api_conversation_history.json", "17/history_item.json", "17/task_metadata.json", "17/ui_messages.json",
		"s1/s1.json", "s1/s1.messages.json",
	}}
	want := []sources.Folder{{Name: "tasks", Sessions: []sources.Session{
		{ID: "17", Log: 0, Path: tree.Paths[0], Beside: []int{1}},
		{ID: "s1", Log: 5, Path: tree.Paths[5], Beside: []int{4}},
	}}}
	if got := (cline.Source{}).Arrange(tree); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if !tree.Taken(2) || !tree.Taken(3) {
		t.Error("other files beside a task are not left out")
	}
	for log, beside := range map[string]string{tree.Paths[0]: tree.Paths[1], tree.Paths[5]: tree.Paths[4]} {
		role, _ := cline.Source{}.Role(log, beside)
		if title := (cline.Source{}).Title([]byte(files[beside])); role != sources.RoleTitle || title == "" {
			t.Errorf("%s has the role %v and the title %q", beside, role, title)
		}
	}
	if n := len((cline.Source{}).Folders(nil, "")); n != 0 {
		t.Errorf("got %d folders without a home, want none", n)
	}
	env := map[string]string{"APPDATA": "D:/Roaming"}
	got := (cline.Source{}).Folders(func(name string) string { return env[name] }, "/h")
	for _, want := range []string{
		"/h/.config/VSCodium/User/globalStorage/saoudrizwan.claude-dev/tasks",
		"D:/Roaming/Code - Insiders/User/globalStorage/rooveterinaryinc.roo-cline/tasks",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("the folders lack %s: %q", want, got)
		}
	}
}

// TestArrangeAgents: other messages in the folder of a session of the command line are those of its agents.
func TestArrangeAgents(t *testing.T) {
	head := []byte(`{"version":1,"agent":"lead","sessionId":"s1","messages":[`)
	tree := &sources.Tree{Base: "sessions", Head: func(string) []byte { return head }, Paths: []string{
		"s1/a1.messages.json", "s1/s1.compaction.json", "s1/s1.json", "s1/s1.messages.json", "s2/s2.messages.json",
	}}
	want := []sources.Folder{{Name: "sessions", Sessions: []sources.Session{
		{ID: "s1", Log: 3, Path: tree.Paths[3], Beside: []int{2}, Agents: []sources.Agent{{ID: "a1", Log: 0, Meta: -1}}},
		{ID: "s2", Log: 4, Path: tree.Paths[4]},
	}}}
	if got := (cline.Source{}).Arrange(tree); !reflect.DeepEqual(got, want) || !tree.Taken(1) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestFolderOf: the folder is the one that the program told the model.
func TestFolderOf(t *testing.T) {
	for text, want := range map[string]string{
		`"# Current Working Directory (/w/boat) Files\nhull"`:    "/w/boat",
		`"# Current Workspace Directory (C:\\boat) Files\nhull"`: `C:\boat`,
		`"# Current Working Directory (/w/boat`:                  "",
		``:                                                       "",
	} {
		if got := (cline.Source{}).FolderOf([]byte(text)); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// FuzzTranslate: truncated, shuffled and random values become records or problems.
func FuzzTranslate(f *testing.F) { sourcetest.Fuzz(f, cline.Source{}, sourcetest.Cases(f, "cline_*")) }

// count counts the items of a file with knowledge of the format only.
func count(_ string, data []byte) (c sourcetest.Counts) {
	type message struct{ Role string }
	var list []message
	if json.Unmarshal(data, &list) != nil {
		var session struct{ Messages []message }
		_ = json.Unmarshal(data, &session) // truncated files have no counts
		list = session.Messages
	}
	for _, m := range list {
		if m.Role == "user" {
			c.Prompts++
		}
	}
	return c
}

// TestCorpus: all records of each real task are accounted for, and the conversation has the items that an independent
// count finds.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, cline.Source{}, sourcetest.SharedFiles(t, "agents/cline", ".json"), nil, count)
}
