package crush

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// denials tells by results why calls did not run.
var denials = map[string]string{
	"Permission denied":               "user-rejected",
	"User denied permission":          "user-rejected",
	"User denied permission.":         "user-rejected",
	"Tool execution canceled by user": "interrupted",
}

// result translates the result of a call.
func (t *translator) result(o *sources.Object) {
	id, text := o.Text("tool_call_id"), o.Text("content")
	tool := t.calls[id]
	if tool == "" {
		tool = o.Text("name")
	}
	var metadata sources.Object
	if v := jsontext.Value(o.Text("metadata")); transcript.Valid(v) {
		metadata.Read(v)
	}
	failed := string(o.Get("is_error")) == "true"
	denied := ""
	if failed {
		denied = denials[strings.TrimSpace(text)]
	}
	var structured jsontext.Value
	switch {
	case tool == "bash":
		var code string
		text, code, denied = ended(text, denied)
		failed = failed || code != ""
		structured = command(&metadata, code)
	case failed:
	case tool == "view":
		text, structured = fileIn(text)
	case metadata.Get("old_content") != nil || metadata.Get("new_content") != nil:
		before := metadata.Get("old_content")
		pairs := []any{"originalFile", before, "newFile", metadata.Get("new_content")}
		if transcript.String(before) == "" {
			pairs = append(pairs, "type", "create")
		}
		structured = sources.Make(pairs...)
	}
	if agent := t.agents[id]; agent != "" {
		structured = sources.Make("agentId", agent)
	}
	var blocks []transcript.Block
	if text != "" {
		blocks = append(blocks, t.Text(text))
	}
	if media := o.Text("mime_type"); strings.HasPrefix(media, "image/") {
		blocks = append(blocks, picture(media, o.Get("data")))
	}
	r := t.Result(id, failed || denied != "", blocks...)
	r.ToolUseResult = structured
	if denied != "" {
		sources.Rare(r).ToolDenialKind = denied
	}
}

// ended cuts from the output of a command the folder in which it ended, and how it ended if it failed.
func ended(text, was string) (output, code, denied string) {
	if at := strings.LastIndex(text, "\n\n<cwd>"); at >= 0 && strings.HasSuffix(text, "</cwd>") {
		text = text[:at]
	}
	at := strings.LastIndexByte(text, '\n') + 1
	last := text[at:]
	if last == "Command was aborted before completion" {
		return text, "", "interrupted"
	}
	code, ok := strings.CutPrefix(last, "Exit code ")
	if !ok || code == "" || strings.Trim(code, "-0123456789") != "" {
		return text, "", was
	}
	return strings.TrimRight(text[:at], "\n"), code, was
}

// command returns the exit code of a command, how long it took, and whether it still runs.
func command(metadata *sources.Object, code string) jsontext.Value {
	pairs := []any{"exitCode", code}
	if start, end := sources.Number(metadata.Get("start_time")), sources.Number(metadata.Get("end_time")); end > start {
		pairs = append(pairs, "seconds", float64(end-start)/1000)
	}
	return sources.Make(append(pairs, "session", metadata.Text("shell_id"))...)
}

// fileIn returns the lines of a file without their numbers, and where they are in it.
func fileIn(text string) (code string, place jsontext.Value) {
	const longest = 2000 // letters of a line that the model is shown
	body, ok := strings.CutPrefix(text, "<file>\n")
	body, rest, closed := strings.Cut(body, "\n</file>")
	if !ok || !closed {
		return text, nil
	}
	body, _, more := strings.Cut(body, "\n\n(File has more lines.")
	code, first, count := sources.CutLineNumbers(body)
	if count == 0 {
		return text, nil
	}
	for line := range strings.SplitSeq(code, "\n") {
		more = more || len(line) > longest
	}
	total := 0
	if !more {
		total = first + count - 1
	}
	return code, sources.Make("startLine", first, "numLines", count, "totalLines", total,
		"note", strings.TrimSpace(rest)) // of the language server
}
