package vscode

import (
	"cmp"
	"maps"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A round is a call as the model made it. How the editor shows it is a part of the answer.
type round struct {
	id, name string
	input    jsontext.Value
	result   jsontext.Value // nil for none
	raw      jsontext.Value
	used     bool // a part of the answer shows it
}

// rounds reads the calls of a request in order.
func (t *translator) rounds(metadata jsontext.Value) {
	t.calls, t.edited = nil, make(map[string]bool)
	results := maps.Collect(transcript.Members(transcript.Field(metadata, "toolCallResults")))
	for e := range transcript.Elements(transcript.Field(metadata, "toolCallRounds")) {
		for c := range transcript.Elements(transcript.Field(e, "toolCalls")) {
			var o sources.Object
			o.Read(c)
			r := &round{id: o.Text("id"), name: o.Text("name"), raw: c}
			r.input = o.Get("arguments")
			if inner := jsontext.Value(transcript.String(r.input)); transcript.Kind(inner) == '{' &&
				transcript.Valid(inner) {
				r.input = inner
			}
			if r.id == "" {
				r.id = t.id + "#" + strconv.Itoa(len(t.calls))
			}
			r.result = results[r.id]
			for _, name := range []string{"filePath", "path"} {
				if p := transcript.String(transcript.Field(r.input, name)); p != "" && !reads[r.name] {
					t.edited[p] = true
				}
			}
			t.calls = append(t.calls, r)
		}
	}
}

// reads are tools that name a file and do not change it.
var reads = map[string]bool{"read_file": true, "list_dir": true, "view_image": true, "get_errors": true}

// tools are the names by which the model knows the editor's tools.
var tools = map[string]string{
	"replaceString": "replace_string_in_file", "multiReplaceString": "multi_replace_string_in_file",
	"createFile": "create_file", "insertEdit": "insert_edit_into_file", "readFile": "read_file",
	"listDirectory": "list_dir", "findFiles": "file_search", "findTextInFiles": "grep_search",
	"searchCodebase": "semantic_search", "applyPatch": "apply_patch", "fetchWebPage": "fetch_webpage",
	"getErrors": "get_errors", "getChangedFiles": "get_changed_files", "createDirectory": "create_directory",
	"think": "think", "listCodeUsages": "list_code_usages", "testFailure": "test_failure",
	"runInTerminal": "run_in_terminal", "getTerminalOutput": "get_terminal_output",
	"githubRepo": "github_repo", "openSimpleBrowser": "open_simple_browser", "memory": "memory",
	"findTestFiles": "test_search", "readProjectStructure": "read_project_structure",
}

// nameOf returns the name by which the model knows a tool.
func nameOf(tool string) string {
	if name := tools[strings.TrimPrefix(tool, "copilot_")]; name != "" {
		return name
	}
	return strings.TrimPrefix(tool, "copilot_")
}

// madeBy returns the call that a part shows: the one with that id, or else the next one of that tool.
func (t *translator) madeBy(id, tool string) *round {
	for _, r := range t.calls {
		if id != "" && !r.used && (r.id == id || strings.HasPrefix(r.id, id+"__vscode")) {
			return r
		}
	}
	name := nameOf(tool)
	for _, r := range t.calls {
		if !r.used && (r.name == name || r.name == tool) {
			return r
		}
	}
	return nil
}

// invocation translates a call as the editor shows it.
func (t *translator) invocation(o *sources.Object, raw jsontext.Value) {
	id, tool := o.Text("toolCallId"), o.Text("toolId")
	if tool == "vscode_editFile_internal" { // the editor makes the edit that the call before asked for
		return
	}
	r := t.madeBy(id, tool)
	if r == nil {
		r = &round{id: id, name: nameOf(tool), raw: raw}
		if r.id == "" {
			r.id = t.id + "#" + strconv.Itoa(len(t.calls))
		}
		t.calls = append(t.calls, r)
		r.input = inputOf(o.Get("toolSpecificData"))
		if given := transcript.Field(o.Get("resultDetails"), "input"); given != nil {
			r.input = given
			if inner := jsontext.Value(transcript.String(given)); transcript.Kind(inner) == '{' && inner.IsValid() {
				r.input = inner
			}
		}
	}
	t.called(r, o)
}

// inputOf returns what the editor recorded of the input of a call.
func inputOf(data jsontext.Value) jsontext.Value {
	switch transcript.String(transcript.Field(data, "kind")) {
	case "terminal":
		command := transcript.Field(data, "commandLine")
		if inner := transcript.Field(command, "original"); inner != nil {
			command = inner
		}
		command = transcript.Or(command, transcript.Field(data, "command"))
		return sources.Make("command", transcript.String(command))
	case "todoList":
		return sources.Make("todoList", transcript.Field(data, "todoList"))
	case "subagent":
		return sources.Make("description", transcript.Field(data, "description"),
			"prompt", transcript.Field(data, "prompt"), "agentName", transcript.Field(data, "agentName"))
	case "input":
		return transcript.Field(data, "rawInput")
	case "simpleToolInvocation":
		return transcript.Field(data, "input")
	}
	return nil
}

// called adds a call and its result. shown may be nil.
func (t *translator) called(r *round, shown *sources.Object) {
	r.used = true
	if transcript.Kind(r.input) != '{' {
		r.input = sources.Make("input", r.input)
	}
	call := transcript.Block{Type: "tool_use", Raw: r.raw, ID: r.id, Name: r.name, Input: r.input}
	b := transcript.Block{Type: "tool_result", Raw: r.raw, ToolUseID: r.id}
	var more jsontext.Value
	text, code, denial := resultText(r.result), "", ""
	if r.name == "run_in_terminal" {
		code = printedExit(text)
	}
	if shown != nil {
		data, details := shown.Get("toolSpecificData"), shown.Get("resultDetails")
		state := transcript.Field(data, "terminalCommandState")
		if known := string(transcript.Field(state, "exitCode")); known != "null" {
			code = cmp.Or(known, code)
		}
		text = cmp.Or(text, textOf(transcript.Field(transcript.Field(data, "terminalCommandOutput"), "text")))
		if text == "" {
			text = outputOf(details)
		}
		failure := transcript.String(shown.Get("resultError"))
		text = cmp.Or(text, transcript.String(transcript.Field(data, "result")),
			transcript.String(transcript.Field(data, "output")), failure)
		if text == "" {
			text = plain(textOf(shown.Get("pastTenseMessage")))
		}
		b.IsError = string(transcript.Field(details, "isError")) == "true" || failure != ""
		if isDenied(shown.Get("isConfirmed")) {
			denial = "user-rejected"
		}
	}
	if code != "" {
		more = sources.Make("exitCode", code)
	}
	if denial == "" && strings.HasPrefix(text, "The user cancelled the tool call.") {
		denial = "interrupted"
	}
	b.IsError = b.IsError || denial != "" || code != "" && code != "0" || isFailure(text)
	call.NoResult = text == "" && denial == ""
	t.say(call)
	if call.NoResult {
		return
	}
	if text != "" {
		b.Content = []transcript.Block{t.Text(text)}
	}
	record := transcript.Record{Type: "user", ToolUseResult: more, Rare: &transcript.Rare{ToolDenialKind: denial}}
	record.Message = &transcript.Message{Role: "user", Content: []transcript.Block{b}}
	t.Add(record)
}

// isDenied reports whether the user refused a call: false, or type 0, or had it skipped: type 5.
func isDenied(v jsontext.Value) bool {
	kind := string(transcript.Field(v, "type"))
	return string(v) == "false" || kind == "0" || kind == "5"
}

// isFailure reports whether a result says that the call failed. Nothing else in the log does.
func isFailure(text string) bool {
	return strings.HasPrefix(text, "ERROR while calling tool: ") ||
		strings.HasPrefix(text, "ERROR: Your input to the tool was invalid")
}

// printedExit returns the exit code in the last line of what a command put out, or "".
func printedExit(text string) string {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	code, ok := strings.CutPrefix(last, "Command exited with code ")
	if _, err := strconv.Atoi(code); !ok || err != nil {
		return ""
	}
	return code
}

// plain removes links without text: "Read [](file:///w/a.go)".
func plain(s string) string {
	for {
		before, rest, ok := strings.Cut(s, "[](")
		if !ok {
			return s
		}
		target, after, ok := strings.Cut(rest, ")")
		if !ok {
			return s
		}
		target, _, _ = strings.Cut(target, "#")
		s = before + target[strings.LastIndexByte(target, '/')+1:] + after
	}
}

// outputOf returns the output of a tool of an MCP server.
func outputOf(details jsontext.Value) string {
	output := transcript.Field(details, "output")
	if transcript.Kind(output) == '"' {
		return transcript.String(output)
	}
	var all []string
	for e := range transcript.Elements(output) {
		if text := transcript.String(transcript.Field(e, "value")); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n")
}

// resultText returns the text that the model was given: parts that are texts or trees of texts.
func resultText(result jsontext.Value) string {
	var all strings.Builder
	for part := range transcript.Elements(transcript.Field(result, "content")) {
		value := transcript.Field(part, "value")
		if transcript.Kind(value) == '"' {
			all.WriteString(transcript.String(value))
			continue
		}
		node := transcript.Or(transcript.Field(value, "node"), value)
		nodeText(&all, node, 0)
	}
	return strings.Trim(all.String(), "\r\n")
}

// maxDepth limits the depth of a tree of texts.
const maxDepth = 200

func nodeText(to *strings.Builder, node jsontext.Value, depth int) {
	if depth > maxDepth {
		return
	}
	if text := transcript.Field(node, "text"); text != nil {
		breaks := string(transcript.Field(node, "lineBreakBefore")) == "true"
		if breaks && to.Len() > 0 && !strings.HasSuffix(to.String(), "\n") {
			to.WriteByte('\n')
		}
		to.WriteString(transcript.String(text))
	}
	for child := range transcript.Elements(transcript.Field(node, "children")) {
		nodeText(to, child, depth+1)
	}
}

// edits translates changes of a file in the answer that no call accounts for.
func (t *translator) edits(o *sources.Object, raw jsontext.Value) {
	file := pathOf(o.Get("uri"))
	if t.edited[file] {
		return
	}
	var all []jsontext.Value
	for group := range transcript.Elements(o.Get("edits")) {
		for e := range transcript.Elements(group) {
			all = append(all, sources.Make("lines", linesOf(transcript.Field(e, "range")),
				"text", transcript.Field(e, "text")))
		}
	}
	if all == nil {
		return
	}
	input := sources.Make("filePath", file, "edits", sources.MakeList(all...))
	id := t.id + "#" + strconv.Itoa(t.Added())
	made := string(o.Get("done")) == "true"
	t.say(transcript.Block{Type: "tool_use", Raw: raw, ID: id, Name: "textEditGroup", Input: input, NoResult: !made})
	if made {
		t.Result(id, false)
	}
}
