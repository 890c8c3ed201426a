package export

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"viewer/internal/stats"
	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestExports exports the session of each case in all formats that the case has: in.jsonl, and agent.jsonl if it
// exists, become want.md, want.txt and want.json.
func TestExports(t *testing.T) {
	for _, path := range golden.Glob(t, "testdata/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a := golden.Open(t, path)
			file := transcript.Read("in.jsonl", []byte(a.Section(t, "in.jsonl")))
			in := normalize.Input{ID: "case", Main: &file}
			if a.Has("agent.jsonl") {
				agent := transcript.Read("agent.jsonl", []byte(a.Section(t, "agent.jsonl")))
				in.Agents = []normalize.AgentFile{{ID: "a1b2c3d", File: &agent}}
			}
			c := normalize.Build(in)
			s := Session{
				Conversation: c, Project: "tides", Totals: stats.Of(c, stats.Prices{}),
				CostOf: stats.RequestCosts(stats.ListPrices()),
			}
			for name, write := range map[string]func(Session, Options) ([]byte, error){
				"want.md": Markdown, "want.txt": Text, "want.json": JSON,
				"want.atif": ATIF, "want.otlp": OTLP, "want.messages": Messages,
			} {
				if !a.Has(name) {
					continue
				}
				out, err := write(s, Options{Level: Everything})
				if err != nil {
					t.Fatal(err)
				}
				a.Compare(t, name, string(out))
				if name != "want.txt" {
					continue
				}
				colored, err := Text(s, Options{Level: Everything, Color: true})
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Contains(colored, []byte("\x1b[1m")) || ansi.Strip(string(colored)) != string(out) {
					t.Errorf("the text with colours differs:\n%q", colored)
				}
			}
		})
	}
}
