package kimi

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// result translates the result of a call: a text or parts, and a note for the model.
func (t *translator) result(id string, result jsontext.Value) {
	result = transcript.Or(result, t.Value)
	var o sources.Object
	o.Read(result)
	failed := string(o.Get("isError")) == "true" || string(o.Get("is_error")) == "true" ||
		string(t.event.Get("isError")) == "true"
	content := t.ChatBlocks(o.Get("output"))
	message := t.ChatBlocks(o.Get("message"))
	if len(content) == 0 || failed { // why it failed
		content = append(content, message...)
	}
	if failed {
		content = withExitCode(content)
	}
	r := t.Result(id, failed, content...)
	if failed && len(content) > 0 {
		sources.Rare(r).ToolDenialKind = cmp.Or(noticed(o.Get("display")), denialOf(content[len(content)-1].Text))
	}
	if len(content) > 0 {
		r.ToolUseResult = structured(content[0].Text)
		for _, agent := range swarm(content[0].Text) {
			t.started(id, agent)
		}
	}
	if note := o.Text("note"); note != "" { // for the model
		t.User(transcript.InjectedText, t.Text(note))
	}
}

// structured returns what the head of a result says: lines such as "agent_id: agent-1" before an empty line. The agent
// has a separate log. A task in the background has a "task_id", too.
func structured(text string) jsontext.Value {
	if !strings.HasPrefix(text, "agent_id: ") && !strings.HasPrefix(text, "task_id: ") {
		return nil
	}
	head, _, _ := strings.Cut(text, "\n\n")
	member := func(name string) string {
		_, rest, _ := strings.Cut("\n"+head, "\n"+name+": ")
		line, _, _ := strings.Cut(rest, "\n")
		return strings.TrimSpace(line)
	}
	task, agent := member("task_id"), member("agent_id")
	switch {
	case agent != "":
		return sources.Make("agentId", agent, "isAsync", task != "" && member("status") == "running")
	case member("pid") != "":
		return sources.Make("backgroundTaskId", task)
	}
	return nil
}

// swarm returns the agents that a result names: "<agent_swarm_result>\n<subagent agent_id="agent-1" …>…</subagent>".
func swarm(text string) (agents []string) {
	if !strings.HasPrefix(text, "<agent_swarm_result>") {
		return nil
	}
	for line := range strings.Lines(text) {
		tag, _, _ := strings.Cut(line, ">")
		if _, rest, ok := strings.Cut(tag, ` agent_id="`); ok && strings.HasPrefix(tag, "<subagent ") {
			agent, _, _ := strings.Cut(rest, `"`)
			agents = append(agents, agent)
		}
	}
	return agents
}

// denialOf returns why a call did not run or did not end, given its error: "" if it failed. See
// transcript.Rare.ToolDenialKind.
func denialOf(text string) string {
	text = strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(text, "The tool call is rejected by the user."):
		return "user-rejected"
	case strings.HasPrefix(text, "The user manually interrupted "), strings.HasSuffix(text, "Interrupted by user"),
		strings.HasSuffix(text, "subagent error: The subagent was stopped before it finished by user."),
		strings.Contains(text, "subagent error: The user manually interrupted this subagent"),
		text == "Aborted before command started":
		return "interrupted"
	case !strings.HasPrefix(text, `Tool "`):
		return ""
	case strings.Contains(text, `" was not run because the user rejected the approval request.`):
		return "user-rejected"
	case strings.Contains(text, `" was denied by permission `), strings.Contains(text, `" was denied. `):
		return "permission-rule"
	case strings.Contains(text, `" was not run because the approval request was cancelled.`),
		strings.HasSuffix(text, `" was aborted`):
		return "interrupted"
	}
	return ""
}

// noticed returns why a call did not run, given what the human was shown, as far as its error does not say it.
func noticed(display jsontext.Value) string {
	for e := range transcript.Elements(display) {
		if transcript.String(transcript.Field(e, "type")) != "brief" {
			continue
		}
		switch transcript.String(transcript.Field(e, "text")) {
		case "Hook blocked":
			return "hook"
		case "Rejected: approval timed out":
			return "permission-rule"
		}
	}
	return ""
}

// withExitCode puts the exit code of a command first, which the program writes at the end.
func withExitCode(content []transcript.Block) []transcript.Block {
	const words = "Command failed with exit code: "
	if len(content) == 0 {
		return content
	}
	first, last := &content[0], &content[len(content)-1]
	text := strings.TrimSuffix(strings.TrimSpace(last.Text), ".")
	at := strings.LastIndex(text, words)
	if at < 0 || first.Type != "text" || at > 0 && text[at-1] != '\n' {
		return content
	}
	code := text[at+len(words):]
	if code == "" || strings.Trim(code, "0123456789") != "" {
		return content
	}
	if last.Text = strings.TrimSuffix(text[:at], "\n"); last != first && last.Text == "" {
		content = content[:len(content)-1]
	}
	first.Text = sources.WithExitCode(code, first.Text)
	return content
}
