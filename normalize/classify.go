package normalize

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// classify sets the kind of each message and takes its text out of its envelope. Messages of one record are next to
// each other and are classified together.
func classify(messages []*Message) {
	seen := make(map[string]bool) // notifications: the same event is written up to three times
	var before []*Message
	for parts := range ByRecord(messages) {
		switch r := parts[0].Record; {
		case parts[0].Block == nil:
			classifyEvent(parts[0])
		case r.Type == "assistant":
			classifyAssistant(parts)
		case r.TextIs != transcript.AnyText:
			setTranslatedKinds(parts)
		default:
			classifyUser(parts)
		}
		typedCommand(before, parts[0])
		before = parts
		addFieldContexts(parts)
		if rule := parts[0].Record.Hidden; rule != "" {
			for _, m := range parts {
				m.Rule = rule
			}
		}
		for _, m := range parts {
			if m.Kind == Notification && m.Rule == "" && !anyNew(m.Tags, seen) {
				m.Rule = ruleRepeatedNotification
			}
		}
	}
}

// anyNew reports whether one of the tags has not been seen: a record may report several events.
func anyNew(tags []Tag, seen map[string]bool) bool {
	found := false
	for _, t := range tags {
		event, report := notificationKeys(t)
		found = found || !seen[report]
		seen[event], seen[report] = true, true
	}
	return found
}

// notificationKeys returns keys of the event of a notification, and of its result: an agent that was resumed ends
// again, with another result. Without a result the keys are the same.
func notificationKeys(t Tag) (event, report string) {
	id := t.Element("task-id")
	if id == "" {
		return t.Body, t.Body
	}
	event = id + "\x00" + t.Element("status") + "\x00" + t.Element("summary") + "\x00" + t.Element("event")
	if result := t.Element("result"); result != "" {
		return event, event + "\x00" + result + "\x00" + t.Element("usage")
	}
	return event, event
}

// classifyEvent classifies a record that is not chat, or a chat record without content.
func classifyEvent(m *Message) {
	r := m.Record
	switch {
	case r.Type == "system":
		classifySystem(m)
	case r.Type == "attachment" && r.Attachment != nil:
		classifyAttachment(m)
	case r.Type == "progress":
		classifyProgress(m)
	case r.Type == "user" || r.Type == "assistant":
		m.Kind, m.Name = Unknown, r.Type
		if r.Message != nil { // a stub of a model fallback
			m.Rule = ruleEmpty
		}
	case r.Type == "tool_use_summary":
		m.Kind, m.Text = Caption, transcript.String(transcript.Field(r.Raw, "summary"))
	default:
		m.Kind, m.Name = Unknown, r.Type
		m.Rule = bookkeeping[r.Type]
	}
}

func classifySystem(m *Message) {
	r := m.Record
	m.Kind, m.Name, m.Text = System, r.Subtype, r.Text()
	m.Rule = transientSubtypes[r.Subtype]
	switch r.Subtype {
	case "hook_response": // of an SDK stream
		m.Kind, m.Name = Hook, r.Subtype
		m.HookEvent = transcript.String(transcript.Field(r.Raw, "hook_event"))
	case "":
		// Hooks of 1.0.x: "Running PostToolUse:Edit..." with ANSI codes.
		if event := hookEventIn(m.Text); event != "" {
			m.Kind, m.Name, m.HookEvent = Hook, "text", event
		}
	case "informational":
		classifyRemark(m)
	case "local_command":
		tags, rest := openEnvelope(m.Text)
		if len(tags) > 0 {
			envelope(m, tags, rest)
		}
	}
}

// typedCommand makes a command of a prompt that ran one: a skill that works as an agent is logged as it was typed, and
// the next record has its output.
func typedCommand(before []*Message, output *Message) {
	if output.Record.Subtype != "local_command" || output.Kind != Output || len(before) != 1 {
		return
	}
	m := before[0]
	name, args, _ := strings.Cut(m.Text, " ")
	if m.Kind == Prompt && m.Record.UUID == output.Record.ParentUUID && isCommandName(name) {
		m.Kind, m.Name, m.Text = Command, name, strings.TrimSpace(args)
	}
}

// isCommandName reports whether a word is a command, and not a path: /code-review, /plugin:skill.
func isCommandName(word string) bool {
	name, ok := strings.CutPrefix(word, "/")
	return ok && name != "" && strings.Trim(name, commandCharacters) == "" && name[0] != '-' && name[0] != ':'
}

const commandCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:-"

// classifyRemark makes a prompt of the remark that a hook blocked it. The log has the prompt nowhere else.
func classifyRemark(m *Message) {
	remark, prompt, quotes := strings.Cut(m.Text, "\n\nOriginal prompt: ")
	why, blocked := strings.CutPrefix(remark, "UserPromptSubmit operation blocked by hook:")
	if !quotes || !blocked || strings.TrimSpace(prompt) == "" {
		return
	}
	m.Kind, m.Name, m.Text = Prompt, "", prompt
	cutContexts(m)
	m.Contexts = append(m.Contexts, Context{
		Kind: ContextBlocked, Label: "blocked by a hook", Detail: strings.TrimSpace(why),
	})
}

// hookEvents are the events that hook texts of 1.0.x name.
var hookEvents = []string{
	"PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "SubagentStop", "PreCompact",
	"Notification", "Stop",
}

// hookEventIn reads the event at the start of a hook text of 1.0.x, in bold letters: "Running PostToolUse:Edit..." or
// "Stop [make] completed ...".
func hookEventIn(text string) string {
	text = strings.TrimPrefix(text, "Running ")
	text, bold := strings.CutPrefix(text, "\x1b[1m")
	for _, e := range hookEvents {
		if bold && strings.HasPrefix(text, e) {
			return e
		}
	}
	return ""
}

func classifyAttachment(m *Message) {
	a := m.Record.Attachment
	m.Kind, m.Name = Attachment, a.Type
	switch {
	case personal[a.Type]:
		m.Rule = rulePersonal
	case a.Type == "total_tokens_reminder" &&
		strings.Contains(transcript.String(transcript.Field(a.Raw, "text")), "Infinite"):
		m.Rule = ruleUnlimited // is written after every call
	case a.Type == "queued_command":
		classifyQueued(m)
	case a.HookEvent != "" || strings.HasPrefix(a.Type, "hook_") || a.Type == "async_hook_response":
		m.Kind, m.HookEvent = Hook, a.HookEvent
		if m.HookEvent == "" {
			m.HookEvent, _, _ = strings.Cut(a.HookName, ":")
		}
	}
}

// classifyQueued classifies an entry that was queued while the model worked and delivered here: a prompt of the user,
// or the report of a background task.
func classifyQueued(m *Message) {
	var mode, origin string
	var from jsontext.Value
	meta, empty := false, true
	for name, value := range transcript.Members(m.Record.Attachment.Raw) {
		switch name {
		case "prompt": // a string, or content blocks
			m.Text = transcript.String(value)
			empty = m.Text == ""
			var texts []string
			for e := range transcript.Elements(value) {
				empty = false
				if text := transcript.String(transcript.Field(e, "text")); text != "" {
					texts = append(texts, text)
				}
			}
			m.Text += strings.Join(texts, "\n")
		case "commandMode":
			mode = transcript.String(value)
		case "origin":
			origin, from = transcript.String(transcript.Field(value, "kind")), value
		case "isMeta":
			meta = string(value) == "true"
		}
	}
	tags, rest := openEnvelope(m.Text)
	switch {
	case empty:
		return // no text: drawn as an attachment
	case (origin != "" || meta) && peerMessage(m, origin, from):
	case len(tags) > 0 && !contextTags[tags[0].Name]:
		envelope(m, tags, rest)
	case meta || origin != "" && origin != "human" || !transcript.IsTyped(mode):
		m.Kind = Injected
	default:
		m.Kind, m.Queued = Prompt, true
		cutContexts(m)
	}
}

// classifyProgress keeps the hooks of 2.1.11 to 2.1.81, which say only that they ran. The result has everything that
// other progress says.
func classifyProgress(m *Message) {
	r := m.Record
	m.Kind, m.Name = Progress, r.DataType
	if r.DataType == "hook_progress" {
		m.Kind = Hook
		m.HookEvent = transcript.String(transcript.Field(r.Data, "hookEvent"))
		return
	}
	m.Rule = ruleProgress
}

func classifyAssistant(parts []*Message) {
	for _, m := range parts {
		b := m.Block
		switch {
		case b.Type == "text":
			m.Kind, m.Text = Text, b.Text
			switch {
			case m.Record.IsAPIError:
				m.Kind = APIError
			case strings.TrimSpace(b.Text) == "":
				m.Rule = ruleEmpty
			default:
				if s := statusOf(b.Text); s == NoResponse {
					m.Kind, m.Status = Status, s
				}
			}
		default:
			classifyBlock(m)
		}
	}
}

// classifyBlock classifies the blocks that both roles can have.
func classifyBlock(m *Message) {
	b := m.Block
	switch {
	case strings.HasSuffix(b.Type, "thinking"):
		m.Kind, m.Text = Thinking, b.Text
	case strings.HasSuffix(b.Type, "tool_use"): // also server_tool_use, mcp_tool_use
		m.Kind, m.Name = Call, b.Name
	case strings.HasSuffix(b.Type, "tool_result"):
		m.Kind = Result
	case b.Type == "image" || b.Type == "document":
		m.Kind, m.Name = Media, b.Type
	default:
		m.Kind, m.Name = Block, b.Type
	}
}
