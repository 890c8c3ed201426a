package copilot_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"viewer/internal/sources/copilot"
	"viewer/internal/testing/sourcetest"
)

type countedLine struct {
	Type, AgentID string
	Data          struct {
		ToolCallID, ToolName, Source, Content string
		ToolRequests                          []struct{ ToolCallID, Name string }
		OutputTokens                          int64
	}
}

// countLines counts by the words of the format alone: prompts are messages of the user without a source, outside of
// agents; a call is a request of a tool or the start of one that nobody requested; what says an intent is no call.
func countLines(_ string, data []byte) (c sourcetest.Counts) {
	calls, ended, intents := make(map[string]bool), make(map[string]bool), make(map[string]bool)
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
			for _, r := range d.ToolRequests {
				call(r.ToolCallID, r.Name)
			}
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

// Every file beside the project is accounted for, and what an independent count finds is what the conversation has.
func TestCorpus(t *testing.T) {
	const blanked = "jazzyalex+agent-sessions/copilot/small.jsonl" // ids and names of tools were taken out of it
	files := sourcetest.SharedFiles(t, "agents/copilot", ".jsonl")
	for name, data := range files {
		if !(copilot.Source{}).Match(data) {
			t.Errorf("%s: not recognized", name)
		}
	}
	sourcetest.Draw(t, copilot.Source{}, blanked, files[blanked])
	delete(files, blanked)
	sourcetest.Sweep(t, copilot.Source{}, files, nil, countLines)
}
