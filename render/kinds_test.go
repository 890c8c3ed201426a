package render

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"viewer/internal/stats"
	"viewer/internal/testing/golden"
	"viewer/internal/tools"
	"viewer/normalize"
)

// TestKinds computes testdata/kinds.txt, the list of all kinds in logs and how they are drawn, from the golden cases of
// this package and of normalize and from testdata, and compares it. A kind with a drawing, but without a case, fails.
func TestKinds(t *testing.T) {
	found := make(map[string]map[string]bool) // by kind: the ways in which it is drawn
	for _, pattern := range []string{"testdata/*/*.txtar", "../normalize/testdata/*/*.txtar"} {
		for _, path := range golden.Glob(t, pattern) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range archive.Files {
				if strings.HasSuffix(f.Name, ".jsonl") {
					collectKinds(found, f.Data)
				}
			}
		}
	}
	for _, path := range golden.Glob(t, "../testdata/projects/*/*.jsonl") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		collectKinds(found, data)
	}
	registered := map[string][]string{
		"tool": tools.Names(), "system": systems.names(), "attachment": attachments.names(), "record": records.names(),
		"block": blocks.names(), "hook": keys(hookOutcomes),
	}
	for kind, names := range registered {
		for _, name := range names {
			if name = strings.TrimSpace(kind + " " + name); found[name] == nil || onlyGeneric(found[name]) {
				t.Errorf("%s has a drawing, but no case: add one to render/testdata or normalize/testdata", name)
			}
		}
	}
	for kind := range found {
		name, isTool := strings.CutPrefix(kind, "tool ")
		if inventedKinds[kind] || onlyGeneric(found[kind]) || isTool && tools.Of(name) == nil {
			delete(found, kind)
		}
	}
	list := kindList(found)
	if golden.Update() {
		if err := os.WriteFile("testdata/kinds.txt", []byte(list), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	was, err := os.ReadFile("testdata/kinds.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(was), list); diff != "" {
		t.Errorf("testdata/kinds.txt differs (-is +made):\n%s\nif that is right: %s", diff, golden.Command(t))
	}
}

// inventedKinds are kinds of cases that show how unknown kinds are drawn, and that have more than a generic drawing.
var inventedKinds = map[string]bool{
	"block hologram": true, "context other": true, "event": true, "inside": true, "inside future_block": true,
	"inside of_tomorrow": true, "inside scent": true, "progress paper_progress": true,
}

func onlyGeneric(how map[string]bool) bool { return len(how) == 1 && how["generic"] }

// kindList lists kinds and how they are drawn. One that is drawn may be hidden elsewhere, by a rule for something else.
func kindList(found map[string]map[string]bool) string {
	var b strings.Builder
	b.WriteString(kindsHead)
	group := ""
	for _, kind := range keys(found) {
		how := keys(found[kind])
		if found[kind]["drawn"] {
			how = []string{"drawn"}
		}
		if g, _, _ := strings.Cut(kind, " "); g != group {
			group = g
			b.WriteString("\n")
		}
		b.WriteString(kind + ": " + strings.Join(how, ", ") + "\n")
	}
	return b.String()
}

const kindsHead = `# What logs contain, one kind a line, and how it comes out: drawn, hidden by a rule (normalize/hidden.go), or what a
# piece of markup is taken for. Made by TestKinds of what is registered and of all cases:
# go test ./render -run TestKinds -update
`

func keys[V any](m map[string]V) []string {
	all := make([]string, 0, len(m))
	for k := range m {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

// collectKinds draws a session and records for each of its kinds whether it was drawn, drawn generically, "hidden by" a
// rule, or what its markup was recognized as.
func collectKinds(found map[string]map[string]bool, data []byte) {
	note := func(kind, how string) {
		if found[kind] == nil {
			found[kind] = make(map[string]bool)
		}
		found[kind][how] = true
	}
	f := readCase(slices.Clone(data))
	c := normalize.Build(normalize.Input{ID: "case", Main: &f})
	d := testDrawer(c, stats.Prices{})
	d.root = "../../"
	for inner := range c.All() {
		for _, turn := range inner.Turns {
			d.turn(turnPart{turn, turn.Items, true, true, 1}, "You")
		}
	}
	for inner := range c.All() {
		for g := range inner.Groups() {
			note("state "+g.State.String(), "drawn")
		}
		for _, m := range inner.Messages {
			how := "missed"
			if mark, ok := d.entries[m]; ok {
				how = "drawn"
				if mark.generic {
					how = "generic"
				}
			}
			if m.Rule != "" {
				how = "hidden by " + m.Rule
			}
			for _, kind := range kindsOf(m) {
				note(strings.TrimSpace(kind), how)
			}
			for _, tag := range m.Tags {
				note("markup "+tag.Name, m.Kind.String())
			}
			for _, context := range m.Contexts {
				note("context "+context.Kind.String(), "drawn")
			}
			if m.Kind == normalize.Status {
				note("status "+statusWords[m.Status], how)
			}
		}
	}
}

// kindsOf returns the kinds in a message: that of its record and those in its contents.
func kindsOf(m *normalize.Message) []string {
	r := m.Record
	all := []string{"record " + r.Type}
	if r.Message != nil && r.IsAPIError {
		all = append(all, "record assistant, an API error")
	}
	switch {
	case r.Type == "system":
		all = append(all, strings.TrimSpace("system "+r.Subtype))
	case r.Type == "progress":
		all = append(all, "progress "+r.DataType)
	case r.Attachment != nil:
		all = append(all, "attachment "+r.Attachment.Type)
	}
	if m.Block != nil {
		all = append(all, "block "+m.Block.Type)
		for _, inner := range m.Block.Content {
			all = append(all, "inside "+inner.Type)
		}
	}
	switch m.Kind {
	case normalize.Hook:
		all = append(all, "hook "+m.Name, "event "+m.HookEvent)
	case normalize.Call:
		name := m.Name
		switch {
		case strings.HasPrefix(name, "mcp__"):
			name = "mcp__*"
		case m.Block.Type == "server_tool_use":
			name = "server_tool_use"
		}
		all = append(all, "tool "+name)
	}
	return all
}
