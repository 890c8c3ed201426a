package codex

import (
	"bytes"
	"html"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// marks are the beginnings of texts that the program puts into the role of the user.
var marks = []string{
	"<environment_context>", "# AGENTS.md instructions", "<user_instructions>", "<permissions instructions>",
	"<skills_instructions>", "<apps_instructions>", "<plugins_instructions>", "<recommended_plugins>",
	"<collaboration_mode>", "<multi_agent_mode>", "<app-context>", "<personality_spec>", "<model_switch>", "<skill>",
	"<subagent_notification>", "<turn_aborted>", "<user_action>", "<user_shell_command>", "<hook_prompt",
	"<codex_internal_context", heartbeatMark, "<task-notification>", "<environment-change>", "<ENVIRONMENT_CONTEXT>",
	"<environments>", "<workspace_roots>", "<AGENTS_md>", "The following is the Codex agent history",
	"<extension_context>", "<goal_context>", "<external_", "<application_context", "<agent_message_board_notification>",
	"Warning: apply_patch was requested via ", "Warning: The maximum number of unified exec processes ",
	"Warning: Your account was flagged for potentially high-risk cyber activity",
}

// answerMark begins an answer that the human gave while the model worked.
const answerMark = "<send_user_message_question_reply>"

// heartbeatKind is the kind of a message that a schedule wrote, which begins with heartbeatMark.
const (
	heartbeatKind = "user.heartbeat"
	heartbeatMark = "<heartbeat>"
)

// requestMark comes before the words of the human in a message of an editor, and shortMarks in one of the desktop app.
const requestMark = "## My request for Codex:"

var shortMarks = []string{"\n## My request:", "\n## My request for ChatGPT:"}

// attachments are the beginnings of what the desktop app puts before the words of the human.
var attachments = []string{
	"# Context from my IDE setup:", "# Selected text:", "# Files mentioned by the user:", "# Files pasted by the user:",
	"# Applications mentioned by the user:", "# Response annotations:", "# Diff comments:", "# Browser comments:",
	"# In app browser:", "# MCP app context:", "# Failing PR checks:", "# Pull request merge conflict:",
	"# Chrome tabs:", "## Prior conversation with Codex:", "## Referenced chats with Codex:",
	"## Referenced ChatGPT conversation:", "<in-app-browser-context", "<response-annotations>",
}

// userMessage translates a message in the role of the user: a prompt, or a text that the program put there.
func (t *translator) userMessage(blocks []transcript.Block, kinds []string) {
	typed, context := t.split(blocks, kinds)
	first := ""
	for _, b := range typed {
		if b.Type == "text" {
			first = b.Text
			break
		}
	}
	switch {
	case len(typed) == 0:
		if len(context) == 0 {
			t.Hide("message", "empty messages")
			return
		}
		t.injected(context)
		return
	case strings.HasPrefix(first, "<turn_aborted>"):
		t.Hide("message", mirrored) // an event has it
		return
	}
	if len(context) > 0 {
		t.injected(context)
	}
	again := t.duplicates.drawn.repeats(first, typed)
	t.duplicates.drawn = drawnPrompt{}
	if again {
		t.Hide("message", mirrored)
		return
	}
	raw := t.Value
	if from, said := delegated(first); from != "" {
		t.user(transcript.TeammateText, t.Text(said)).Sender = from
		t.duplicates.prompted, t.duplicates.asked = true, first
		return
	}
	text, contexts := cutRequest(first)
	if text != first {
		for i := range typed {
			if typed[i].Type == "text" {
				typed[i].Text = text
				break
			}
		}
	}
	r := t.user(transcript.PromptText, typed...)
	r.Raw = raw
	withContexts(r, contexts)
	t.duplicates.prompted, t.duplicates.asked = true, first
}

// delegationMark begins a message from another session.
const delegationMark = "<codex_delegation>"

// delegated returns who wrote a message that came from another session, and what it says; from is "" for other texts.
func delegated(text string) (from, said string) {
	body, ok := strings.CutPrefix(strings.TrimSpace(text), delegationMark)
	if !ok || !strings.Contains(body, "<input>") {
		return "", ""
	}
	from = strings.TrimSpace("session " + strings.TrimSpace(between(body, "source_thread_id")))
	return from, strings.TrimSpace(html.UnescapeString(between(body, "input")))
}

// withContexts adds what an editor put before the words of the human.
func withContexts(r *transcript.Record, contexts string) {
	if contexts != "" {
		sources.Rare(r).Contexts = sources.Make("label", "context of the editor", "content", contexts)
	}
}

// injected adds text that the program put into the role of the user.
func (t *translator) injected(blocks []transcript.Block) {
	first := blocks[0].Text
	if t.head.cwd == "" {
		t.head.cwd = folderIn(first)
	}
	if command, output, ok := shellCommand(first); ok {
		if t.duplicates.shell == command {
			t.duplicates.shell = ""
			t.Hide("message", mirrored)
			return
		}
		t.shell(command, output)
		return
	}
	if text, ok := strings.CutPrefix(first, "<subagent_notification>"); ok {
		t.notified(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "</subagent_notification>")))
		return
	}
	t.user(transcript.InjectedText, blocks...)
}

// notified translates what the program reports of an agent: {"agent_id":"…","status":{"completed":"…"}}.
func (t *translator) notified(text string) {
	from := "agent"
	if v := jsontext.Value(text); strings.HasPrefix(text, "{") && transcript.Valid(v) {
		for state, said := range transcript.Members(transcript.Field(v, "status")) {
			if transcript.Kind(said) == '"' {
				from, text = "agent, "+state, transcript.String(said)
			}
		}
	}
	r := t.user(transcript.TeammateText, t.Text(text))
	r.Sender = from
}

// split separates the blocks that a human wrote from those that the program added.
func (t *translator) split(blocks []transcript.Block, kinds []string) (typed, context []transcript.Block) {
	marked := false
	for i, b := range blocks {
		switch {
		case b.Type != "text":
			typed = append(typed, b)
			continue
		case isImageTag(b.Text) && len(blocks) > 1:
			continue
		}
		if i < len(kinds) && kinds[i] != "unknown" {
			if strings.HasPrefix(kinds[i], "user.") && kinds[i] != heartbeatKind {
				typed = append(typed, b)
			} else {
				context = append(context, b)
			}
			continue
		}
		if isMarked(b.Text) {
			marked = true
			context = append(context, b)
			continue
		}
		typed = append(typed, b)
	}
	if marked && len(typed) > 0 && !anyText(typed) { // the pictures belong to text that the program added
		return nil, append(context, typed...)
	}
	return typed, context
}

func anyText(blocks []transcript.Block) bool {
	return slices.ContainsFunc(blocks, func(b transcript.Block) bool {
		return b.Type == "text" && strings.TrimSpace(b.Text) != ""
	})
}

// isMarked reports whether a text was written by the program.
func isMarked(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	if text == "" || !strings.ContainsRune("<#TW", rune(text[0])) {
		return false
	}
	if strings.HasPrefix(text, "<turn_aborted>") {
		return false // see userMessage
	}
	return slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(text, m) })
}

// isImageTag reports whether a text is one of the tags around a picture: <image name=[Image #1]> or </image>.
func isImageTag(text string) bool {
	text = strings.TrimSpace(text)
	return text == "</image>" || text == "<image>" ||
		strings.HasPrefix(text, "<image ") && strings.HasSuffix(text, ">") && strings.Count(text, "<") == 1
}

// cutRequest separates the words of the human from what an editor put before them.
func cutRequest(text string) (typed, contexts string) {
	if inner, ok := strings.CutPrefix(text, answerMark); ok {
		return answers(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), "</"+answerMark[1:]))), ""
	}
	attached := slices.ContainsFunc(attachments, func(begin string) bool {
		return strings.HasPrefix(strings.TrimSpace(text), begin)
	})
	before, after, ok := strings.Cut(text, requestMark)
	for _, mark := range shortMarks {
		if at := strings.Index(text, mark); attached && at >= 0 && (!ok || at < len(before)) {
			before, after, ok = text[:at], text[at+len(mark):], true
		}
	}
	before, after = strings.TrimSpace(before), strings.TrimSpace(after)
	if !ok || after == "" || !attached && !strings.HasPrefix(before, "#") && before != "" {
		return text, "" // without a request, comments on a page are the words of the human
	}
	return after, before
}

// answers returns the answers of the human, each below its question, given as
// [{"questionItemId":"…","question":"…","answer":"…"}]. Any other text is the answer itself.
func answers(text string) string {
	v := jsontext.Value(text)
	if !strings.HasPrefix(text, "[") || !transcript.Valid(v) {
		return text
	}
	var lines []string
	for e := range transcript.Elements(v) {
		for _, name := range []string{"question", "answer"} {
			if s := strings.TrimSpace(transcript.String(transcript.Field(e, name))); s != "" {
				lines = append(lines, s)
			}
		}
	}
	if len(lines) == 0 {
		return text
	}
	return strings.Join(lines, "\n\n")
}

// shellCommand reads a command that the human ran in a shell, and its output.
func shellCommand(text string) (command, output string, ok bool) {
	body, ok := strings.CutPrefix(strings.TrimSpace(text), "<user_shell_command>")
	if !ok {
		return "", "", false
	}
	body = strings.TrimSuffix(body, "</user_shell_command>")
	return strings.TrimSpace(between(body, "command")), strings.Trim(between(body, "result"), "\n"), true
}

func between(text, tag string) string {
	_, after, ok := strings.Cut(text, "<"+tag+">")
	if !ok {
		return ""
	}
	if at := strings.LastIndex(after, "</"+tag+">"); at >= 0 {
		return after[:at]
	}
	return after
}

// folderIn returns the working directory in a text by which the program described the environment to the model.
func folderIn(text string) string {
	if !strings.Contains(text[:min(len(text), 100)], "nvironment") {
		return ""
	}
	return strings.TrimSpace(between(text, "cwd"))
}

// environmentFolder returns the working directory in a line that holds such a text, or "".
func environmentFolder(line []byte) string {
	at := bytes.Index(line, []byte("<environment_context>"))
	if at < 0 {
		return ""
	}
	_, rest, ok := bytes.Cut(line[at:], []byte("<cwd>"))
	inner, _, closed := bytes.Cut(rest, []byte("</cwd>"))
	if !ok || !closed || bytes.ContainsAny(inner, "\"\n") {
		return ""
	}
	return strings.TrimSpace(transcript.String(append(append([]byte{'"'}, inner...), '"')))
}

// shell adds a command of the human and its output.
func (t *translator) shell(command, output string) {
	t.user(transcript.ShellText, t.Text(command))
	if output != "" {
		t.user(transcript.OutputText, t.Text(output))
	}
}
