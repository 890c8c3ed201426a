package sitegen

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/transcript"
)

const (
	droidSession = "5b0e1a52-0000-4000-8000-0000000000f1"
	droidAgent   = "5b0e1a52-0000-4000-8000-0000000000f2"
)

// TestDroidHome builds and watches a session of Droid with an agent. Both have settings with their tokens. The log of
// another session lacks its beginning.
func TestDroidHome(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "-w-lamp", droidSession+".jsonl")
	settings := strings.TrimSuffix(file, ".jsonl") + ".settings.json"
	agent := filepath.Join(dir, "-w-lamp", droidAgent)
	lines := []string{
		`{"type":"session_start","id":"` + droidSession + `","title":"The lamp","cwd":"/w/lamp"}`,
		droidMessage("user", `{"type":"text","text":"Mend the lamp"}`),
		droidMessage("assistant", `{"type":"tool_use","id":"c1","name":"Task","input":{"subagent_type":"explore"}}`),
		droidMessage("user", `{"type":"tool_result","tool_use_id":"c1","content":"It is dry"}`),
		droidMessage("assistant", `{"type":"text","text":"It glows"}`),
	}
	write(t, file, []byte(strings.Join(lines[:3], "\n")+"\n"))
	write(t, settings, []byte(`{"model":"gpt-5","tokenUsage":{"inputTokens":5,"outputTokens":7}}`))
	start := `{"type":"session_start","id":"` + droidAgent + `","cwd":"/w/lamp","callingToolUseId":"c1",` +
		`"callingSessionId":"` + droidSession + `"}`
	write(t, agent+".jsonl", []byte(start+"\n"+droidMessage("user", `{"type":"text","text":"A task"}`)+"\n"+
		droidMessage("assistant", `{"type":"text","text":"It is dry"}`)+"\n"))
	write(t, agent+".settings.json", []byte(`{"model":"gpt-5","tokenUsage":{"inputTokens":10,"outputTokens":20}}`))
	write(t, filepath.Join(dir, "-w-lamp", "cut.jsonl"), []byte(lines[1]+"\n"+lines[4]+"\n"))
	write(t, filepath.Join(dir, "-w-lamp", "cut.settings.json"), []byte("{}"))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test", Prune: true}
	w := watchFile(t, o, file)
	w.build()
	for _, line := range lines[3:] {
		appendTo(t, file, line+"\n")
		w.build()
		w.checkSame(line[:60])
	}
	write(t, settings, []byte(`{"model":"gpt-5","tokenUsage":{"inputTokens":50,"outputTokens":70}}`))
	settle(t, dir)
	r := w.build()
	w.checkSame("more tokens")
	if r.Sessions != 2 || r.Totals.Agents != 1 || r.Totals.Usage.Input != 50+10 || r.Totals.Usage.Output != 70+20 ||
		len(r.Problems) != 0 || !r.Ledger.Balanced() {
		t.Errorf("got %d sessions, %d agents, %+v, problems %v", r.Sessions, r.Totals.Agents, r.Totals.Usage,
			r.Problems)
	}
	if _, err := os.Stat(filepath.Join(o.Out, "s", "cut", "index.html")); err != nil {
		t.Errorf("a session without its start has another id than its file: %v", err)
	}
	page := string(read(t, filepath.Join(o.Out, "s", droidSession, "index.html")))
	for _, text := range []string{"Mend the lamp", "It glows", "A task", "explore"} {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %q", text)
		}
	}
}

func droidMessage(role, block string) string {
	return `{"type":"message","id":"m","timestamp":"2026-05-01T10:00:00.000Z","message":{"role":"` + role +
		`","content":[` + block + `]}}`
}

// TestPackedSettings: the settings next to a compressed log count. If the log is cut off, it still has a problem.
func TestPackedSettings(t *testing.T) {
	log := `{"type":"session_start","id":"` + droidSession + `","title":"The lamp","cwd":"/w/lamp"}` + "\n"
	for i := range 3000 {
		text := fmt.Sprintf(`{"type":"text","text":"Wick %x"}`, sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
		log += droidMessage("user", text) + "\n"
	}
	for _, c := range []struct {
		ext  string
		data []byte
		cut  bool
	}{
		{".gz", gzipOf(t, []byte(log)), false},
		{".zst", zstdOf(t, []byte(log)), false},
		{".gz", cutOff(gzipOf(t, []byte(log))), true},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "-w-lamp", droidSession+".jsonl"+c.ext), c.data)
		write(t, filepath.Join(dir, "-w-lamp", droidSession+".settings.json"),
			[]byte(`{"model":"gpt-5","tokenUsage":{"inputTokens":5,"outputTokens":7}}`))
		r := mustBuild(t, Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test"})
		isDamage := func(p transcript.Problem) bool { return strings.Contains(p.Text, "unexpected EOF") }
		if r.Sessions != 1 || r.Totals.Usage.Input == 0 != c.cut || slices.ContainsFunc(r.Problems, isDamage) != c.cut {
			t.Errorf("%s, cut off %t: got %d sessions, %d tokens, problems %v", c.ext, c.cut, r.Sessions,
				r.Totals.Usage.Input, r.Problems)
		}
	}
}

// TestSettingsOfOthers: settings next to the log of another program belong to no session of Droid, and its agents stay.
func TestSettingsOfOthers(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "-w-lamp", droidSession+".jsonl")
	record := func(file, more string) {
		write(t, file, []byte(`{"type":"user","uuid":"`+filepath.Base(file)+`","sessionId":"`+droidSession+`",`+more+
			`"timestamp":"2026-05-01T10:00:00Z","cwd":"/w/lamp","message":{"role":"user","content":"Mend it"}}`+"\n"))
	}
	record(log, "")
	record(filepath.Join(strings.TrimSuffix(log, ".jsonl"), "subagents", "agent-a1.jsonl"),
		`"agentId":"a1","isSidechain":true,`)
	write(t, strings.TrimSuffix(log, ".jsonl")+".settings.json", []byte(`{"model":"opus"}`))
	r := mustBuild(t, Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test"})
	if r.Sessions != 1 || r.Totals.Agents != 1 || len(r.Problems) != 0 {
		t.Errorf("got %d sessions with %d agents, problems %v", r.Sessions, r.Totals.Agents, r.Problems)
	}
}
