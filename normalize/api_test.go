package normalize

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
)

// TestAPI runs the cases of testdata/api. Besides in.jsonl a case may have
//
//	tools      the names of the tools that the request offers
//	at         the line of the message whose request it is
//	want.api   see outlineAPI
func TestAPI(t *testing.T) {
	for _, path := range golden.Glob(t, "testdata/api/*.txtar") {
		t.Run(caseName(path), func(t *testing.T) {
			a := golden.Open(t, path)
			if a.Comment == "" {
				t.Errorf("%s: the first line must say what the case is for", path)
			}
			c := Build(inputOf(t, path))
			api := ForAPI(c, optionsOf(t, a, c))
			a.Compare(t, "want.api", outlineAPI(c, api))
			checkAPI(t, c, api)
			checkAgain(t, api)
		})
	}
}

func caseName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".txtar") }

func optionsOf(t *testing.T, a *golden.Archive, c *Conversation) APIOptions {
	t.Helper()
	var o APIOptions
	if a.Has("tools") {
		o.Tools = make(map[string]bool)
		for _, name := range strings.Fields(a.Section(t, "tools")) {
			o.Tools[name] = true
		}
	}
	if a.Has("at") {
		line := strings.TrimSpace(a.Section(t, "at"))
		at := slices.IndexFunc(c.Messages, func(m *Message) bool { return fmt.Sprint(m.Record.Pos.Line) == line })
		if at < 0 {
			t.Fatalf("%s: no message in line %s", a.Path, line)
		}
		o.At = c.Messages[at]
	}
	return o
}

// TestAPIOrder swaps two steps. The outcome of each case that depends on their order must change.
func TestAPIOrder(t *testing.T) {
	for _, c := range []struct{ file, step, before string }{
		{"order_attachments_first", "virtual", "attachments"},
		{"order_attachments_before_merge", "attachments", "validate"},
		{"order_virtual_before_merge", "virtual", "validate"},
		{"order_errors_before_filter", "filter", "errors"},
		{"order_strip_before_merge", "errors", "merge"},
		{"order_compaction_before_attachments", "attachments", "compaction"},
		{"order_merge_before_pair", "pair", "merge"},
		{"order_pair", "pair", ""}, // without the step, the API refuses the request
	} {
		t.Run(c.file, func(t *testing.T) {
			in := inputOf(t, "testdata/api/"+c.file+".txtar")
			right := Build(in)
			moved := Build(in)
			want, got := ForAPI(right, APIOptions{}), forAPI(moved, APIOptions{}, move(t, c.step, c.before))
			if outlineAPI(right, want) == outlineAPI(moved, got) {
				t.Errorf("with step %q before %q the outcome is the same, want another\n%s",
					c.step, c.before, outlineAPI(right, want))
			}
			if c.before == "" && len(validate(got.Messages)) == 0 {
				t.Errorf("without step %q the request is still valid:\n%s", c.step, outlineAPI(moved, got))
			}
		})
	}
}

// move removes a step and inserts it before another one, or nowhere.
func move(t *testing.T, name, before string) []apiStep {
	t.Helper()
	at := func(steps []apiStep, name string) int {
		i := slices.IndexFunc(steps, func(s apiStep) bool { return s.name == name })
		if i < 0 {
			t.Fatalf("no step is named %q", name)
		}
		return i
	}
	steps := slices.Clone(apiSteps)
	i := at(steps, name)
	step := steps[i]
	steps = slices.Delete(steps, i, i+1)
	if before == "" {
		return steps
	}
	return slices.Insert(steps, at(steps, before), step)
}

// outlineAPI prints the messages with their blocks, each with its line in the file, and then the messages that were
// left out, with the reason.
func outlineAPI(c *Conversation, api API) string {
	w := new(outliner)
	for i, m := range api.Messages {
		w.line("%d %s", i+1, m.Role)
		w.in(func() {
			for _, b := range m.Blocks {
				w.line("%s%s", blockWords(*b.Block), origin(b, api))
			}
		})
	}
	for _, m := range c.Order {
		if f := api.Fates[m]; f.Kind == KeptOut {
			w.line("kept out %s %s", place(m), f.Why)
		}
	}
	for _, p := range api.Problems {
		w.line("problem %s: %s", p.Pos, p.Text)
	}
	return w.b.String()
}

func blockWords(b transcript.Block) string {
	s := b.Type
	switch b.Type {
	case "tool_use":
		s += fmt.Sprintf(" %s %s %s", b.ID, b.Name, b.Input)
	case "tool_result":
		s += " " + b.ToolUseID
		if b.IsError {
			s += " error"
		}
		if b.Plain {
			return s + " plain " + short(b.Content[0].Text)
		}
		for _, inner := range b.Content {
			s += " " + blockWords(inner)
		}
	case "tool_reference":
		s += " " + b.Name
	case "image", "document":
		s += " " + b.Source.MediaType
	default:
		s += " " + short(b.Text)
	}
	return s
}

func origin(b APIBlock, api API) string {
	if b.From == nil {
		return " (placeholder)"
	}
	f := api.Fates[b.From]
	s := ""
	if f.Rough {
		s = ", words not in the log"
	}
	return fmt.Sprintf(" (%s, line %s%s)", [...]string{"kept out", "sent", "merged", "as text"}[f.Kind],
		place(b.From), s)
}

// TestResultsStandFirst: in the answer to calls, results come before other blocks.
func TestResultsStandFirst(t *testing.T) {
	block := func(b transcript.Block) APIBlock { return APIBlock{Block: &b} }
	text, result := block(transcript.Block{Type: "text", Text: "x"}), func(id string) APIBlock {
		return block(transcript.Block{Type: "tool_result", ToolUseID: id})
	}
	call := func(id string) APIBlock {
		return block(transcript.Block{Type: "tool_use", ID: id, Input: []byte("{}")})
	}
	for _, c := range []struct {
		name   string
		answer []APIBlock
		want   bool
	}{
		{"results, then a text", []APIBlock{result("t1"), result("t2"), text}, true},
		{"a text first", []APIBlock{text, result("t1"), result("t2")}, false},
		{"a text between", []APIBlock{result("t1"), text, result("t2")}, false},
	} {
		found := validate([]APIMessage{
			{Role: "user", Blocks: []APIBlock{text}}, {Role: "assistant", Blocks: []APIBlock{call("t1"), call("t2")}},
			{Role: "user", Blocks: c.answer},
		})
		stand := !slices.ContainsFunc(found, func(v violation) bool { return v.rule == mustStandFirst })
		if stand != c.want || c.want && len(found) > 0 {
			t.Errorf("%s: results first: %v, want %v", c.name, found, c.want)
		}
	}
}
