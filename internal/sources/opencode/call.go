package opencode

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// call translates a call, which contains its result.
func (t *translator) call(p *sources.Object, say func(transcript.Block)) {
	var state sources.Object
	state.Read(p.Get("state"))
	times := state.Get("time")
	id, tool := cmp.Or(p.Text("callID", "id"), t.place()), p.Text("tool")
	id = t.unique("call", id)
	if start := transcript.Field(times, "start"); start != nil {
		t.time(start)
	}
	input := sources.Arguments(state.Get("input"))
	if transcript.Kind(input) != '{' && input != nil {
		input = sources.Make("__unparsedToolInput", sources.Make("raw", input))
	}
	say(t.Call(id, tool, input))
	status := state.Text("status")
	ended := status == "completed" || status == "error" || status == "success"
	if !ended && state.Get("output") == nil {
		return
	}
	metadata := state.Get("metadata")
	if inner := transcript.Field(metadata, "metadata"); inner != nil && p.Get("partID") != nil {
		metadata = inner // of an event of OpenCode 2
	}
	text := state.Text("output")
	if status == "error" && state.Text("error") != "" {
		text = state.Text("error")
	}
	block := t.resultBlock(tool, text, &state, metadata)
	block.ToolUseID = id
	r := transcript.Record{Type: "user", Raw: t.Value, Pos: t.Pos}
	r.Message = &transcript.Message{Role: "user", Content: []transcript.Block{block}}
	r.ToolUseResult = structured(tool, input, metadata, text)
	kind := state.Text("denied")
	if status == "error" {
		kind = cmp.Or(kind, denial(text))
	} else {
		t.noteChanged(tool, input, metadata)
		if isShell(tool) && stopped(text) == aborted {
			kind = "interrupted"
		}
	}
	if kind != "" {
		sources.Rare(&r).ToolDenialKind = kind
	}
	r.Timestamp = t.Time
	if end := sources.Milliseconds(transcript.Field(times, "end")); !end.IsZero() {
		r.Timestamp = end
	}
	uuid := ""
	if part := p.Text("id"); part != "" {
		uuid = part + ".result"
	}
	t.results = append(t.results, result{r, uuid})
}

// resultBlock returns what a call put out: a text, and pictures.
func (t *translator) resultBlock(tool, text string, state *sources.Object, metadata jsontext.Value) transcript.Block {
	exit := string(transcript.Field(metadata, "exit"))
	failed := state.Text("status") == "error" || tool == "invalid" || exit != "" && exit != "0" && exit != "null" ||
		isShell(tool) && (stopped(text) != "" || isTrue(transcript.Field(metadata, "timeout")))
	block := transcript.Block{Type: "tool_result", Raw: t.Value, IsError: failed}
	if text != "" {
		if tool == "task" || tool == "subagent" {
			text = taskResult(text)
		}
		block.Content = append(block.Content, t.Text(text))
	}
	var file sources.Object
	for e := range transcript.Elements(state.Get("attachments")) {
		file.Read(e)
		if picture, ok := t.picture(&file); ok {
			block.Content = append(block.Content, picture)
		}
	}
	return block
}

func isShell(tool string) bool { return tool == "bash" || tool == "shell" }

// What the tool writes below the output of a command that it stopped. The state of such a call is "completed", and it
// may have no exit code.
const (
	aborted  = "User aborted the command"
	timedOut = "terminated command after exceeding timeout"
)

// stopped returns why a command was stopped: aborted, timedOut or "". Those lines are between tags at the end:
// <bash_metadata>, <shell_metadata> or <metadata>.
func stopped(output string) string {
	output = strings.TrimRight(output, "\n")
	end := strings.LastIndexByte(output, '\n') + 1
	name, ok := strings.CutPrefix(output[end:], "</")
	at := strings.LastIndex(output[:end], "<"+name+"\n")
	if !ok || !strings.HasSuffix(name, "metadata>") || at < 0 {
		return ""
	}
	for _, why := range []string{aborted, timedOut} {
		if strings.Contains(output[at:end], why) {
			return why
		}
	}
	return ""
}

// denial returns why a call did not run, or "" if it failed for another reason.
func denial(text string) string {
	switch {
	case strings.Contains(text, "rejected permission"), strings.Contains(text, "user dismissed"),
		strings.Contains(text, "User dismissed"), strings.Contains(text, "user declined this tool call"):
		return "user-rejected"
	case strings.Contains(text, "specified a rule which prevents"):
		return "permission-rule"
	case strings.HasPrefix(text, "Tool execution aborted"), strings.HasPrefix(text, "Tool execution interrupted"):
		return "interrupted"
	}
	return ""
}

// noteChanged notes which files a call changed.
func (t *translator) noteChanged(tool string, input, metadata jsontext.Value) {
	if t.changed == nil {
		t.changed = make(map[string]bool)
	}
	switch tool {
	case "edit", "write", "multiedit", "apply_patch", "patch":
		t.changed[transcript.String(transcript.Field(input, "filePath"))] = true
		t.changed[transcript.String(transcript.Field(input, "path"))] = true
		for e := range transcript.Elements(transcript.Field(metadata, "files")) {
			t.changed[transcript.String(transcript.Field(e, "filePath"))] = true
			t.changed[transcript.String(transcript.Field(e, "file"))] = true
			t.changed[transcript.String(transcript.Field(e, "movePath"))] = true
		}
	}
}

// structured returns what a result contains beyond its text. The texts of whole files and repetitions of the output are
// left out.
func structured(tool string, input, metadata jsontext.Value, text string) jsontext.Value {
	field := func(name string) jsontext.Value { return transcript.Field(metadata, name) }
	var v jsontext.Value
	switch tool {
	case "bash", "shell":
		v = sources.Make("exitCode", field("exit"), "truncated", isTrue(field("truncated")), "outputPath",
			transcript.String(field("outputPath")))
	case "edit":
		diff := field("diff")
		for e := range transcript.Elements(field("files")) { // of the second version
			diff = transcript.Field(e, "patch")
		}
		v = sources.Make("fileDiff", diff, "diagnostics", diagnostics(field("diagnostics")))
	case "write":
		kind := ""
		if string(field("exists")) == "false" || strings.HasPrefix(text, "Created file successfully: ") {
			kind = "create"
		}
		v = sources.Make("type", kind, "diagnostics", diagnostics(field("diagnostics")))
	case "task", "subagent":
		agent := transcript.String(field("sessionId"))
		if agent == "" {
			agent = transcript.String(field("sessionID"))
		}
		if agent == "" {
			agent = taskID(text)
		}
		background := isTrue(field("background")) ||
			tool == "subagent" && transcript.String(field("status")) == "running"
		v = sources.Make("agentId", agent, "isAsync", background)
	case "question":
		v = answers(input, field("answers"))
	}
	if len(v) <= len("{}") {
		return nil
	}
	return v
}

func isTrue(v jsontext.Value) bool { return string(v) == "true" }

// diagnostics returns the messages of language servers, or nil.
func diagnostics(v jsontext.Value) jsontext.Value {
	if len(v) <= len("{}") {
		return nil
	}
	return v
}

// taskResult returns the answer of an agent without the text of the program around it.
func taskResult(text string) string {
	if rest, ok := strings.CutPrefix(text, "<subagent "); ok {
		_, inner, begun := strings.Cut(rest, ">\n")
		if inner, ended := strings.CutSuffix(strings.TrimRight(inner, "\n"), "\n</subagent>"); begun && ended {
			return inner
		}
	}
	_, inner, ok := strings.Cut(text, "<task_result>\n")
	inner = strings.TrimSuffix(strings.TrimRight(inner, "\n"), "\n</task>") // of later versions
	inner, ended := strings.CutSuffix(inner, "\n</task_result>")
	if !ok || !ended {
		return text
	}
	return inner
}

// taskID returns the session that the output of a task names.
func taskID(text string) string {
	if rest, ok := strings.CutPrefix(text, `<task id="`); ok {
		id, _, _ := strings.Cut(rest, `"`)
		return id
	}
	_, rest, ok := strings.Cut(text, "task_id: ")
	if !ok {
		return ""
	}
	id, _, _ := strings.Cut(rest, " ")
	id, _, _ = strings.Cut(id, "\n")
	return id
}

// answers returns the answers of the user, by question.
func answers(input, all jsontext.Value) jsontext.Value {
	var texts []string
	for e := range transcript.Elements(transcript.Field(input, "questions")) {
		texts = append(texts, transcript.String(transcript.Field(e, "question")))
	}
	var pairs []any
	at := 0
	for e := range transcript.Elements(all) {
		if at < len(texts) {
			pairs = append(pairs, texts[at], e)
		}
		at++
	}
	if len(pairs) == 0 {
		return nil
	}
	return sources.Make("answers", sources.Make(pairs...))
}
