package sitegen

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/all"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
)

// plantedTexts are appended to strings of sessions: a key, the home of a user, the mail address of a person.
const plantedTexts = ` ghp_9aZ3kQ7mXw2Rt5VbN8cY1dLf4HjG6sPe0uKq /home/zebulonq/lamp zebulonq.ferrand@lampworks.net`

// notPlanted are members with ids, kinds and times, which connect records and are never redacted. No text of a person
// or a tool is in one of them.
var notPlanted = map[string]bool{
	"type": true, "subtype": true, "role": true, "timestamp": true, "version": true, "id": true, "uuid": true,
	"parentUuid": true, "sessionId": true, "session_id": true, "sessionID": true, "agentId": true,
	"messageId": true, "message_id": true, "requestId": true, "call_id": true, "callId": true, "toolCallId": true,
	"tool_call_id": true, "toolUseID": true, "tool_use_id": true, "promptId": true, "forked_from_id": true,
	"forkSessionID": true, "thread_id": true, "parent_thread_id": true, "parentID": true, "eval_id": true,
	"task_id": true, "run_id": true, "bubble": true, "bubbleId": true, "branchedFrom": true, "composerId": true,
	"zedThread": true, "kiroConversation": true, "conversation_id": true, "parentSession": true,
	"callingSessionId": true, "gooseSession": true, "parent_session_id": true, "copied_from": true,
	"hermesSession": true, "agent_of": true, "crushSession": true, "agents": true,
	"openhandsConversation": true, "response_id": true, "llm_response_id": true, "kind": true,
}

// plant appends the texts to each string of a session whose number has a given remainder, and counts the strings. Lines
// that are not JSON get them at their ends.
func plant(data []byte, of, remainder int) (planted []byte, places int) {
	if trimmed := bytes.TrimSpace(data); len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' {
		for i, line := range bytes.SplitAfter(data, []byte("\n")) {
			text, end := bytes.CutSuffix(line, []byte("\n"))
			planted = append(planted, text...)
			if i%of == remainder && len(bytes.TrimSpace(text)) > 0 {
				planted = append(planted, plantedTexts...)
				places++
			}
			if end {
				planted = append(planted, '\n')
			}
		}
		return planted, places
	}
	name, from, n := "", 0, 0
	for kind, token := range transcript.Tokens(data) {
		switch kind {
		case ':':
			name = transcript.String(token)
		case '"':
			if n++; n%of != remainder || notPlanted[name] {
				continue
			}
			end := cap(data) - cap(token) + len(token) - 1
			planted = append(append(planted, data[from:end]...), plantedTexts...)
			from = end
			places++
		}
	}
	return append(planted, data[from:]...), places
}

// TestPlanted: secrets and personal data, at any place in a session of any agent, are on no page, in no search text and
// in no list of the site.
func TestPlanted(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	const of = 4 // randomMatch in so many strings
	rounds := 2
	if corpus.Full() {
		rounds = of
	}
	seen := make(map[string]int)
	for name, data := range golden.Sections(t, "../../normalize/testdata/sources/*.txtar", "in.jsonl") {
		for i := range rounds {
			planted, places := plant(data, of, (i+len(name))%of)
			ending := ".jsonl"
			if sources.IsDocument(data) {
				ending = ".json"
			}
			if strings.HasPrefix(name, "aider") {
				ending = "/.aider.chat.history.md"
			}
			seen[all.Sources.Of(planted).Writer().ID()] += places
			write(t, filepath.Join(dir, fmt.Sprintf("%s-%d%s", name, i, ending)), planted)
		}
	}
	for _, s := range all.Sources[:len(all.Sources)-1] {
		if id := s.Writer().ID(); seen[id] == 0 {
			t.Errorf("no texts were planted in a session of %s", id)
		}
	}
	mustBuild(t, Options{Sources: []string{dir}, Out: out, Version: "test"})
	err := filepath.WalkDir(out, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data := read(t, p)
		for _, secret := range []string{"ghp_9aZ3", "zebulonq", "ferrand"} {
			if at := bytes.Index(data, []byte(secret)); at >= 0 {
				t.Errorf("%s contains %q: %q", p, secret, data[max(0, at-200):min(len(data), at+60)])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
