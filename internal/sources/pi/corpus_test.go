package pi_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"viewer/internal/sources/pi"
	"viewer/internal/testing/sourcetest"
)

// unknown are the kinds of records in the real files that nothing describes, with the reason.
var unknown = map[string]string{
	"record compact": "made up for a test of what a later version may write",

	"tool check_slop_file":            "of an extension",
	"tool diagnostic_tool":            "of an extension",
	"tool edit_file":                  "of an extension",
	"tool repoprompt_context_builder": "of an extension",
	"tool repoprompt_oracle_send":     "of an extension",
	"tool run_terminal":               "of an extension",
	"tool shell_exec":                 "of an extension",
}

// countLines counts the items of a file with knowledge of the format only, on all branches.
func countLines(_ string, data []byte) (c sourcetest.Counts) {
	type usage struct{ Input, Output, CacheRead, CacheWrite int64 }
	add := func(u usage) {
		c.Input, c.Output = c.Input+u.Input, c.Output+u.Output
		c.Cached, c.Written = c.Cached+u.CacheRead, c.Written+u.CacheWrite
	}
	for _, text := range bytes.Split(data, []byte("\n")) {
		var l struct {
			Type    string
			Usage   usage
			Message struct {
				Role    string
				Content json.RawMessage
				Usage   usage
			}
		}
		if json.Unmarshal(text, &l) != nil {
			continue
		}
		add(l.Usage)
		if l.Type != "message" {
			continue
		}
		add(l.Message.Usage)
		switch l.Message.Role {
		case "user":
			if !bytes.Contains(l.Message.Content, []byte(`<skill name=`)) {
				c.Prompts++
			}
		case "assistant":
			var blocks []struct{ Type string }
			_ = json.Unmarshal(l.Message.Content, &blocks) // a string has no calls
			for _, b := range blocks {
				if b.Type == "toolCall" {
					c.Calls++
				}
			}
		case "toolResult":
			c.Results++
		}
	}
	return c
}

// TestCorpus: all records of each real file are accounted for, and the conversation has the items that an independent
// count finds.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, pi.Source{}, sourcetest.SharedFiles(t, "agents/pi", ".jsonl"), unknown, countLines)
}
