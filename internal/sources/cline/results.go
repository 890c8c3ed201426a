package cline

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// answers are the tools by which the model answers, each with the member of its input that has the text.
var answers = map[string]string{"attempt_completion": "result", "plan_mode_respond": "response"}

// answer returns the text of a call by which the model answers, after what else the call has. Other calls stay as they
// are.
func (t *translator) answer(call transcript.Block) []transcript.Block {
	member := answers[call.Name]
	said := strings.TrimSpace(transcript.String(transcript.Field(call.Input, member)))
	if member == "" || said == "" {
		return []transcript.Block{call}
	}
	if t.answered == nil {
		t.answered = make(map[string]bool)
	}
	t.answered[call.ID] = true
	text := transcript.Block{Type: "text", Raw: call.Raw, Text: said}
	var rest []any
	for name, v := range transcript.Members(call.Input) {
		if name != member && transcript.TextOf(v) != "" {
			rest = append(rest, name, v)
		}
	}
	if len(rest) == 0 {
		return []transcript.Block{text}
	}
	call.Input = sources.Make(rest...)
	t.ended = append(t.ended, call.ID)
	return []transcript.Block{call, text}
}

// resultOf adds the result of a call. What the human says to an answer is returned instead: what was typed, and what
// the program put around it.
func (t *translator) resultOf(id string, failed bool, content []transcript.Block) (typed, added []transcript.Block) {
	if t.answered[id] {
		return replies(content)
	}
	text := ""
	if len(content) > 0 {
		text = strings.TrimSpace(content[0].Text)
	}
	exit, denied := exitOf(text), ends(text, "denied", "The user denied this operation")
	failed = failed || exit != "" || denied || ends(text, "error", "The tool execution failed with the following error")
	r := t.Result(id, failed, content...)
	if exit != "" {
		r.ToolUseResult = sources.Make("exitCode", exit)
	}
	if denied {
		sources.Rare(r).ToolDenialKind = "user-rejected"
	}
	return nil, nil
}

// ends reports whether a result says how its call ended: in words, or as the status of an object.
func ends(text, status, words string) bool {
	if strings.HasPrefix(text, `{"status":`) {
		return transcript.String(transcript.Field(jsontext.Value(text), "status")) == status
	}
	return strings.HasPrefix(text, words)
}

// exitOf returns the exit code of a command that failed, which precedes its output; "" for none.
func exitOf(text string) string {
	head, _, _ := strings.Cut(text, "\nOutput:")
	_, code, found := strings.Cut(head, "\nExit code: ")
	if code = strings.TrimSpace(code); !found || !strings.HasPrefix(head, "Command executed") || code == "0" ||
		code == "" || strings.Trim(code, "0123456789") != "" {
		return ""
	}
	return code
}

// openCall finds the call written in a text that a text is the result of: "[read_file for 'hull.go'] Result:". Calls
// before it have none, such as an answer to which the human said nothing.
func (t *translator) openCall(text string) (at int, ok bool) {
	head, _, found := strings.Cut(text, "] Result:")
	if !found || !strings.HasPrefix(head, "[") {
		return 0, false
	}
	for i, c := range t.open {
		if head == "["+c.name || strings.HasPrefix(head, "["+c.name+" ") {
			return i, true
		}
	}
	return 0, len(t.open) > 0 && !strings.Contains(head, "\n")
}

// isReminder reports whether the program wrote a text, apart from what the human typed in a tag inside.
func isReminder(text string) bool {
	for _, begin := range []string{
		"[TASK RESUMPTION] ", "[ERROR] You did not use a tool ", "(The user did not provide a new message.",
	} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

// replies separates what the human typed in tags from what the program put around it.
func replies(content []transcript.Block) (typed, added []transcript.Block) {
	for _, b := range content {
		if b.Type != "text" {
			typed = append(typed, b)
			continue
		}
		before, said, behind := reply(b.Text)
		if said != "" {
			typed = append(typed, transcript.Block{Type: "text", Raw: b.Raw, Text: said})
		}
		for _, text := range []string{before, behind} {
			if text != "" && text != introduction {
				added = append(added, transcript.Block{Type: "text", Raw: b.Raw, Text: text})
			}
		}
	}
	return typed, added
}

const introduction = "The user has provided feedback on the results. " +
	"Consider their input to continue the task, and then attempt completion again."

// reply finds what the human typed in a tag, which may follow an introduction.
func reply(text string) (before, said, behind string) {
	for _, tag := range []string{"<feedback>", "<user_message>", "<answer>"} {
		at := strings.Index(text, tag)
		if at < 0 || at > 0 && text[at-1] != '\n' {
			continue
		}
		if _, said, behind, ok := element(text[at:]); ok {
			return strings.TrimSpace(text[:at]), strings.TrimSpace(said), strings.TrimSpace(behind)
		}
	}
	return strings.TrimSpace(text), "", ""
}
