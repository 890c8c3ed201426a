package antigravity_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/antigravity"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
)

// TestMatch: files are matched by their contents.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","status":"DONE","content":"cut`: true,
		`{"step_index":0,"type":"USER_INPUT","created_at":"t"}`:                                       true,
		`{"type":"USER_INPUT","source":"MODEL","status":"DONE"}`:                                      false,
		`{"step_index":0,"source":"MODEL"}`:                                                           false,
		"":                                                                                            false,
	} {
		if got := (antigravity.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestArrange: of two transcripts of a session, the one that is not truncated counts.
func TestArrange(t *testing.T) {
	paths := []string{
		"brain/a1/.system_generated/logs/transcript.jsonl", "brain/a1/.system_generated/logs/transcript_full.jsonl",
		"brain/a1/task.md.metadata.json", "brain/b2/.system_generated/logs/transcript.jsonl",
	}
	tree := sources.Tree{Base: "antigravity", Paths: paths, Head: func(string) []byte {
		return []byte(`{"step_index":0,"type":"USER_INPUT","status":"DONE"}`)
	}}
	want := []sources.Folder{{Name: "antigravity", Sessions: []sources.Session{
		{ID: "a1", Log: 1, Path: paths[1]}, {ID: "b2", Log: 3, Path: paths[3]},
	}}}
	if got := (antigravity.Source{}).Arrange(&tree); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if !tree.Taken(0) {
		t.Error("the other transcript is a separate session")
	}
}

func TestFolder(t *testing.T) {
	for _, folder := range []string{"/home/mara/net", "~/net"} { // the home folder may be redacted
		head := `{"tool_calls":[{"name":"run_command","args":{"CommandLine":"\"ls\"","Cwd":"\"` + folder + `\""}}]}`
		if got := (antigravity.Source{}).FolderOf([]byte(head)); got != folder {
			t.Errorf("the folder is %q, want %q", got, folder)
		}
	}
}

// count counts the items of a file with knowledge of the format only. A result without a call stands for its call.
func count(_ string, data []byte) (c sourcetest.Counts) {
	open := 0
	for line := range bytes.Lines(data) {
		var l struct {
			Type, Source, Content string
			ToolCalls             []struct{ Name string } `json:"tool_calls"`
		}
		if json.Unmarshal(line, &l) != nil {
			continue
		}
		c.Calls += int64(len(l.ToolCalls))
		open += len(l.ToolCalls)
		switch {
		case l.Type == "USER_INPUT":
			if strings.Contains(l.Content, "<USER_REQUEST>") || !strings.HasPrefix(l.Content, "<") {
				c.Prompts++
			}
		case l.Source == "MODEL" && l.Type != "PLANNER_RESPONSE", l.Type == "GENERIC":
			c.Results++
			if open == 0 {
				c.Calls++
			} else {
				open--
			}
		}
	}
	return c
}

// TestCorpus: all records of each real transcript are accounted for, and the conversation has the items that an
// independent count finds.
func TestCorpus(t *testing.T) {
	unknown := map[string]string{
		"tool generic":          "a step whose call is not in the log",
		"tool browser_navigate": "the same",
	}
	sourcetest.Sweep(t, antigravity.Source{}, sourcetest.SharedFiles(t, "agents/antigravity", ".jsonl"), unknown, count)
}

// TestLines: a growing log, including incomplete lines, gives the same as reading it at once, and lines in any order
// are all accounted for.
func TestLines(t *testing.T) {
	files := sourcetest.Cases(t, "antigravity_*")
	sourcetest.Grow(t, antigravity.Source{}, files)
	sourcetest.Shuffle(t, antigravity.Source{}, `{"step_index":0,"type":"USER_INPUT","status":"DONE"}`, files)
}

// FuzzTranslate: any line becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, antigravity.Source{}, sourcetest.Cases(f, "antigravity_*"))
}

// TestBackground: a command that goes on in the background has a task and no exit code.
func TestBackground(t *testing.T) {
	log := `{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","content":"Row."}
{"step_index":1,"source":"MODEL","type":"PLANNER_RESPONSE","tool_calls":[{"name":"run_command","args":{"CommandLine":"\"row\""}}]}
{"step_index":2,"source":"MODEL","type":"RUN_COMMAND","status":"RUNNING","content":"Created At: 2026-07-01T06:00:05Z\nTool is running as a background task with task id: b1/task-2\nTask Description: row"}`
	f := sources.List{antigravity.Source{}}.Read("transcript.jsonl", []byte(log), transcript.Options{})
	const want = `{"backgroundTaskId":"b1/task-2"}`
	if got := string(f.Records[len(f.Records)-1].ToolUseResult); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
