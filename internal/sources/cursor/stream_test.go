package cursor_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/sources/cursor"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
)

// TestStreamMatch: streams are told from those of Claude Code, which list tools.
func TestStreamMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"type":"system","subtype":"init","apiKeySource":"login","cwd":"/w","session_id":"s","model":"m"}`: true,
		`{"type":"system","subtype":"init","apiKeySource":"none","session_id":"s","tools":["Bash"]}`:        false,
		`{"type":"system","subtype":"init","cwd":"/w","session_id":"s","model":"m"}`:                        false,
		`{"type":"system","subtype":"status","apiKeySource":"login","session_id":"s"}`:                      false,
		`{"type":"user","message":{"role":"user","content":[]},"session_id":"s","apiKeySource":"login"}`:    false,
		"": false,
	} {
		if got := (cursor.Stream{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestStreamToolName: the first letter of a tool's name becomes a capital, however many bytes it has.
func TestStreamToolName(t *testing.T) {
	line := `{"type":"tool_call","subtype":"started","call_id":"c1","tool_call":{"ébaucheToolCall":{"args":{}}}}`
	records, _ := cursor.Stream{}.NewTranslator().Translate(transcript.Pos{Line: 1}, jsontext.Value(line))
	if got := records[0].Message.Content[0].Name; got != "Ébauche" {
		t.Errorf("the tool is %q, want Ébauche", got)
	}
}

func TestStreamGrow(t *testing.T) {
	sourcetest.Grow(t, cursor.Stream{}, sourcetest.Cases(t, "cursor-cli_*"))
}

func FuzzStream(f *testing.F) {
	sourcetest.Fuzz(f, cursor.Stream{}, sourcetest.Cases(f, "cursor-cli_*"))
}
