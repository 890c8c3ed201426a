package hermes

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// An outcome is what the result of a call says.
type outcome struct {
	text       string
	failed     bool
	denied     string // why the call did not run
	structured jsontext.Value
}

// result translates the result of a call.
func (t *translator) result(m *sources.Object, content []transcript.Block) {
	id := m.Text("tool_call_id")
	tool := t.calls[id]
	if tool == "" {
		tool = m.Text("tool_name", "name")
	}
	var out outcome
	if len(content) == 1 && content[0].Type == "text" {
		out = outcomeOf(tool, content[0].Text)
		content[0].Text = out.text
	}
	if m.Text("finish_reason") == "error" {
		out.failed = true
	}
	r := t.Result(id, out.failed || out.denied != "", content...)
	r.ToolUseResult = out.structured
	if out.denied != "" {
		sources.Rare(r).ToolDenialKind = out.denied
	}
}

// outcomeOf reads the text of a result.
func outcomeOf(tool, text string) outcome {
	out := outcome{text: text}
	switch {
	case transcript.Kind(jsontext.Value(text)) == '{':
		return writtenOutcome(tool, text)
	case strings.HasPrefix(text, "[Tool execution cancelled"), strings.HasPrefix(text, "[Tool execution skipped"):
		out.denied = "interrupted"
	case strings.HasPrefix(text, "Error executing tool"), strings.HasPrefix(text, "Tool execution failed: "):
		out.failed = true
	}
	return out
}

// writtenOutcome reads what tools of the program write: JSON, which a hint may follow.
func writtenOutcome(tool, text string) outcome {
	out, v := outcome{text: text}, jsontext.Value(text)
	end := transcript.SkipValue(v, 0)
	v, hint := v[:end], strings.TrimSpace(text[end:])
	if !transcript.Valid(v) {
		return out
	}
	var o sources.Object
	o.Read(v)
	problem := o.Text("error")
	out.failed = problem != "" || string(o.Get("success")) == "false" || o.Text("status") == "error"
	if rest, ok := strings.CutPrefix(problem, "BLOCKED"); ok {
		out.denied = "permission-rule"
		if strings.Contains(sources.Beginning(rest, 80), "denied") {
			out.denied = "user-rejected"
		}
	}
	if code := o.Get("exit_code"); code != nil {
		out.structured = sources.Make("exitCode", code)
		// some codes do not mean a failure, such as that of a search without hits
		out.failed = out.failed || string(code) != "0" && o.Get("exit_code_meaning") == nil
		out.text = join("\n", o.Text("output"), problem)
		if string(code) == "130" && strings.Contains(out.text, "[Command interrupted]") {
			out.denied = "interrupted"
		}
		return out
	}
	said := ""
	switch {
	case tool == "read_file" && problem == "":
		said, out.structured = fileIn(o.Text("content"), sources.Number(o.Get("total_lines")))
	case tool == "search_files":
		said = foundIn(&o)
	case tool == "patch" || tool == "write_file":
		if diff := o.Text("diff"); strings.Count("\n"+diff, "\n+++ ") == 1 {
			out.structured = sources.Make("fileDiff", diff)
		}
	case tool == "delegate_task":
		said = answersIn(o.Get("results"))
	case tool == "execute_code":
		said = join("\n", o.Text("output"), problem)
	}
	if said == "" {
		said = problem
	}
	if said != "" {
		out.text = join("\n\n", said, hint)
	}
	return out
}

// join joins the texts that are not empty.
func join(between string, all ...string) string {
	var some []string
	for _, s := range all {
		if s != "" {
			some = append(some, s)
		}
	}
	return strings.Join(some, between)
}

// fileIn returns the lines of a file without their numbers ("     7|text"), and where they are in it.
func fileIn(text string, total int64) (code string, place jsontext.Value) {
	if strings.Contains(text, "[truncated]") { // a long line: the log does not have the whole file
		total = 0
	}
	code, first, count := sources.CutLineNumbers(text)
	if count == 0 {
		return text, nil
	}
	return code, sources.Make("startLine", first, "numLines", count, "totalLines", total)
}

// foundIn returns what a search found, as lines.
func foundIn(o *sources.Object) string {
	var b strings.Builder
	var hit sources.Object
	for e := range transcript.Elements(o.Get("matches")) {
		hit.Read(e)
		b.WriteString(hit.Text("path") + ":" + string(hit.Get("line")) + ":" + hit.Text("content") + "\n")
	}
	for e := range transcript.Elements(o.Get("files")) {
		b.WriteString(transcript.String(e) + "\n")
	}
	for name, n := range transcript.Members(o.Get("counts")) {
		b.WriteString(name + ": " + string(n) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// answersIn returns the answers of agents.
func answersIn(results jsontext.Value) string {
	var all []string
	var o sources.Object
	for e := range transcript.Elements(results) {
		o.Read(e)
		all = append(all, o.Text("summary", "error"))
	}
	return join("\n\n", all...)
}
