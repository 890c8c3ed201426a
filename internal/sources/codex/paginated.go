package codex

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// place returns a name for the current value that is unique in its file.
func (t *translator) place() string {
	return strconv.FormatInt(t.Pos.Offset, 36) + "." + strconv.Itoa(t.Added())
}

// itemCompleted translates an item of the screen. Since 0.15x these replace the different events of older versions.
func (t *translator) itemCompleted(v jsontext.Value) {
	var p sources.Object
	p.Read(v)
	kind := p.Text("type")
	id := p.Text("id")
	switch kind {
	case "UserMessage":
		var texts []string
		for e := range transcript.Elements(p.Get("content")) {
			if s := transcript.String(transcript.Field(e, "text")); s != "" {
				texts = append(texts, s)
			}
		}
		t.asked(kind, strings.Join(texts, "\n"))
	case "AgentMessage":
		if p.Get("questions") != nil {
			t.Hide(kind, mirrored) // the call that asks has them
			return
		}
		t.mirror(kind, &t.duplicates.texts, "text", joined(p.Get("content")))
	case "Reasoning":
		for e := range transcript.Elements(p.Get("summary_text")) {
			hold(&t.duplicates.thoughts, transcript.String(e), t.Pos)
		}
		for e := range transcript.Elements(p.Get("raw_content")) {
			hold(&t.duplicates.raw, transcript.String(e), t.Pos)
		}
		t.Hide(kind, mirrored)
	case "Plan":
		t.planned(p.Text("text"))
	case "FunctionCallOutput":
		t.Hide(kind, mirrored)
	case "CommandExecution":
		t.commandExecution(p)
	case "FileChange":
		t.ended(kind, id, "apply_patch", nil, patchEnd(p))
	case "McpToolCall":
		o := t.mcpOutcome(p.Get("result"), seconds(p.Get("duration")))
		if text := transcript.String(transcript.Field(p.Get("error"), "message")); text != "" {
			o.fail(text)
		}
		t.ended(kind, id, "mcp__"+p.Text("server")+"__"+p.Text("tool"), p.Get("arguments"), o)
	case "DynamicToolCall":
		t.ended(kind, id, toolName(p.Text("namespace"), p.Text("tool")), p.Get("arguments"), outcome{
			blocks: t.blocks(p.Get("contentItems", "content_items")), failed: string(p.Get("success")) == "false",
		})
	case "CollabAgentToolCall":
		for e := range transcript.Elements(p.Get("receiverThreadIds", "receiver_thread_ids")) {
			if strings.HasPrefix(strings.ToLower(p.Text("tool")), "spawn") {
				t.started(kind, id, transcript.String(e))
				return
			}
		}
		t.Hide(kind, merged)
	case "SubAgentActivity":
		if p.Text("kind") == "started" {
			t.started(kind, id, p.Text("agentThreadId", "agent_thread_id"))
			return
		}
		t.Hide(kind, merged)
	case "WebSearch":
		if action := p.Get("action"); action != nil && t.calls[id] == nil {
			t.duplicates.search = action
		}
		t.Hide(kind, merged)
	case "Extension":
		t.extension(p)
	case "EnteredReviewMode":
		t.reviewStarted(p)
	case "ExitedReviewMode":
		t.review(p.Get("review_output"))
	case "HookPrompt":
		var texts []string
		for e := range transcript.Elements(p.Get("fragments")) {
			texts = append(texts, transcript.String(transcript.Field(e, "text")))
		}
		t.user(transcript.InjectedText, t.Text(strings.Join(texts, "\n")))
	case "ImageView", "ImageGeneration", "Sleep", "ContextCompaction":
		t.Hide(kind, mirrored)
	default:
		t.Add(transcript.Record{Type: name(kind, "item_completed")})
	}
}

// extension translates an item of an extension: a search, a picture, or a pause.
func (t *translator) extension(p sources.Object) {
	kind, id := p.Text("kind"), p.Text("id")
	switch {
	case strings.HasPrefix(kind, "image_gen."):
		if inner := p.Get("payload"); inner != nil {
			p.Read(inner)
		}
		t.ended(kind, id, "image_generation", sources.Make("prompt", p.Get("revisedPrompt"), "status", p.Get("status")),
			outcome{failed: p.Text("status") == "failed", blocks: picture(p.Get("result"))})
	case strings.HasPrefix(kind, "clock."):
		t.Hide(kind, merged)
	case p.Get("action") != nil, strings.HasPrefix(kind, "web."):
		action := transcript.Or(p.Get("action"), sources.Make("type", "search", "query", p.Text("query")))
		t.ended("Extension", id, "web_search", action, outcome{
			structured: sources.Make("results", p.Get("results")),
		})
	default:
		t.Add(transcript.Record{Type: name(kind, "Extension")})
	}
}

// joined returns the texts of content as one text.
func joined(content jsontext.Value) string {
	var texts []string
	for e := range transcript.Elements(content) {
		texts = append(texts, transcript.String(transcript.Field(e, "text")))
	}
	return strings.Join(texts, "")
}

// commandExecution translates a command and its end.
func (t *translator) commandExecution(p sources.Object) {
	text := cmp.Or(p.Text("aggregatedOutput", "aggregated_output"), p.Text("stdout")+p.Text("stderr"))
	o := outcome{text: text, seconds: seconds(p.Get("duration"))}
	o.setExit(string(p.Get("exitCode", "exit_code")))
	if p.Text("status") == "declined" {
		o.decline()
	}
	command := commandOf(p.Get("command"))
	if source := p.Text("source"); source == "userShell" || source == "user_shell" {
		t.duplicates.shell = command
		t.shell(command, strings.TrimRight(o.text, "\n"))
		return
	}
	t.ended(p.Text("type"), p.Text("id"), shellTool, sources.Make("cmd", command, "workdir", folder(p.Text("cwd"))), o)
}
