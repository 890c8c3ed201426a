package sitegen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/testing/golden"
)

// TestCopilotHome builds and watches the files of current and earlier versions of Copilot CLI: folders with events and
// a title, a file of events, and a document of 2025. The account's tokens are not read.
func TestCopilotHome(t *testing.T) {
	cases := golden.Sections(t, "../../normalize/testdata/sources/copilot_*.txtar", "in.jsonl")
	events := func(id string) []byte {
		return []byte(strings.ReplaceAll(string(cases["copilot_calls"]), "5d1c0000-0000-4000-8000-000000000001", id))
	}
	const folder, flat, document = "5d1c0000-0000-4000-8000-0000000000f1", "5d1c0000-0000-4000-8000-0000000000f2",
		"5d1c0000-0000-4000-8000-00000000000d"
	dir := filepath.Join(t.TempDir(), ".copilot")
	title := filepath.Join(dir, "session-state", folder, "workspace.yaml")
	file := filepath.Join(dir, "session-state", flat+".jsonl")
	write(t, filepath.Join(dir, "session-state", folder, "events.jsonl"), events(folder))
	write(t, title, []byte("id: "+folder+"\nsummary: A lamp that glows, says noor@lampworks.net\n"))
	lines := strings.SplitAfter(string(events(flat)), "\n")
	write(t, file, []byte(strings.Join(lines[:3], "")))
	write(t, filepath.Join(dir, "history-session-state", "session_"+document+"_1759917600000.json"),
		cases["copilot_document"])
	secret := `{"type":"session.start","data":{},"id":"a","token":"gho_secret"}`
	write(t, filepath.Join(dir, "config.json"), []byte(secret))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test", Prune: true}
	w := watchFile(t, o, file)
	if r := w.build(); r.Sessions != 3 || r.Agents["Copilot"] != 3 || r.Projects != 1 || !r.Ledger.Balanced() {
		t.Errorf("got %d sessions of %v in %d projects, ledger %+v; want 3 in 1",
			r.Sessions, r.Agents, r.Projects, r.Ledger)
	}
	page := func(id string) string { return string(read(t, filepath.Join(o.Out, "s", id, "index.html"))) }
	if p := page(folder); !strings.Contains(p, "A lamp that glows") || strings.Contains(p, "noor@lampworks.net") {
		t.Error("the title in the folder of a session is not on its page, or not redacted")
	}
	for _, text := range []string{"It glows. Nobody saw this", "package lamp", "bright", "The network is gone"} {
		if !strings.Contains(page(document), text) {
			t.Errorf("the page of the document lacks %q", text)
		}
	}
	for _, line := range lines[3:] {
		appendTo(t, file, line)
		w.build()
		w.checkSame("line " + line[:min(len(line), 80)])
	}
	write(t, title, []byte("summary: Another name\n"))
	settle(t, dir)
	w.build()
	w.checkSame("another title")
	if !strings.Contains(page(folder), "Another name") {
		t.Error("the page lacks a title that changed")
	}
	write(t, file, []byte(strings.Join(lines[:5], ""))) // the user rewound the session
	settle(t, dir)
	w.build()
	w.checkSame("shortened")
	if err := os.Remove(title); err != nil {
		t.Fatal(err)
	}
	w.build()
	w.checkSame("no title")
}
