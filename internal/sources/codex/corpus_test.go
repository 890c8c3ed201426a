package codex_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/claude"
	"viewer/internal/sources/codex"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render"
)

// notCodex are files that were invented for tests of other programs, and that no version of Codex has written. Their
// records have no drawing.
var notCodex = map[string]string{
	"jazzyalex+agent-sessions/session_branch.jsonl":                   "lines with a role and no envelope",
	"jazzyalex+agent-sessions/session_simple.jsonl":                   "lines with a role and no envelope",
	"jazzyalex+agent-sessions/session_toolcall.jsonl":                 "lines with a role and no envelope",
	"jazzyalex+agent-sessions/stage0/agents/codex/schema_drift.jsonl": "lines with a role and no envelope",
	"jazzyalex+agent-sessions/stage0/agents/codex/small.jsonl":        "names and inputs of tools are blanked out",
	"jazzyalex+agent-sessions/stage0/agents/codex/large.jsonl":        "items tool_call and tool_result",
}

// counts are the numbers of items in a file.
type counts struct{ prompts, calls, results, input, cached, output int64 }

type countedLine struct {
	Type    string
	Payload struct {
		Type, Role, ID, Message string
		ParentThreadID          string `json:"parent_thread_id"`
		TurnID                  string `json:"turn_id"`
		Content                 json.RawMessage
		Source                  json.RawMessage
		Info                    struct {
			Last  map[string]int64 `json:"last_token_usage"`
			Total json.RawMessage  `json:"total_token_usage"`
		}
		Usage map[string]int64
	}
}

// countLines counts the items of a file with knowledge of the format only: prompts are events user_message, calls and
// results are items, and tokens are those of token counts whose total changed. Records before the first turn of a file
// are of another session. A review has the event of its prompt twice.
func countLines(data []byte) (c counts, agent bool) {
	total, id := "", ""
	replayed, asked := false, ""
	lines := bytes.Split(data, []byte("\n"))
	for _, text := range lines {
		var l countedLine
		if json.Unmarshal(text, &l) != nil && l.Type == "" {
			continue
		}
		p := l.Payload
		switch {
		case l.Type == "session_meta" && id == "":
			id = p.ID
			agent = p.ParentThreadID != "" || bytes.Contains(p.Source, []byte("parent_thread_id"))
		case l.Type == "session_meta" && p.ID != id:
			replayed = true
		case replayed && p.Type == "task_started" && p.TurnID > id: // UUIDs of version 7 are ordered by time
			replayed = false
		}
		moved := p.Type == "token_count" && p.Info.Last != nil && (string(p.Info.Total) != total || total == "")
		used := p.Usage
		if moved {
			total, used = string(p.Info.Total), p.Info.Last
		}
		if replayed && agent {
			continue
		}
		switch {
		case p.Type == "user_message" && p.Message != asked:
			c.prompts++
		case l.Type == "response_item" && (p.Type == "function_call" || p.Type == "custom_tool_call"):
			c.calls++
		case l.Type == "response_item" && (p.Type == "function_call_output" || p.Type == "custom_tool_call_output"):
			c.results++
		case (moved || p.Type == "turn.completed") && !replayed:
			c.input += used["input_tokens"] - used["cached_input_tokens"]
			c.cached += used["cached_input_tokens"]
			c.output += used["output_tokens"]
		}
		asked = p.Message
	}
	return c, agent
}

// TestCorpusShuffled: lines of real sessions are all accounted for in any order, also if some are missing or
// incomplete.
func TestCorpusShuffled(t *testing.T) {
	n := 0
	for name, data := range sourcetest.SharedFiles(t, "agents/codex", ".jsonl") {
		if len(data) > 500_000 {
			continue
		}
		rng := rand.New(rand.NewPCG(uint64(len(data)), 3))
		lines := bytes.Split(data, []byte("\n"))
		rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		for i := range lines {
			if rng.IntN(20) == 0 && len(lines[i]) > 0 {
				lines[i] = lines[i][:rng.IntN(len(lines[i]))]
			}
		}
		f := sources.List{codex.Source{}}.Read(name, bytes.Join(lines, []byte("\n")), transcript.Options{})
		c := normalize.Build(normalize.Input{ID: name, Main: &f})
		drawn := render.DrawSession(render.Session{Conversation: c, Main: &f, Folder: "x"})
		if !drawn.Ledger.Balanced() {
			t.Errorf("%s: the ledger is not balanced: %+v", name, drawn.Ledger)
		}
		n++
	}
	t.Logf("%d files", n)
}

// TestCorpus: all records of each real file are accounted for, and the conversation has the items that an independent
// count finds.
func TestCorpus(t *testing.T) {
	all := sources.List{codex.Source{}, claude.Source{}}
	n := 0
	for name, data := range sourcetest.SharedFiles(t, "agents/codex", ".jsonl") {
		f := all.Read(name, data, transcript.Options{})
		made := notCodex[name] != ""
		c := normalize.Build(normalize.Input{ID: name, Main: &f})
		drawn := render.DrawSession(render.Session{Conversation: c, Main: &f, Folder: "x"})
		if !drawn.Ledger.Balanced() {
			t.Errorf("%s: the ledger is not balanced: %+v", name, drawn.Ledger)
		}
		if g := drawn.Ledger.Generic; len(g) > 0 && !made {
			t.Errorf("%s: generic drawings: %v", name, g)
		}
		if made || strings.HasPrefix(name, "kenn-io") { // their first lines have no type
			continue
		}
		want, agent := countLines(data)
		var got counts
		got.prompts = int64(c.Prompts())
		for inner := range c.All() {
			for g := range inner.Groups() {
				if g.Call != nil && g.Call.Block.ID != "" && bytes.Contains(g.Call.Record.Raw, []byte(`_call"`)) &&
					!bytes.Contains(g.Call.Record.Raw, []byte(`"web_search_call"`)) {
					got.calls++
				}
				if g.Result != nil && bytes.Contains(g.Result.Record.Raw, []byte(`_call_output"`)) {
					got.results++
				}
			}
			for _, turn := range inner.Turns {
				u := turn.Usage()
				got.input, got.cached, got.output = got.input+u.Input, got.cached+u.CacheRead, got.output+u.Output
			}
		}
		if agent || want.prompts == 0 { // the task of an agent is not an event
			want.prompts = got.prompts
		}
		if got != want {
			t.Errorf("%s: got %+v, counted %+v", name, got, want)
		}
		n++
	}
	t.Logf("%d files counted", n)
}
