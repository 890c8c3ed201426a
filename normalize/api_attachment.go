package normalize

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// reorderAttachments moves attachments up until they follow a tool_result or an answer, so that they never come between
// a call and its result. It comes first, because later steps drop messages that stop attachments, and turn attachments
// into text.
//
// Output of a local command stops them, too.
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

// attachmentBlocks returns the blocks that an attachment sends. rough means that the log lacks some of the text; why is
// set if nothing is known to be sent.
//
// Newer logs have the sent text as rendered; the table below is for older ones.
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
	"prompt_render_point":         true,
	"thinking_drop":               true,
	"thinking_stripped":           true,
	"attention_budget":            true,
	"context_efficiency":          true,
	"edited_image_file":           true,
	"tool_host_result_lines":      true,
}

// attachmentTexts has functions that return what an attachment without rendered sends: its content, without the text
// that the program puts around it, which is not in the log. An attachment that is not listed sends its content if that
// is a string. Others send only text of the program, such as a reminder to plan, which is not in the log.
var attachmentTexts = map[string]func(jsontext.Value) string{
	"hook_success":              hookOutput,
	"hook_additional_context":   list("content"),
	"hook_blocking_error":       inside("blockingError", field("blockingError")),
	"hook_stopped_continuation": field("message"),
	"async_hook_response": inside("response", both(field("systemMessage"),
		inside("hookSpecificOutput", field("additionalContext")))),
	"edited_text_file":       both(field("filename"), field("snippet")),
	"file":                   both(field("filename"), fileContent),
	"directory":              both(field("path"), field("content")),
	"opened_file_in_ide":     field("filename"),
	"selected_lines_in_ide":  both(field("filename"), field("content")),
	"compact_file_reference": field("filename"),
	"plan_file_reference":    both(field("planFilePath"), field("planContent")),
	"nested_memory":          both(field("path"), inside("content", field("content"))),
	"memory":                 field("content"),
	"relevant_memories":      each("memories", both(field("path"), field("content"))),
	"skill_listing":          field("content"),
	"skill_discovery":        both(field("content"), each("skills", either(transcript.String, both(field("name"), field("description"))))),
	"invoked_skills":         each("skills", both(field("name"), field("content"))),
	"task_reminder":          each("content", both(field("status"), field("subject"))),
	"todo_reminder":          each("content", both(field("status"), field("content"))),
	"task_status":            both(field("description"), both(field("status"), field("deltaSummary"))),
	"diagnostics":            each("files", both(field("uri"), each("diagnostics", field("message")))),
	"deferred_tools_delta":   both(list("addedNames"), list("removedNames")),
	"mcp_instructions_delta": both(list("addedBlocks"), list("removedNames")),
	"agent_listing_delta":    both(list("addedLines"), list("removedTypes")),
	"date_change":            field("newDate"),
	"agent_mention":          field("agentType"),
	"model":                  field("text"),
	"total_tokens_reminder":  field("text"),
	"fork_briefing":          field("text"),
	"prefix_delta":           field("text"),
	"tool_hosts_notice":      list("lines"),
	"tool_hosts_correction":  list("lines"),
	"inlined_image_paths":    list("paths"),
	"read_truncation_notice": field("banner"),
	"goal_status":            field("condition"),
}

// hookOutput returns what the model is sent of a successful hook: only hooks at the start of a session or of a prompt
// are sent.
func hookOutput(v jsontext.Value) string {
	switch transcript.String(transcript.Field(v, "hookEvent")) {
	case "SessionStart", "UserPromptSubmit":
		return transcript.String(transcript.Field(v, "content"))
	}
	return ""
}

// fileContent returns the result of a Read of the file, or the text itself.
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

// list joins strings, one on each line.
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

// either returns the first text, or the second if the first is empty.
func either(first, second func(jsontext.Value) string) func(jsontext.Value) string {
	return func(v jsontext.Value) string { return cmp.Or(first(v), second(v)) }
}

// both joins two texts that are not empty with a line break.
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

// contentBlocks reads content outside of a message: a string, a block or a list of blocks.
func contentBlocks(v jsontext.Value) []transcript.Block {
	switch transcript.Kind(v) {
	case '"', '[':
		return transcript.Blocks(v)
	case '{':
		return transcript.Blocks(append(append(jsontext.Value{'['}, v...), ']'))
	}
	return nil
}
