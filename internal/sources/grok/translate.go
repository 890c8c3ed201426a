package grok

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records.
const (
	empty  = "empty messages" // without content
	tokens = "token counts"
)

// A translator turns the lines of one file into records.
type translator struct {
	sources.Builder
	names map[string]string // of the tools that were called, by the id of the call
}

// Translate turns a line into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	var p sources.Object
	p.Read(v)
	t.Time = time.Time{}
	if of := p.Get(sessionMember); of != nil {
		t.begin(of)
		t.Value = sources.WithoutMember(v, sessionMember)
	}
	if model := p.Text("model_id"); model != "" {
		t.Model = model
	}
	kind := p.Text("type")
	switch kind {
	case "system":
		t.Snapshot(transcript.TextOf(p.Get("content")), nil)
	case "user":
		t.user(p)
	case "assistant":
		blocks := t.ChatBlocks(p.Get("content"))
		for c := range transcript.Elements(p.Get("tool_calls")) {
			call := t.ChatCall(c)
			if t.names == nil {
				t.names = make(map[string]string)
			}
			t.names[call.ID] = call.Name
			blocks = append(blocks, call)
		}
		if len(blocks) > 0 {
			t.Answer(blocks...)
		}
	case "reasoning":
		t.reasoning(p)
	case "tool_result":
		t.result(p)
	case endLine:
		t.end(p)
	case "backend_tool_call":
		t.search(p.Get("kind"))
	case "": // of the first version
		if !t.Chat(p) {
			return t.Done("message")
		}
	default:
		return t.Done(kind)
	}
	if t.Added() == 0 {
		t.Hide("message", empty)
	}
	return t.Done(kind)
}

// begin translates what the summary next to the log says of the session.
func (t *translator) begin(v jsontext.Value) {
	var p sources.Object
	p.Read(v)
	if string(p.Get("unread")) == "true" {
		t.Problem("a file next to the log cannot be read")
	}
	t.SessionID, t.CWD, t.Model = p.Text("id"), p.Text("cwd"), p.Text("model")
	branch := p.Text("branch")
	t.Complete = func(r *transcript.Record) { r.GitBranch = branch }
	t.SetTime(p.Get("created"))
	what := "Session started"
	if p.Text("kind") == "subagent" {
		what = "Agent started"
	}
	t.Value = sources.Make("type", sessionMember)
	t.Remark("", what, "folder", t.CWD, "agent", p.Text("agent"), "parent session", p.Text("parent"),
		"repository", p.Text("repository"), "commit", p.Text("commit"))
	if title := p.Text("title"); title != "" {
		t.Add(sources.TitleRecord(title, true))
	}
	if p.Text("effort")+p.Text("sandbox") != "" {
		t.Settings("model", t.Model, "effort", p.Text("effort"), "sandbox", p.Text("sandbox"))
	}
	t.Time = time.Time{}
}

// end translates what files next to the log say of its end: the time, and what all turns used.
func (t *translator) end(p sources.Object) {
	t.SetTime(p.Get("timestamp"))
	for e := range transcript.Elements(p.Get("models")) {
		var m sources.Object
		m.Read(e)
		t.Model = cmp.Or(m.Text("model"), t.Model)
		used := transcript.Usage{
			Input: sources.Number(m.Get("input")), CacheRead: sources.Number(m.Get("cacheRead")),
			CacheWrite: sources.Number(m.Get("cacheWrite")), Output: sources.Number(m.Get("output")),
		}
		if used == (transcript.Usage{}) {
			continue
		}
		r := t.UsedBySession(used, tokens)
		if ticks := sources.Number(m.Get("ticks")); ticks > 0 {
			sources.Rare(r).CostUSD = float64(ticks) / 1e10
		}
	}
	if !t.Time.IsZero() {
		t.Value = sources.Make("type", endLine)
		t.Remark("", "Session last active")
	}
}

// result translates the result of a call. Only its text tells that the call failed or did not run.
func (t *translator) result(p sources.Object) {
	id := p.Text("tool_call_id")
	name := t.names[id]
	delete(t.names, id)
	blocks := t.ChatBlocks(p.Get("content"))
	failed, cancelled := false, false
	if len(blocks) > 0 && blocks[0].Type == "text" {
		text := blocks[0].Text
		cancelled = text == "Tool execution was cancelled by the user (tool `"+name+"` was not executed)."
		failed = cancelled || strings.HasPrefix(text, "Tool `"+name+"` failed: ") ||
			strings.HasPrefix(text, "Tool execution was halted by the harness (") &&
				strings.HasSuffix(text, "; the tool `"+name+"` was not executed.")
		if code, output, ok := exitCode(text); ok && strings.HasPrefix(name, "run_terminal_c") {
			if blocks[0].Text = output; code != "0" {
				blocks[0].Text, failed = sources.WithExitCode(code, output), true
			}
		}
	}
	r := t.Result(id, failed, blocks...)
	if cancelled {
		sources.Rare(r).ToolDenialKind = "interrupted"
	}
}

// exitCode separates the exit code of a command, which some versions write first, from its output.
func exitCode(text string) (code, output string, ok bool) {
	rest, ok := strings.CutPrefix(text, "Exit code: ")
	code, output, _ = strings.Cut(rest, "\n")
	return code, output, ok && code != "" && strings.Trim(code, "0123456789") == ""
}

// user translates a message in the role of the user: typed, or text of the program.
func (t *translator) user(p sources.Object) {
	blocks := t.ChatBlocks(p.Get("content"))
	if len(blocks) == 0 {
		return
	}
	switch reason := p.Text("synthetic_reason"); {
	case reason == "compaction_meta":
		t.System("compact_boundary", "")
		t.User(transcript.SummaryText, blocks...).IsCompactSummary = true
	case reason == "interjection" || reason == "" && (p.Get("prompt_index") != nil || !isContext(blocks[0].Text)):
		t.prompt(p, blocks)
	default:
		if t.CWD == "" {
			t.CWD = workspaceOf(blocks[0].Text, "\n")
		}
		t.User(transcript.InjectedText, blocks...)
	}
}

// contexts are the tags of texts that the program adds by itself.
var contexts = []string{"user_info", "system-reminder", "environment_context", "project_layout", "git_status", "rules"}

func isContext(text string) bool {
	return slices.ContainsFunc(contexts, func(name string) bool {
		return strings.HasPrefix(strings.TrimSpace(text), "<"+name+">")
	})
}

// prompt translates what the human typed, which newer versions put between tags, with a remark before or behind it.
func (t *translator) prompt(p sources.Object, blocks []transcript.Block) {
	const open, end = "<user_query>", "</user_query>"
	var typed, added []transcript.Block
	interrupted := p.Text("prior_turn_interrupt") != ""
	for _, b := range blocks {
		before, rest, ok := strings.Cut(b.Text, open)
		at := strings.LastIndex(rest, end)
		if b.Type != "text" || !ok || at < 0 {
			typed = append(typed, b)
			continue
		}
		around := strings.TrimSpace(strings.TrimSpace(before) + "\n\n" + strings.TrimSpace(rest[at+len(end):]))
		interrupted = interrupted || strings.HasPrefix(around, "The user interrupted")
		if around != "" {
			added = append(added, transcript.Block{Type: "text", Raw: b.Raw, Text: around})
		}
		typed = append(typed, transcript.Block{Type: "text", Raw: b.Raw, Text: strings.TrimSpace(rest[:at])})
	}
	if interrupted {
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	}
	if len(added) > 0 {
		t.User(transcript.InjectedText, added...)
	}
	t.User(transcript.PromptText, typed...)
}

// workspaceOf returns the folder that the program named to the model on a line of its own.
func workspaceOf(text, end string) string {
	_, rest, ok := strings.Cut(text, "Workspace Path: ")
	folder, _, closed := strings.Cut(rest, end)
	if !ok || !closed || strings.ContainsAny(folder, "\"\n") {
		return ""
	}
	return folder
}

// reasoning translates the part of the reasoning that the log contains.
func (t *translator) reasoning(p sources.Object) {
	var all []string
	for e := range transcript.Elements(p.Get("summary")) {
		all = append(all, transcript.String(transcript.Field(e, "text")))
	}
	b := transcript.Block{Type: "thinking", Text: strings.Join(all, "\n\n")}
	sealed := len(p.Text("encrypted_content"))
	if b.Text == "" {
		b.Encrypted = int64(sealed)
	}
	b.Raw = sources.Make("type", "thinking", "thinking", b.Text, "encrypted bytes", sealed)
	t.Answer(b)
}

// search translates a call that ran on the server. The log has no result of it.
func (t *translator) search(v jsontext.Value) {
	var kind sources.Object
	kind.Read(v)
	call := t.Call(kind.Text("id"), kind.Text("tool_type"), kind.Get("action"))
	call.NoResult = true
	t.Answer(call)
}
