package gemini_test

import (
	"reflect"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/gemini"
	"viewer/internal/testing/sourcetest"
)

// Whose a file is says its content, in any white space.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"sessionId":"a","projectHash":"b","startTime":"t","lastUpdated":"t","kind":"main"}`: true,
		"{\n  \"lastUpdated\": \"t\",\n  \"messages\": [\n    {\n      \"content\": \"cut":    true,
		`{"$set":{"lastUpdated":"t"}}`:                                                           true,
		`{"$rewindTo":"m"}`:                                                                      true,
		`{"content":"a","id":"b","timestamp":"t","type":"gemini"}`:                               true,
		`{"id":"b","timestamp":"t","type":"user","content":"hi"}`:                                true,
		`[{"sessionId":"a","messageId":0,"type":"user","message":"hi","timestamp":"t"}]`:         false,
		`{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}`:    false,
		`{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{}}`:               false,
		`{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user"}}`: false,
		`{"timestamp":"t","type":"session_meta","payload":{"id":"a"}}`:                           false,
		"": false,
	} {
		if got := (gemini.Source{}).Match([]byte(head)); got != want {
			t.Errorf("%s: %v, want %v", head, got, want)
		}
	}
}

// Sessions and their agents lie in the folder of a project. Nobody looks into credentials, and a session that lies
// there in both forms is one.
func TestArrange(t *testing.T) {
	head := `{"sessionId":"7a1e5c20-1","projectHash":"b","startTime":"t"}`
	hash := strings.Repeat("5e", 32)
	paths := []string{
		hash + "/chats/session-2025-10-04T09-00-11112222.json", "logs.json", "oauth_creds.json",
		"quay/chats/7a1e5c20-0000-4000-8000-000000000001/9b00c0de.jsonl",
		"quay/chats/session-2026-05-04T09-00-7a1e5c20.json", "quay/chats/session-2026-05-04T09-00-7a1e5c20.jsonl",
		"quay/chats/session-claude.jsonl",
	}
	var read []string
	tree := sources.Tree{Base: "tmp", Paths: paths, Head: func(p string) []byte {
		read = append(read, p)
		if strings.Contains(p, "claude") {
			return []byte(`{"type":"user","uuid":"u","sessionId":"s"}`)
		}
		return []byte(head)
	}}
	var got []string
	for _, fo := range (gemini.Source{}).Arrange(&tree) {
		for _, s := range fo.Sessions {
			got = append(got, fo.Name+" "+s.ID)
			for _, a := range s.Agents {
				got = append(got, "agent "+a.ID)
			}
		}
	}
	want := []string{
		hash[:12] + " session-2025-10-04T09-00-11112222", "quay session-2026-05-04T09-00-7a1e5c20", "agent 9b00c0de",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("arranged %q, want %q", got, want)
	}
	if all := strings.Join(read, " "); strings.Contains(all, "creds") || strings.Contains(all, "logs.json") {
		t.Errorf("looked into %q", read)
	}
}

// A log that grows, torn lines and all, is read as the whole of it.
func TestAppend(t *testing.T) {
	sourcetest.Grow(t, gemini.Source{}, sourcetest.Cases(t, "gemini-cli_*"))
}

// Whatever order the lines of logs come in, all of them are accounted for.
func TestShuffled(t *testing.T) {
	first := `{"$set":{}}`
	sourcetest.Shuffle(t, gemini.Source{}, first, sourcetest.Cases(t, "gemini-cli_*"))
}

// FuzzTranslate: whatever a value holds, it becomes records or a problem, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, gemini.Source{}, sourcetest.Cases(f, "gemini-cli_*"))
}
