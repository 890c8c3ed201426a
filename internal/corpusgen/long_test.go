package corpusgen_test

import (
	"bytes"
	"testing"

	"viewer/internal/corpusgen"
	"viewer/transcript"
)

func TestLongReadsWithoutProblems(t *testing.T) {
	const turns = 40
	file := transcript.Read("long.jsonl", corpusgen.Long(turns))
	for _, p := range file.Problems {
		t.Errorf("problem: %v", p)
	}
	prompts, calls, results := 0, map[string]bool{}, map[string]bool{}
	known := map[string]bool{"": true}
	for i := range file.Records {
		r := &file.Records[i]
		if !known[r.ParentUUID] {
			t.Errorf("record %s hangs on %s, which does not stand before it", r.UUID, r.ParentUUID)
		}
		if known[r.UUID] {
			t.Errorf("record %s stands there twice", r.UUID)
		}
		known[r.UUID] = true
		if r.Origin == "human" {
			prompts++
		}
		if r.Message == nil {
			continue
		}
		for _, b := range r.Message.Content {
			switch b.Type {
			case "tool_use":
				calls[b.ID] = true
			case "tool_result":
				results[b.ToolUseID] = true
			}
		}
	}
	if prompts != turns {
		t.Errorf("%d prompts, want %d", prompts, turns)
	}
	for id := range calls {
		if !results[id] {
			t.Errorf("call %s has no result", id)
		}
	}
	if len(calls) != len(results) {
		t.Errorf("%d calls, %d results", len(calls), len(results))
	}
}

func TestLongIsDeterministic(t *testing.T) {
	if !bytes.Equal(corpusgen.Long(30), corpusgen.Long(30)) {
		t.Error("two sessions of 30 turns differ")
	}
	if !bytes.HasPrefix(corpusgen.Long(30), corpusgen.Long(10)) {
		t.Error("a session of 30 turns does not start with the one of 10")
	}
	if len(corpusgen.Long(0)) != 0 {
		t.Error("a session without turns has text")
	}
}
