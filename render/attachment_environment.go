package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// Messages to the model about itself and the machine.
var (
	_ = register(attachments, "model", "attached", viewModel)
	_ = register(attachments, "environment", "attached", viewEnvironment)
	_ = register(attachments, "prompt_snapshot", "attached", viewPromptSnapshot)
	_ = register(attachments, "structured_output", "attached", viewStructuredOutput)
	_ = register(attachments, "agent_mention", "attached", viewAgentMention)
	_ = register(attachments, "session_context", "attached", viewMode("key", "Account")) // with --personal
	_ = register(attachments, "credential_org", "attached", viewMode("key", "Organization"))
	_ = register(attachments, "companion_intro", "attached", viewCompanion)
)

func viewModel(e event) (attached, error) {
	return attached{line: quiet("gear", "The model was told what it is"), Rows: e.rest("text"),
		Prose: e.markdown(e.field("text"))}, nil
}

func viewEnvironment(e event) (attached, error) {
	var in struct{ Snapshot, Changes jsontext.Value }
	if err := e.decode(&in); err != nil {
		return attached{}, err
	}
	v := attached{line: quiet("home", "Environment"), Rows: append(e.d.fields(in.Snapshot), e.d.fields(in.Changes)...)}
	if in.Changes != nil {
		v.Text = "Environment changed"
	}
	for _, s := range append(texts(in.Snapshot), texts(in.Changes)...) {
		v.Blocks = append(v.Blocks, e.d.plain(s))
	}
	return v, nil
}

func viewPromptSnapshot(e event) (attached, error) {
	var in struct {
		SystemPrompt jsontext.Value
		Tools        jsontext.Value
	}
	if err := e.decode(&in); err != nil {
		return attached{}, err
	}
	v := attached{line: quiet("file", "System prompt and tools"), Rows: e.rest("systemPrompt", "tools")}
	var prompt []string
	for _, s := range texts(in.SystemPrompt) {
		if inner := transcript.String(transcript.Field(jsontext.Value(s), "text")); inner != "" {
			s = inner
		}
		prompt = append(prompt, s)
	}
	v.Blocks = append(v.Blocks, e.d.plain(strings.Join(prompt, "\n\n")))
	n := 0
	for range transcript.Elements(in.Tools) {
		n++
	}
	if n > 0 {
		v.Text += dot + plural(n, "tool", "tools")
		v.Blocks = append(v.Blocks, e.d.code(transcript.Pretty(in.Tools), "json"))
	}
	return v, nil
}

func viewStructuredOutput(e event) (attached, error) {
	v := attached{line: line{Icon: "table", Text: "Structured output", Level: atChat, Look: "note", Open: true}}
	v.Blocks = append(v.Blocks, e.d.code(transcript.Pretty(transcript.Field(e.Record.Attachment.Raw, "data")), "json"))
	return v, nil
}

func viewAgentMention(e event) (attached, error) {
	return attached{line: quiet("agent", also("Agent mentioned", oneLine(e.field("agentType"), 60))),
		Rows: e.rest("agentType")}, nil
}

func viewCompanion(e event) (attached, error) {
	return attached{line: quiet("message", "Companion introduced"), Rows: e.rest()}, nil
}
