package render

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jba/templatecheck"

	"viewer/internal/sources"
	"viewer/internal/sources/all"
	"viewer/internal/stats"
	"viewer/internal/testing/dunlin"
	"viewer/internal/testing/golden"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render/page"
	"viewer/render/strip"
	"viewer/templates"
)

// kinds are the folders of drawings, in testdata and in templates.
var kinds = []string{"tool", "system", "attachment", "record", "block", "message"}

// TestDrawings draws the items of each case: in.jsonl gives want.html.
func TestDrawings(t *testing.T) {
	for _, kind := range kinds {
		for _, path := range golden.Glob(t, "testdata/"+kind+"/*.txtar") {
			name := kind + "/" + strings.TrimSuffix(filepath.Base(path), ".txtar")
			t.Run(name, func(t *testing.T) {
				a := golden.Open(t, path)
				c := conversationOf(t, a)
				checkCommands(t, c)
				a.Compare(t, "want.html", drawCase(c, a.Has("full")))
			})
		}
	}
}

// checkCommands checks that the commands that a call is described with are those that all others read.
func checkCommands(t *testing.T, c *normalize.Conversation) {
	t.Helper()
	for g := range c.Groups() {
		described, read := tools.Describe(g, tools.Context{}).Command, tools.CommandsOf(g)
		if described != "" && strings.TrimSpace(read) != strings.TrimSpace(described) {
			t.Errorf("%s: described as running %q, read as running %q", tools.NameOf(g), described, read)
		}
	}
}

func conversationOf(t *testing.T, a *golden.Archive) *normalize.Conversation {
	t.Helper()
	f := readCase([]byte(a.Section(t, "in.jsonl")))
	for _, p := range f.Problems {
		t.Errorf("the case is invalid: %v", p)
	}
	in := normalize.Input{ID: "case", Main: &f, Personal: a.Has("personal")}
	if a.Has("agent.jsonl") {
		agent := transcript.Read("agent.jsonl", []byte(a.Section(t, "agent.jsonl")))
		in.Agents = []normalize.AgentFile{{ID: "a1b2c3d", File: &agent}}
	}
	return normalize.Build(in)
}

// readCase reads a log of any writer, or of Dunlin, an invented one that leaves out much.
func readCase(data []byte) transcript.File {
	return append(sources.List{dunlin.Source{}}, all.Sources...).Read("in.jsonl", data, transcript.Options{})
}

// drawCase draws prompts and items one after the other, without the frame of page and turn. If full is set, the page
// has no more space.
func drawCase(c *normalize.Conversation, full bool) string {
	d := testDrawer(c, stats.Prices{})
	if full {
		d.quota.textBytes = maxTextHTML
	}
	d.root = "../../"
	var b strings.Builder
	for _, turn := range c.Turns {
		if turn.Asked() {
			b.WriteString(string(d.prompt(turn.Prompt, 1, "You")) + "\n")
		} else {
			for _, m := range turn.Prompt {
				b.WriteString(string(d.message(m)) + "\n")
			}
		}
		for _, item := range turn.Items {
			switch it := item.(type) {
			case *normalize.Group:
				b.WriteString(string(d.group(it).html) + "\n")
			case *normalize.Branch:
				b.WriteString(string(d.branch(it)) + "\n")
			case *normalize.Message:
				b.WriteString(string(d.message(it)) + "\n")
			}
		}
	}
	for _, m := range d.media.files {
		b.WriteString("file " + m.Name + "\n")
	}
	return b.String()
}

// TestEachDrawingHasCase: each drawing has a golden case, and each template a drawing.
func TestEachDrawingHasCase(t *testing.T) {
	drawn := make(map[string]bool)
	for _, kind := range kinds {
		for _, path := range golden.Glob(t, "testdata/"+kind+"/*.txtar") {
			for conversation := range conversationOf(t, golden.Open(t, path)).All() {
				for _, m := range conversation.Messages {
					switch {
					case m.Kind == normalize.Call && strings.HasPrefix(m.Name, "mcp__"):
						drawn["tool mcp__*"] = true
					case m.Kind == normalize.Call && m.Block.Type == "server_tool_use":
						drawn["tool server_tool_use"] = true
					case m.Kind == normalize.Block:
						drawn["block "+m.Name] = true
					case m.Kind == normalize.Call:
						drawn["tool "+m.Name] = true
					case m.Kind == normalize.System:
						drawn["system "+m.Name] = true
					case m.Kind == normalize.Attachment:
						drawn["attachment "+m.Name] = true
					case m.Kind == normalize.Hook:
						drawn["hook "+m.Name] = true
					case m.Kind == normalize.Unknown:
						drawn["record "+m.Name] = true
					}
				}
			}
		}
	}
	used := make(map[string]bool)
	checkTools(t, drawn, used)
	checkRegistry(t, systems, drawn, used)
	checkRegistry(t, attachments, drawn, used)
	checkRegistry(t, records, drawn, used)
	checkRegistry(t, blocks, drawn, used)
	for name := range hookOutcomes {
		if !drawn["hook "+name] {
			t.Errorf("hook %s is in no testdata/*/*.txtar", name)
		}
	}
	for _, kind := range []string{"tool", "system", "attachment", "record", "block"} {
		files, err := fs.Glob(templates.FS, kind+"/*.tmpl")
		if err != nil || len(files) == 0 {
			t.Fatalf("templates/%s: found %d files, error %v", kind, len(files), err)
		}
		for _, f := range files {
			if !used[strings.TrimSuffix(f, ".tmpl")] {
				t.Errorf("templates/%s is used by no drawing", f)
			}
		}
	}
}

// checkTools: each tool has a golden case, and its template accepts its view.
func checkTools(t *testing.T, drawn, used map[string]bool) {
	t.Helper()
	for _, name := range tools.Names() {
		if !drawn["tool "+name] {
			t.Errorf("tool %s is in no testdata/*/*.txtar", name)
		}
		tool := tools.Of(name)
		if tool.Template == "" {
			continue
		}
		template, view := "tool/"+tool.Template, tool.Detail
		if d := toolTemplates.byName[tool.Template]; d != nil {
			template, view = d.template, d.zero
		}
		used[template] = true
		checkTemplate(t, "tool "+name, template, view)
	}
}

func checkTemplate(t *testing.T, of, template string, view any) {
	t.Helper()
	tmpl := page.Templates().Lookup(template)
	if tmpl == nil {
		t.Errorf("%s: templates/%s.tmpl does not exist", of, template)
	} else if err := templatecheck.CheckHTML(tmpl, view); err != nil {
		t.Errorf("%s: %v", of, err)
	}
}

func checkRegistry[T any](t *testing.T, r *registry[T], drawn, used map[string]bool) {
	t.Helper()
	for _, name := range r.names() {
		d := r.byName[name]
		used[d.template] = true
		if !drawn[r.kind+" "+name] {
			t.Errorf("%s %s is in no testdata/*/*.txtar", r.kind, name)
		}
		checkTemplate(t, r.kind+" "+name, d.template, d.zero)
	}
}

// TestFrames checks the templates that no registry names with their views.
func TestFrames(t *testing.T) {
	for name, view := range map[string]any{
		"page/session":  sessionView{},
		"partial/agent": agentView{}, "partial/anchored": proseView{}, "partial/agentlink": agentView{},
		"partial/sections": []sectionView{}, "partial/meta": []metaFact{},
		"partial/branch": branchView{}, "partial/resumed": page.Link{}, "partial/call": callView{},
		"partial/chips": []chip{}, "partial/command": commandView{}, "partial/gap": gapView{},
		"partial/hook": hookView{}, "partial/line": lineView{}, "partial/output": &output{},
		"partial/passage": &passage{}, "partial/pictures": []picture{},
		"partial/prompt": promptView{}, "partial/prose": proseView{}, "partial/span": spanView{},
		"partial/status": statusView{},
		"partial/run":    runView{}, "partial/strip": &strip.View{}, "partial/teammate": teammateView{},
		"partial/thinking": thinkingView{}, "partial/tocall": page.Link{}, "partial/turn": turnView{},
	} {
		tmpl := page.Templates().Lookup(name)
		if tmpl == nil {
			t.Errorf("templates/%s.tmpl does not exist", name)
			continue
		}
		if err := templatecheck.CheckHTML(tmpl, view); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
