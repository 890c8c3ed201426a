package gemini_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"viewer/internal/sources/gemini"
	"viewer/internal/testing/sourcetest"
)

type countedMessage struct {
	ID, Type  string
	Content   json.RawMessage
	Tokens    map[string]int64
	ToolCalls []struct{ Status string }
	Messages  []countedMessage
	Set       struct{ Messages []countedMessage } `json:"$set"`
}

// count counts the items of a file with knowledge of the format only: the last form of each message, by its id.
func count(_ string, data []byte) (c sourcetest.Counts) {
	last := make(map[string]countedMessage)
	var order []string
	var take func(m countedMessage)
	take = func(m countedMessage) {
		for _, inner := range append(m.Messages, m.Set.Messages...) {
			take(inner)
		}
		if m.ID == "" {
			return
		}
		if _, known := last[m.ID]; !known {
			order = append(order, m.ID)
		}
		last[m.ID] = m
	}
	for dec := json.NewDecoder(bytes.NewReader(data)); ; {
		var m countedMessage
		if err := dec.Decode(&m); err != nil && m.Type == "" && len(m.Messages) == 0 {
			break
		}
		take(m)
	}
	for _, id := range order {
		m := last[id]
		text := string(m.Content)
		sent := strings.Contains(text, `"functionResponse"`) || strings.Contains(text, "<session_context>") ||
			strings.Contains(text, `"System: Please continue."`)
		if m.Type == "user" && !sent {
			c.Prompts++
		}
		for _, call := range m.ToolCalls {
			c.Calls++
			if call.Status == "success" || call.Status == "error" || call.Status == "cancelled" {
				c.Results++
			}
		}
		c.Input += m.Tokens["input"] - m.Tokens["cached"] + m.Tokens["tool"]
		c.Cached += m.Tokens["cached"]
		c.Output += m.Tokens["output"] + m.Tokens["thoughts"]
	}
	return c
}

// TestCorpus: all records of each real file are accounted for, nothing is unknown, and the conversation has the items
// that an independent count finds.
func TestCorpus(t *testing.T) {
	files := sourcetest.SharedFiles(t, "agents/gemini", ".json", ".jsonl")
	sourcetest.Sweep(t, gemini.Source{}, files, nil, count)
}
