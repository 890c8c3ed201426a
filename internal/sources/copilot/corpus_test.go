package copilot_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/copilot"
	"viewer/internal/testing/sourcetest"
)

type countedLine struct {
	Type, AgentID string
	Data          struct {
		ToolCallID, ToolName, Source, Content string
		ToolRequests                          []struct{ ToolCallID, Name string }
		OutputTokens                          int64
		ModelMetrics                          map[string]struct {
			Usage struct{ InputTokens, CacheReadTokens, CacheWriteTokens, OutputTokens int64 }
		}
	}
}

// countLines counts the items of a file with knowledge of the format only: prompts are user messages without a source,
// outside of agents. A call is a request of a tool, or the start of one without a request. An announced intent is not a
// call.
func countLines(_ string, data []byte) (c sourcetest.Counts) {
	calls, ended, intents := make(map[string]bool), make(map[string]bool), make(map[string]bool)
	answered := int64(0) // the output tokens of answers since the program started
	call := func(id, tool string) {
		if calls[id] || intents[id] {
			return
		}
		if tool == "report_intent" {
			intents[id] = true
			return
		}
		calls[id] = true
		c.Calls++
	}
	for _, text := range bytes.Split(data, []byte("\n")) {
		var l countedLine
		if json.Unmarshal(text, &l) != nil {
			continue
		}
		switch d := l.Data; l.Type {
		case "user.message":
			if d.Source == "" && l.AgentID == "" && d.Content != "" {
				c.Prompts++
			}
		case "assistant.message":
			c.Output += d.OutputTokens
			answered += d.OutputTokens
			for _, r := range d.ToolRequests {
				call(r.ToolCallID, r.Name)
			}
		case "session.shutdown": // it has all tokens since the program started
			for _, m := range d.ModelMetrics {
				u := m.Usage
				c.Input += u.InputTokens - u.CacheReadTokens - u.CacheWriteTokens
				c.Cached, c.Written = c.Cached+u.CacheReadTokens, c.Written+u.CacheWriteTokens
				c.Output += u.OutputTokens
			}
			if len(d.ModelMetrics) > 0 {
				c.Output -= answered
			}
			answered = 0
		case "tool.execution_start":
			call(d.ToolCallID, d.ToolName)
		case "tool.execution_complete":
			if !ended[d.ToolCallID] && !intents[d.ToolCallID] {
				c.Results++
			}
			ended[d.ToolCallID] = true
		}
	}
	return c
}

// TestCorpus: all records of each real file are accounted for, and the conversation has the items that an independent
// count finds.
func TestCorpus(t *testing.T) {
	const blanked = "jazzyalex+agent-sessions/copilot/small.jsonl" // its ids and names of tools were removed
	files := sourcetest.SharedFiles(t, "agents/copilot", ".jsonl")
	for name, data := range files {
		if !(copilot.Source{}).Match(sources.NewHead(data)) {
			t.Errorf("%s: not recognized", name)
		}
	}
	sourcetest.Draw(t, copilot.Source{}, blanked, files[blanked])
	delete(files, blanked)
	sourcetest.Sweep(t, copilot.Source{}, files, nil, countLines)
}
