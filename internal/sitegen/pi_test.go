package sitegen

import (
	"path/filepath"
	"strings"
	"testing"
)

// piLine returns an entry of a session of Pi, with its id, that of its parent, and a message.
func piLine(id, parent, message string) string {
	return `{"type":"message","id":"` + id + `","parentId":"` + parent + `","timestamp":"2026-05-01T10:00:0` + id[7:] +
		`.000Z","message":` + message + "}\n"
}

func piHead(id string) string {
	return `{"type":"session","version":3,"id":"` + id + `","timestamp":"2026-05-01T10:00:00.000Z",` +
		`"cwd":"/w/lamp"}` + "\n"
}

// TestPiHome builds and watches a session of Oh My Pi with agents, whose files are in a folder with its name.
// Credentials beside them are not read. The file of an agent alone is a session.
func TestPiHome(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "sessions", "--w-lamp--")
	const id = "019dbe19-0000-7000-8000-0000000000f1"
	file := filepath.Join(folder, "2026-05-01T10-00-00-000Z_"+id+".jsonl")
	lines := []string{
		piHead(id), piLine("a0000001", "", `{"role":"user","content":"Mend the lamp"}`),
		piLine("a0000002", "a0000001", `{"role":"assistant","model":"m","content":[{"type":"toolCall","id":"c1",`+
			`"name":"task","arguments":{"agent":"explore","tasks":[{"id":"Wick","assignment":"Is it dry?"},`+
			`{"id":"Oil","assignment":"Is there any?"}]}}],"usage":{"input":5,"output":7}}`),
		piLine("a0000006", "a0000002", `{"role":"toolResult","toolCallId":"c1","toolName":"task","content":"Done",`+
			`"details":{"results":[{"id":"Wick"},{"id":"Oil"}]}}`),
		piLine("a0000007", "a0000006", `{"role":"assistant","model":"m","content":"It glows","usage":{"input":1,"output":2}}`),
	}
	write(t, file, []byte(strings.Join(lines[:3], "")))
	agent := func(name, id, answer string) string {
		p := filepath.Join(strings.TrimSuffix(file, ".jsonl"), name+".jsonl")
		write(t, p, []byte(piHead(id)+piLine(id[35:]+"b000003", "", `{"role":"user","content":"A task"}`)+
			piLine(id[35:]+"b000004", id[35:]+"b000003", `{"role":"assistant","model":"m","content":"`+answer+
				`","usage":{"input":10,"output":20}}`)))
		return p
	}
	wick := agent("Wick", "019dbe19-0000-7000-8000-0000000000f2", "It is dry")
	agent("Oil", "019dbe19-0000-7000-8000-0000000000f3", "There is none")
	write(t, filepath.Join(dir, "auth.json"), []byte(`{"type":"session","id":"a","timestamp":"t","key":"sk-secret"}`))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test", Prune: true}
	w := watchFile(t, o, file)
	w.build()
	for _, line := range lines[3:] {
		appendTo(t, file, line)
		w.build()
		w.checkSame(line[:60])
	}
	appendTo(t, wick, piLine("2b000005", "2b000004", `{"role":"assistant","model":"m","content":"And short"}`))
	r := w.build()
	w.checkSame("an agent that goes on")
	if r.Sessions != 1 || r.Totals.Agents != 2 || r.Totals.Usage.Output != 7+2+20+20 || !r.Ledger.Balanced() {
		t.Errorf("got %d sessions, totals %+v; want 1 with 2 agents", r.Sessions, r.Totals)
	}
	page := string(read(t, filepath.Join(o.Out, "s", id, "index.html")))
	at := 0
	for _, text := range []string{
		"Mend the lamp", "Is it dry?", "There is none", "It is dry", "And short", "It glows",
	} {
		if next := strings.Index(page[at:], text); next < 0 {
			t.Errorf("the page lacks %q after the texts before it", text)
		} else {
			at += next
		}
	}
	one := Options{Sources: []string{wick}, Out: t.TempDir(), Version: "test"}
	if r := mustBuild(t, one); r.Sessions != 1 || r.Agents["Pi"] != 1 {
		t.Errorf("the file of an agent gives %d sessions of %v, want 1 of Pi", r.Sessions, r.Agents)
	}
}
