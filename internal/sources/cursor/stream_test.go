package cursor_test

import (
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/cursor"
	"viewer/internal/testing/sourcetest"
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

func TestStreamGrow(t *testing.T) {
	sourcetest.Grow(t, cursor.Stream{}, sourcetest.Cases(t, "cursor-cli_*"))
}

func FuzzStream(f *testing.F) {
	sourcetest.Fuzz(f, cursor.Stream{}, sourcetest.Cases(f, "cursor-cli_*"))
}
