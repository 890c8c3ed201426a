package render

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"viewer/internal/stats"
	"viewer/internal/testing/golden"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestKinds walks testdata/kinds.txt, the project's own list of what logs hold,
// and fails by name for any kind that no case shows, or that comes out other
// than the list says. The cases are those of this package, those of normalize
// and our own sessions.
func TestKinds(t *testing.T) {
	found := make(map[string]map[string]bool) // kind -> how it came out
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
	list, err := os.ReadFile("testdata/kinds.txt")
	if err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]bool)
	for _, line := range strings.Split(string(list), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		kind, how, ok := strings.Cut(line, ": ")
		if how = strings.TrimSpace(how); !ok || listed[kind] {
			t.Errorf("kinds.txt: %q is no \"kind: how\", or is there twice", line)
			continue
		}
		listed[kind] = true
		switch got := found[kind]; {
		case got == nil:
			t.Errorf("%s is in no case: add one to render/testdata or normalize/testdata", kind)
		case !got[how]:
			t.Errorf("%s comes out as %s, want %s: give it a drawing or a rule, or correct testdata/kinds.txt", kind,
				strings.Join(keys(got), ", "), how)
		}
	}
	for kind, names := range map[string][]string{
		"tool": tools.Names(), "system": systems.names(), "attachment": attachments.names(), "record": records.names(),
		"block": blocks.names(), "hook": keys(hookOutcomes),
	} {
		for _, name := range names {
			if name = strings.TrimSpace(kind + " " + name); !listed[name] {
				t.Errorf("%s has a drawing and no line in testdata/kinds.txt: add it", name)
			}
		}
	}
}

func keys[V any](m map[string]V) []string {
	all := make([]string, 0, len(m))
	for k := range m {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

// collectKinds draws a session and notes how each of its kinds came out: drawn,
// generic, "hidden by" a rule, or what a piece of markup was taken for.
func collectKinds(found map[string]map[string]bool, data []byte) {
	note := func(kind, how string) {
		if found[kind] == nil {
			found[kind] = make(map[string]bool)
		}
		found[kind][how] = true
	}
	f := transcript.Read("in.jsonl", slices.Clone(data))
	c := normalize.Build(normalize.Input{ID: "case", Main: &f})
	d := testDrawer(c, stats.Prices{})
	d.root = "../../"
	for inner := range c.All() {
		for _, turn := range inner.Turns {
			d.turn(turn, turn.Items, true, true, 1, "You")
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
				note(kind, how)
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

// kindsOf names what a message shows of the format: its record and what is in it.
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
