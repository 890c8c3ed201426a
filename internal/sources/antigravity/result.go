package antigravity

import (
	"cmp"
	"strings"
	"time"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// toolsOf are the names of the tools that may produce the steps of a type. The first one names a step without a call in
// the log.
var toolsOf = map[string][]string{
	"RUN_COMMAND":    {"run_command", "send_command_input"},
	"COMMAND_STATUS": {"command_status"},
	"VIEW_FILE":      {"view_file", "view_content_chunk", "view_file_outline", "view_code_item"},
	"CODE_ACTION": {
		"replace_file_content", "multi_replace_file_content", "write_to_file", "write_file", "sed_file",
		"notebook_edit",
	},
	"GREP_SEARCH":    {"grep_search"},
	"FIND":           {"find_by_name"},
	"LIST_DIRECTORY": {"list_dir"},
	"SEARCH_WEB":     {"search_web"},
	"READ_URL":       {"read_url_content", "open_browser_url"},
}

// other translates a step that is the result of a call, or has an unknown type.
func (t *translator) other(kind, content string) {
	if source := t.step.Text("source"); source == "SYSTEM" || kind == "" {
		t.Add(transcript.Record{Type: "step " + kind})
		return
	}
	if blocks := t.called(); len(blocks) > 0 {
		t.say(blocks...)
	}
	if status := t.step.Text("status"); (status == "RUNNING" || status == "PENDING") && content == "" {
		return
	}
	id, ok := t.open.take(toolsOf[kind])
	if !ok && (toolsOf[kind] == nil || t.Added() > 0) {
		id, ok = t.open.takeFirst() // a type that any tool may produce
	}
	content, ended := t.withoutTimes(content)
	if !ok { // the call is not in the log
		name := strings.ToLower(kind)
		if names := toolsOf[kind]; names != nil {
			name = names[0]
		}
		input := sources.Make()
		if path := pathIn(content); path != "" {
			input = sources.Make("AbsolutePath", path)
		}
		t.say(t.call(name, "", input, t.Value))
		id, _ = t.open.take([]string{name})
	}
	b := transcript.Block{Type: "tool_result", Raw: t.Value, ToolUseID: id}
	content = cmp.Or(content, t.step.Text("error"))
	code := exitCode(kind, content)
	b.IsError = code != "" && code != "0"
	if first, output, ok := strings.Cut(content, "\nOutput:\n"); ok && code != "" && !strings.Contains(first, "\n") {
		content = output
	}
	if content != "" {
		b.Content = []transcript.Block{t.Text(content)}
	}
	r := transcript.Record{Type: "user", Timestamp: ended, Rare: new(transcript.Rare)}
	switch t.step.Text("status") {
	case "ERROR":
		b.IsError = true
	case "CANCELED", "CANCELLED":
		b.IsError, r.ToolDenialKind = true, "interrupted"
	}
	parts := false
	for range transcript.Elements(t.step.Get("truncated_fields")) {
		parts = true
	}
	r.ToolUseResult = sources.Make("backgroundTaskId", taskIn(content), "exitCode", code,
		"fileDiff", diffIn(content), "cut", parts, "type", created(content))
	r.Message = &transcript.Message{Role: "user", Content: []transcript.Block{b}}
	t.Add(r)
}

// withoutTimes removes the times of start and end from a result.
func (t *translator) withoutTimes(content string) (rest string, ended time.Time) {
	rest = content
	for _, name := range []string{"Created At: ", "Completed At: "} {
		line, behind, _ := strings.Cut(rest, "\n")
		value, ok := strings.CutPrefix(line, name)
		if !ok {
			continue
		}
		if at, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(value)); err == nil {
			rest = behind
			if name == "Completed At: " {
				ended = at.UTC()
			}
		}
	}
	return rest, ended
}

// taskIn returns the id of the task in which a command goes on, or "".
func taskIn(content string) string {
	line, _, _ := strings.Cut(content, "\n")
	id, _ := strings.CutPrefix(line, "Tool is running as a background task with task id: ")
	if id == line {
		return ""
	}
	return id
}

// pathIn returns the file that the first line of a result names.
func pathIn(content string) string {
	_, rest, ok := strings.Cut(content, "File Path: `file://")
	if !ok {
		return ""
	}
	path, _, _ := strings.Cut(rest, "`")
	return path
}

// exitCode returns the exit code that the result of a command states in words.
func exitCode(kind, content string) string {
	if kind != "RUN_COMMAND" {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(content), "\n")
	if strings.Contains(line, "completed successfully") {
		return "0"
	}
	_, code, ok := strings.Cut(strings.ToLower(line), "exit code")
	code = strings.Trim(code, ": .")
	if !ok || code == "" || strings.Trim(code, "0123456789") != "" {
		return ""
	}
	return code
}

// diffIn returns the diff in the result of an edit.
func diffIn(content string) string {
	_, rest, ok := strings.Cut(content, "[diff_block_start]\n")
	if !ok {
		return ""
	}
	diff, _, ok := strings.Cut(rest, "[diff_block_end]")
	if !ok {
		return ""
	}
	return diff
}

// created returns "create" if the result says that the file did not exist.
func created(content string) string {
	if strings.HasPrefix(strings.TrimSpace(content), "Created file ") {
		return "create"
	}
	return ""
}
