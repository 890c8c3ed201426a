package gemini

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// calls adds the calls and results of a message that were not added yet.
func (t *translator) calls(m *message, list jsontext.Value, say func(transcript.Block) *transcript.Record) {
	type told struct {
		id   string
		call sources.Object
		raw  jsontext.Value
	}
	var done []told
	n := 0
	for raw := range transcript.Elements(list) {
		var o sources.Object
		o.Read(raw)
		id := cmp.Or(o.Text("id"), m.id+"#"+strconv.Itoa(n))
		n++
		c := t.made[id]
		if c == nil || c.by != m.id {
			c = &call{by: m.id}
			t.made[id] = c
			input := transcript.Or(o.Get("args"), jsontext.Value("{}"))
			if o.Text("name") == "update_topic" {
				t.topic(m, transcript.String(transcript.Field(input, "title")))
			}
			say(transcript.Block{Type: "tool_use", Raw: raw, ID: id, Name: o.Text("name"), Input: input})
		}
		if !c.answered && ended(&o) {
			c.answered = true
			done = append(done, told{id, o, raw})
		}
	}
	for _, d := range done {
		t.result(d.id, &d.call, d.raw)
	}
}

// topic adds a heading for what follows. It takes no number of the message, so that links to its calls stay valid.
func (t *translator) topic(m *message, title string) {
	if strings.TrimSpace(title) == "" {
		return
	}
	n := m.records
	r := t.System("topic", title)
	if m.records != n {
		m.records = n
		r.UUID += "t"
		t.parent = r.UUID
	}
}

// ended reports whether a call is complete, by its state or because it has a result.
func ended(o *sources.Object) bool {
	switch o.Text("status") {
	case "success", "error", "cancelled":
		return true
	}
	return transcript.Kind(o.Get("result")) == '['
}

// result adds the result of a call.
func (t *translator) result(id string, o *sources.Object, raw jsontext.Value) {
	t.Add(resultOf(id, o, slices.Collect(parts(o.Get("result"))), raw))
}

// resultOf returns the record of a result: facts about its call, and the parts that the model was sent.
func resultOf(id string, o *sources.Object, content []jsontext.Value, raw jsontext.Value) transcript.Record {
	b := transcript.Block{Type: "tool_result", Raw: raw, ToolUseID: id, IsError: o.Text("status") == "error"}
	for _, v := range content {
		b.Content = append(b.Content, response(v, raw)...)
	}
	display := o.Get("resultDisplay")
	if len(b.Content) == 0 && transcript.Kind(display) == '"' {
		b.Content = []transcript.Block{{Type: "text", Raw: raw, Text: transcript.String(display)}}
	}
	text := ""
	if len(b.Content) > 0 {
		text = b.Content[0].Text
	}
	r := transcript.Record{Type: "user", Raw: raw, ToolUseResult: structured(o, display, text)}
	isShell := o.Text("name") == "run_shell_command"
	if kind := denial(o, text); kind != "" {
		b.IsError = true
		sources.Rare(&r).ToolDenialKind = kind
	}
	if len(b.Content) > 0 && isShell && r.ToolUseResult == nil {
		out, exit, signal := shellOutput(text)
		b.Content[0].Text = out
		exit = cmp.Or(exit, exitOf(display))
		r.ToolUseResult = sources.Make("exitCode", exit)
		b.IsError = b.IsError || exit != "" && exit != "0" || signal != ""
	}
	b.IsError = b.IsError || isShell && (timedOut(text) || outcome(display) == "timed_out")
	r.Timestamp, _ = sources.TimeOf(o.Get("timestamp"))
	r.Message = &transcript.Message{Role: "user", Content: []transcript.Block{b}}
	return r
}

// denial returns why a call did not run or did not end, or "". The state of a command that was cancelled and of a plan
// that was rejected is "success", and a log of an agent of Qwen Code has the state "error" for all that did not run.
func denial(o *sources.Object, text string) string {
	has := func(s string) bool { return strings.Contains(text, s) }
	tool, status := o.Text("name"), o.Text("status")
	if status == "error" && strings.HasPrefix(text, "[Operation Cancelled] Reason: ") {
		status = "cancelled"
	}
	switch {
	case status == "cancelled" && (has("denied") || has("did not allow") || has("without answering")),
		tool == "exit_plan_mode" && strings.HasPrefix(text, "Plan rejected."):
		return "user-rejected"
	case status == "error" && beginsWith(text, hookTexts):
		return "hook"
	case status == "error" && isDenied(o, text):
		return "permission-rule"
	case status == "cancelled", outcome(o.Get("resultDisplay")) == "cancelled",
		tool == "run_shell_command" && strings.HasPrefix(text, "Command was cancelled by user before"):
		return "interrupted"
	}
	return ""
}

// hookTexts are the beginnings of results of calls that a hook stopped.
var hookTexts = []string{
	"Tool execution blocked: ", "Agent execution stopped by hook: ", // of Gemini CLI
	"Tool execution blocked by hook", "Permission denied by hook ",
}

// outcome returns how a command ended, if the log has facts about it, as that of Qwen Code.
func outcome(display jsontext.Value) string {
	if transcript.String(transcript.Field(display, "type")) != "shell_result" {
		return ""
	}
	return transcript.String(transcript.Field(display, "outcome"))
}

// exitOf returns the exit code of a command, if the log has facts about it. Its output may be cut off before that.
func exitOf(display jsontext.Value) string {
	if code := transcript.Field(display, "exitCode"); outcome(display) != "" && transcript.Kind(code) == '0' {
		return transcript.TextOf(code)
	}
	return ""
}

// isDenied reports whether a call was not allowed to run: by a rule, by a hook, or because nobody was there to ask. A
// hook may also deny what did run.
func isDenied(o *sources.Object, text string) bool {
	if o.Text("errorType") == "execution_denied" {
		ran := o.Text("executionStatus")
		return (ran == "" || ran == "not_started") && !strings.HasPrefix(text, "Execution stopped by ")
	}
	line, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(line, "Tool execution denied by policy") ||
		strings.HasPrefix(line, "Qwen Code requires permission to use ") ||
		strings.HasPrefix(line, `Tool "`) && strings.Contains(line, `" is denied`) ||
		strings.HasSuffix(line, "cannot prompt for confirmation. The tool call was denied.") ||
		strings.HasPrefix(o.Text("resultDisplay"), "Plan mode blocked ")
}

// timedOut reports whether a command was stopped by a time limit. The state of its call is "success".
func timedOut(text string) bool {
	return strings.HasPrefix(text, "Command was automatically cancelled because it exceeded the timeout") ||
		strings.HasPrefix(text, "Command timed out after")
}

// response returns the blocks of a part of a result.
func response(v, raw jsontext.Value) []transcript.Block {
	inner := transcript.Field(v, "functionResponse")
	if inner == nil {
		if b, ok := part(v, raw); ok {
			return []transcript.Block{b}
		}
		return nil
	}
	var all []transcript.Block
	response := transcript.Field(inner, "response")
	text := transcript.Or(transcript.Field(response, "output"), transcript.Field(response, "error"), response)
	if text != nil {
		all = append(all, transcript.Block{Type: "text", Raw: v, Text: unwrapped(transcript.TextOf(text))})
	}
	for p := range transcript.Elements(transcript.Field(inner, "parts")) {
		if b, ok := medium(p); ok {
			all = append(all, b)
		}
	}
	return all
}

// Text from outside is between these lines in results of Gemini CLI.
const (
	untrusted    = "<untrusted_context>\n"
	untrustedEnd = "\n</untrusted_context>"
)

// unwrapped returns the text of a result without the lines that say where it comes from. Before them there may be a
// note that a part of it is left out.
func unwrapped(text string) string {
	before, inside, ok := strings.Cut(text, untrusted)
	at := strings.LastIndex(inside, untrustedEnd)
	if !ok || at < 0 || before != "" && !strings.HasPrefix(before, "Output too large. ") {
		return text
	}
	inside, after := inside[:at], inside[at+len(untrustedEnd):]
	inside = strings.ReplaceAll(inside, untrustedEnd+"\n"+untrusted, "\n") // each text of a server has its own
	return before + strings.ReplaceAll(inside, "&lt;/untrusted_context&gt;", "</untrusted_context>") + after
}

// structured returns what a result contains beyond its text. Without a diff only the text says whether the file is new.
// The texts of whole files are left out: they can be large, and the diff is there, too.
func structured(o *sources.Object, display jsontext.Value, text string) jsontext.Value {
	var d sources.Object
	switch transcript.Kind(display) {
	case '{':
		d.Read(display)
	case '[': // lines of a terminal, with colors
		return nil
	}
	kind := ""
	if string(d.Get("isNewFile")) == "true" || strings.HasPrefix(text, "Successfully created and wrote to new file") {
		kind = "create"
	}
	agent := o.Text("agentId")
	launched, isAsync := strings.CutPrefix(text, "Background agent launched successfully.\n") // of Qwen Code
	if isAsync {
		line, _, _ := strings.Cut(launched, "\n")
		_, rest, _ := strings.Cut(line, ": ") // agentId or task_id
		agent, _, _ = strings.Cut(rest, " ")
	}
	diff := d.Get("fileDiff")
	if string(d.Get("fileDiffTruncated")) == "true" { // it only says that it was left out
		diff = nil
	}
	v := sources.Make("type", kind, "fileDiff", diff, "matches", d.Get("matches"), "files", d.Get("files"),
		"summary", d.Get("summary"), "todos", d.Get("todos"), "agentId", agent, "isAsync", isAsync)
	if len(v) == len("{}") {
		return nil
	}
	return v
}

// sentBack translates a result that the model was sent. It is drawn only if no call has that result.
func (t *translator) sentBack(part jsontext.Value) {
	inner := transcript.Field(part, "functionResponse")
	id := t.idOf(inner)
	c := t.made[id]
	if c != nil && c.answered || inner == nil {
		return
	}
	if c == nil {
		c = new(call)
		t.made[id] = c
	}
	c.answered = true
	o := sources.Object{
		{Name: sources.Quote("result"), Value: part},
		{Name: sources.Quote("name"), Value: transcript.Field(inner, "name")},
	}
	response := transcript.Field(inner, "response")
	if transcript.Field(response, "error") != nil && transcript.Field(response, "output") == nil {
		o = append(o, sources.Member{Name: sources.Quote("status"), Value: sources.Quote("error")})
	}
	t.result(id, &o, part)
}

// shellOutput separates the output of a command from the lines that report how it ended: its exit code, or the signal
// that killed it.
func shellOutput(text string) (output, exit, signal string) {
	if !strings.Contains(text, "\nExit Code: ") && !strings.HasPrefix(text, "Output: ") &&
		!strings.HasPrefix(text, "Command: ") && !strings.Contains(text, "\nProcess Group PGID: ") {
		return text, "", ""
	}
	// The output may contain such lines, too. The first one before it and the last one after it count.
	body := text
	if strings.HasPrefix(body, "Command: ") {
		at := strings.Index(body, "\nDirectory: ")
		if at < 0 {
			return text, "", ""
		}
		_, body, _ = strings.Cut(body[at+1:], "\n")
	}
	for _, name := range []string{"\nProcess Group PGID: ", "\nBackground PIDs: ", "\nSignal: ", "\nExit Code: "} {
		at := strings.LastIndex(body, name)
		if at < 0 {
			continue
		}
		value := strings.TrimSpace(body[at+len(name):])
		if strings.Contains(value, "\n") {
			continue
		}
		switch name {
		case "\nExit Code: ":
			exit = value
		case "\nSignal: ":
			signal = value
		}
		body = body[:at]
	}
	if _, err := strconv.Atoi(exit); err != nil {
		exit = ""
	}
	ended := ""
	if signal == "(none)" || signal == "0" {
		signal = ""
	}
	if signal != "" {
		ended = "Signal: " + signal
	}
	body, failure, _ := strings.Cut(body, "\nError: ")
	if failure == "(none)" {
		failure = ""
	}
	out, errs := strings.TrimPrefix(body, "Output: "), ""
	if rest, ok := strings.CutPrefix(body, "Stdout: "); ok {
		out, errs, _ = strings.Cut(rest, "\nStderr: ")
	}
	var all []string
	for _, s := range []string{out, errs, failure, ended} {
		if s != "" && s != "(empty)" && s != "(none)" {
			all = append(all, s)
		}
	}
	return strings.Join(all, "\n"), exit, signal
}
