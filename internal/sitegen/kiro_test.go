package sitegen

import (
	"path/filepath"
	"strings"
	"testing"
)

const kiroSession = "7b1e0000-0000-4000-8000-0000000000f1"

// TestKiroHome builds and watches a session of Kiro with an agent. The documents next to the logs change with them.
func TestKiroHome(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "cli", kiroSession+".jsonl")
	document := strings.TrimSuffix(file, "l")
	agent := filepath.Join(dir, "cli", "7b1e0000-0000-4000-8000-0000000000f2")
	lines := []string{
		kiroLine("Prompt", "p1", `{"kind":"text","data":"Mend the lamp"}`),
		kiroLine("AssistantMessage", "a1", `{"kind":"toolUse","data":{"toolUseId":"t1","name":"subagent","input":`+
			`{"stages":[{"name":"look","prompt_template":"Look at it"}]}}}`),
		kiroLine("ToolResults", "r1", `{"kind":"toolResult","data":{"toolUseId":"t1","content":`+
			`[{"kind":"text","data":"It is dry"}],"status":"success"}}`),
		kiroLine("AssistantMessage", "a2", `{"kind":"text","data":"It glows"}`),
	}
	write(t, file, []byte(strings.Join(lines[:2], "\n")+"\n"))
	write(t, document, kiroDocument(kiroSession, "", ""))
	write(t, agent+".jsonl", []byte(kiroLine("Prompt", "q1", `{"kind":"text","data":"Look at it"}`)+"\n"))
	write(t, agent+".json", kiroDocument("7b1e0000-0000-4000-8000-0000000000f2", kiroSession, ""))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test", Prune: true}
	w := watchFile(t, o, file)
	w.build()
	for _, line := range lines[2:] {
		appendTo(t, file, line+"\n")
		w.build()
		w.checkSame(line[:60])
	}
	write(t, document, kiroDocument(kiroSession, "", `{"message_ids":["p1","a1","r1","a2"],"input_token_count":50,`+
		`"output_token_count":70,"model":"gull-5","end_timestamp":"2026-09-21T13:34:00Z"}`))
	settle(t, dir)
	r := w.build()
	w.checkSame("tokens")
	if r.Sessions != 1 || r.Totals.Agents != 1 || r.Totals.Usage.Input != 50 || r.Totals.Usage.Output != 70 ||
		len(r.Problems) != 0 || !r.Ledger.Balanced() {
		t.Errorf("got %d sessions, %d agents, %+v, problems %v", r.Sessions, r.Totals.Agents, r.Totals.Usage,
			r.Problems)
	}
	page := string(read(t, filepath.Join(o.Out, "s", kiroSession, "index.html")))
	for _, text := range []string{"Mend the lamp", "It glows", "Look at it", "gull-5"} {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %q", text)
		}
	}
}

func kiroLine(kind, id, part string) string {
	return `{"version":"v1","kind":"` + kind + `","data":{"message_id":"` + id + `","content":[` + part +
		`],"meta":{"timestamp":1789997600}}}`
}

// kiroDocument returns the document next to a log, as Kiro indents it.
func kiroDocument(id, parent, turns string) []byte {
	return []byte(`{
  "session_id": "` + id + `",
  "parent_session_id": "` + parent + `",
  "cwd": "/w/lamp",
  "session_state": {
    "conversation_metadata": {
      "user_turn_metadatas": [` + turns + `]
    }
  }
}`)
}
