package normalize

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// reorderAttachments lets attachments bubble up until they stand after a tool_result or an answer, so that they never
// come between a call and its result. It comes first: later steps drop messages that stop them, and attachments can no
// longer be told from other text.
//
// What a local command printed stops them too: the attachment stays after it.
func reorderAttachments(s *sending) {
	reversed := make([]*entry, 0, len(s.entries))
	var rising []*entry // the last of them first
	for i := len(s.entries) - 1; i >= 0; i-- {
		e := s.entries[i]
		if e.record.Attachment != nil {
			rising = append(rising, e)
			continue
		}
		if stopsAttachments(e) {
			reversed = append(reversed, rising...)
			rising = rising[:0]
		}
		reversed = append(reversed, e)
	}
	reversed = append(reversed, rising...)
	for i := range s.entries {
		s.entries[i] = reversed[len(reversed)-1-i]
	}
}

func stopsAttachments(e *entry) bool {
	switch r := e.record; r.Type {
	case "assistant":
		return true
	case "system":
		return r.Subtype == "local_command"
	case "user":
		for _, m := range e.parts {
			if m.Block != nil && m.Block.Type == "tool_result" {
				return true
			}
		}
	}
	return false
}

// attachmentBlocks are what an attachment sends. rough says that the log does
// not hold the words around it; why, that it sends nothing that is known.
//
// What newer logs call rendered is what was sent, and the table below is for those without it.
func attachmentBlocks(r *transcript.Record) (blocks []transcript.Block, rough bool, why Why) {
	if rendered := transcript.Field(r.Raw, "rendered"); transcript.Kind(rendered) == '[' {
		for e := range transcript.Elements(rendered) {
			blocks = append(blocks, contentBlocks(transcript.Field(e, "content"))...)
		}
		if len(blocks) == 0 {
			return nil, false, whyNothing
		}
		return blocks, false, NoWhy
	}
	a := r.Attachment
	if silent[a.Type] {
		return nil, false, whyNothing
	}
	if a.Type == "queued_command" {
		blocks = contentBlocks(transcript.Field(a.Raw, "prompt"))
	} else {
		read, ok := attachmentTexts[a.Type]
		if !ok {
			read = field("content")
		}
		if text := strings.TrimSpace(read(a.Raw)); text != "" {
			blocks = textBlocks(text)
		} else if ok {
			return nil, false, whyNothing
		} else {
			return nil, false, whyUnrecorded
		}
	}
	if len(blocks) == 0 {
		return nil, false, whyNothing
	}
	return blocks, true, NoWhy
}

// silent names the attachments that send nothing: they inform the user, or the program itself
// (normalizeAttachmentForAPI gives null).
var silent = map[string]bool{
	"hook_non_blocking_error":     true,
	"hook_error_during_execution": true,
	"hook_cancelled":              true,
	"hook_system_message":         true,
	"hook_permission_decision":    true,
	"hook_deferred_tool":          true,
	"command_permissions":         true,
	"prompt_snapshot":             true,
	"deferred_tools_record":       true,
	"credential_org":              true,
	"structured_output":           true,
	"already_read_file":           true,
	"max_turns_reached":           true,
}

// attachmentTexts say what an attachment sends where its record has no
// rendered: what it holds, without the words that the program puts around it,
// which the log does not hold. An attachment that is not here sends its content
// when that is a string; what sends words of the program only, like a reminder
// to plan, is sent and not in the log.
var attachmentTexts = map[string]func(jsontext.Value) string{
	"hook_success":              hookOutput,
	"hook_additional_context":   list("content"),
	"hook_blocking_error":       inside("blockingError", field("blockingError")),
	"hook_stopped_continuation": field("message"),
	"edited_text_file":          both(field("filename"), field("snippet")),
	"file":                      both(field("filename"), fileContent),
	"directory":                 both(field("path"), field("content")),
	"opened_file_in_ide":        field("filename"),
	"selected_lines_in_ide":     both(field("filename"), field("content")),
	"compact_file_reference":    field("filename"),
	"plan_file_reference":       both(field("planFilePath"), field("planContent")),
	"nested_memory":             both(field("path"), inside("content", field("content"))),
	"memory":                    field("content"),
	"relevant_memories":         each("memories", both(field("path"), field("content"))),
	"skill_listing":             field("content"),
	"skill_discovery":           both(field("content"), each("skills", either(transcript.String, both(field("name"), field("description"))))),
	"invoked_skills":            each("skills", both(field("name"), field("content"))),
	"task_reminder":             each("content", both(field("status"), field("subject"))),
	"todo_reminder":             each("content", both(field("status"), field("content"))),
	"task_status":               both(field("description"), both(field("status"), field("deltaSummary"))),
	"diagnostics":               each("files", both(field("uri"), each("diagnostics", field("message")))),
	"deferred_tools_delta":      both(list("addedNames"), list("removedNames")),
	"mcp_instructions_delta":    both(list("addedBlocks"), list("removedNames")),
	"agent_listing_delta":       both(list("addedLines"), list("removedTypes")),
	"date_change":               field("newDate"),
	"agent_mention":             field("agentType"),
	"model":                     field("text"),
	"total_tokens_reminder":     field("text"),
	"goal_status":               field("condition"),
}

// hookOutput: of the hooks that went well, only those at the start of a session
// and of a prompt are heard by the model.
func hookOutput(v jsontext.Value) string {
	switch transcript.String(transcript.Field(v, "hookEvent")) {
	case "SessionStart", "UserPromptSubmit":
		return transcript.String(transcript.Field(v, "content"))
	}
	return ""
}

// fileContent is what a Read of the file gave, or the text itself.
func fileContent(v jsontext.Value) string {
	content := transcript.Field(v, "content")
	if s := transcript.String(content); s != "" {
		return s
	}
	return transcript.String(transcript.Field(transcript.Field(content, "file"), "content"))
}

func field(name string) func(jsontext.Value) string {
	return func(v jsontext.Value) string { return transcript.String(transcript.Field(v, name)) }
}

func inside(name string, read func(jsontext.Value) string) func(jsontext.Value) string {
	return func(v jsontext.Value) string { return read(transcript.Field(v, name)) }
}

// list joins strings, one a line.
func list(name string) func(jsontext.Value) string {
	return each(name, func(v jsontext.Value) string { return transcript.String(v) })
}

func each(name string, read func(jsontext.Value) string) func(jsontext.Value) string {
	return func(v jsontext.Value) string {
		var lines []string
		for e := range transcript.Elements(transcript.Field(v, name)) {
			if s := read(e); s != "" {
				lines = append(lines, s)
			}
		}
		return strings.Join(lines, "\n")
	}
}

// either is the first, or the second where there is none.
func either(first, second func(jsontext.Value) string) func(jsontext.Value) string {
	return func(v jsontext.Value) string { return cmp.Or(first(v), second(v)) }
}

// both puts the second below the first, where there are two.
func both(first, second func(jsontext.Value) string) func(jsontext.Value) string {
	return func(v jsontext.Value) string {
		a, b := first(v), second(v)
		if a == "" || b == "" {
			return a + b
		}
		return a + "\n" + b
	}
}

func textBlock(text string) *transcript.Block { return &transcript.Block{Type: "text", Text: text} }

func textBlocks(text string) []transcript.Block {
	return []transcript.Block{{Type: "text", Text: text}}
}

// contentBlocks reads content that is no message of its own: a string, a block
// or a list of blocks.
func contentBlocks(v jsontext.Value) []transcript.Block {
	switch transcript.Kind(v) {
	case '"', '[':
		return transcript.Blocks(v)
	case '{':
		return transcript.Blocks(append(append(jsontext.Value{'['}, v...), ']'))
	}
	return nil
}
