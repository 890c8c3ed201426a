package compare

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"viewer/internal/sources/all"
	"viewer/internal/testing/corpus"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestPartingOfCut compares a real run with its log truncated before a call: they must diverge at that call.
func TestPartingOfCut(t *testing.T) {
	for _, name := range corpus.Glob(t, "sdk/*/*.jsonl") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		whole := excerptOf(data)
		calls, at := 0, 0 // calls before the line, and its offset
		for line := range bytes.Lines(data) {
			var r struct {
				Message struct {
					Content []struct{ Type string }
				}
			}
			_ = json.Unmarshal(line, &r) // content may be a string, which has no calls
			before := calls
			for _, block := range r.Message.Content {
				if block.Type == "tool_use" {
					calls++
				}
			}
			if calls > before {
				found := Partings([]Run{whole, excerptOf(data[:at])})
				if len(found) != 1 || found[0].After != before {
					t.Errorf("%s truncated before call %d: got %+v, want one parting after %d steps",
						name, calls, found, before)
				}
			}
			at += len(line)
		}
		if calls == 0 || len(whole.Steps) < calls {
			t.Errorf("%s: got %d steps with %d calls", name, len(whole.Steps), calls)
		}
	}
}

// excerptOf reads a log with missing parts.
func excerptOf(data []byte) Run {
	file := all.Sources.Read("run.jsonl", data, transcript.Options{Originals: true})
	return runIn(normalize.Build(normalize.Input{ID: "run", Main: &file}))
}
