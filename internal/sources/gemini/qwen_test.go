package gemini_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/gemini"
	"viewer/internal/testing/sourcetest"
)

// TestMatchQwen: lines of Qwen Code are like those of Claude Code, except for their parts.
func TestMatchQwen(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for head, want := range map[string]bool{
		`{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user","parts":[{"text":"hi"}]}}`: true,
		`{"uuid":"u","sessionId":"s","type":"user","message":{"role":"user","parts":[{"text":"` + long:                   true,
		`{"uuid":"u","sessionId":"s","type":"system","subtype":"ui_telemetry","systemPayload":{}}`:                       true,
		`{"uuid":"u","sessionId":"s","type":"tool_result","cwd":"/w"}`:                                                   true,
		`{"uuid":"u","sessionId":"s","type":"system","managedSession":{"engine":"managed"}}`:                             true,
		`{"uuid":"u","sessionId":"s","type":"user","message":{"role":"user","content":"hi"}}`:                            false,
		`{"uuid":"u","sessionId":"s","type":"user","message":{"role":"user","content":"` + long:                          false,
		`{"id":"b","timestamp":"t","type":"gemini","content":"hi"}`:                                                      false,
		`{"uuid":"u","sessionId":"s","type":"progress","systemPayload":{}}`:                                              false,
		"": false,
	} {
		if got := (gemini.Qwen{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%.90s: got %v, want %v", head, got, want)
		}
	}
}

// TestArrangeQwen: sessions are in the folder of a project, or in its archive, and their agents beside them. Ledgers of
// prompts are left out.
func TestArrangeQwen(t *testing.T) {
	paths := []string{
		"-w-kiln/chats/5c0a.jsonl", "-w-kiln/chats/archive/81b2.jsonl", "-w-kiln/chats/archive/81b2.ledger.jsonl",
		"-w-kiln/chats/other.jsonl", "-w-kiln/subagents/5c0a/agent-e1.jsonl",
		"-w-kiln/subagents/5c0a/agent-e1.meta.json", "-w-kiln/subagents/81b2/agent-e3.jsonl",
		"-w-kiln/subagents/gone/agent-e2.jsonl",
	}
	tree := sources.Tree{Base: "projects", Paths: paths, Head: func(p string) []byte {
		if strings.Contains(p, "other") {
			return []byte(`{"uuid":"u","type":"user","sessionId":"s","message":{"content":"hi"}}`)
		}
		return []byte(`{"uuid":"u","type":"user","sessionId":"s","message":{"parts":[]}}`)
	}}
	want := []sources.Folder{{Name: "-w-kiln", OfPath: true, Sessions: []sources.Session{
		{ID: "5c0a", Log: 0, Path: paths[0], Agents: []sources.Agent{{ID: "e1", Log: 4, Meta: 5}}},
		{ID: "81b2", Log: 1, Path: paths[1], Agents: []sources.Agent{{ID: "e3", Log: 6, Meta: -1}}},
	}}}
	if got := (gemini.Qwen{}).Arrange(&tree); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if !tree.Taken(2) {
		t.Error("the ledger is not left out")
	}
}

func TestFoldersQwen(t *testing.T) {
	env := map[string]string{}
	getenv := func(name string) string { return env[name] }
	if got := (gemini.Qwen{}).Folders(getenv, "/h"); !slices.Equal(got, []string{"/h/.qwen/projects", "/h/.qwen/tmp"}) {
		t.Errorf("got %q", got)
	}
	env["QWEN_HOME"] = "/q"
	if got := (gemini.Qwen{}).Folders(getenv, "/h"); !slices.Equal(got, []string{"/q/projects", "/q/tmp"}) {
		t.Errorf("with a folder for its files: got %q", got)
	}
	env["QWEN_RUNTIME_DIR"] = "/r"
	if got := (gemini.Qwen{}).Folders(getenv, "/h"); !slices.Equal(got, []string{"/r/projects", "/r/tmp"}) {
		t.Errorf("with variables: got %q", got)
	}
}

// countQwen counts the items of a file with knowledge of the format only.
func countQwen(_ string, data []byte) (c sourcetest.Counts) {
	seen := make(map[string]bool)
	for dec := json.NewDecoder(bytes.NewReader(data)); ; {
		var l struct {
			UUID, Type, Subtype string
			Message             struct {
				Parts []struct {
					Text                           string
					FunctionCall, FunctionResponse *struct{}
				}
			}
			UsageMetadata struct{ PromptTokenCount, CandidatesTokenCount int64 }
		}
		if dec.Decode(&l) != nil {
			return c
		}
		said := false
		for _, p := range l.Message.Parts {
			said = said || p.Text != "" && !strings.HasPrefix(p.Text, "<qwen:")
			if p.FunctionCall != nil {
				c.Calls++
			}
			if p.FunctionResponse != nil {
				c.Results++
			}
		}
		if l.Type == "user" && said && (l.Subtype == "" || l.Subtype == "mid_turn_user_message") && !seen[l.UUID] {
			c.Prompts++
		}
		seen[l.UUID] = true
		c.Input += l.UsageMetadata.PromptTokenCount
		c.Output += l.UsageMetadata.CandidatesTokenCount
	}
}

// TestCorpusQwen: all records of each real file are accounted for, and the conversation has the items that an
// independent count finds.
func TestCorpusQwen(t *testing.T) {
	unknown := map[string]string{"tool [trimmed for fixture], [trimmed for fixtur…": "its name is blanked out"}
	sourcetest.Sweep(t, gemini.Qwen{}, sourcetest.SharedFiles(t, "agents/qwen", ".jsonl"), unknown, countQwen)
}

// TestLinesQwen: a growing log, including incomplete lines, gives the same as reading it at once, lines in any order
// are all accounted for, and a scan gives the facts of the records.
func TestLinesQwen(t *testing.T) {
	files := sourcetest.Cases(t, "qwen-code_*")
	sourcetest.Grow(t, gemini.Qwen{}, files)
	sourcetest.Shuffle(t, gemini.Qwen{}, `{"uuid":"a","sessionId":"s","type":"tool_result"}`, files)
	sourcetest.Scan(t, gemini.Qwen{}, files, func(string, *sources.Facts) {})
}

// FuzzTranslateQwen: any line becomes records or problems, and nothing panics.
func FuzzTranslateQwen(f *testing.F) {
	sourcetest.Fuzz(f, gemini.Qwen{}, sourcetest.Cases(f, "qwen-code_*"))
}
