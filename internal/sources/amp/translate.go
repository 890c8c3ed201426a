package amp

import (
	"cmp"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// empty is the rule that hides messages without content.
const empty = "empty messages"

// A translator turns a thread into records.
type translator struct {
	sources.Builder
	thread sources.Object
}

// Translate turns a thread into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	t.thread.Read(v)
	p := t.thread
	messages := p.Get("messages")
	if messages == nil && p.Get("id") == nil {
		return t.Done("thread")
	}
	t.SessionID = p.Text("id")
	env := transcript.Field(p.Get("env"), "initial")
	var repository jsontext.Value
	for tree := range transcript.Elements(transcript.Field(env, "trees")) {
		if t.CWD = sources.FilePath(transcript.String(transcript.Field(tree, "uri"))); t.CWD != "" {
			repository = transcript.Field(tree, "repository")
			break
		}
	}
	t.CWD = cmp.Or(t.CWD, transcript.String(transcript.Field(env, "workingDirectory")))
	t.Value = sources.Make("id", t.SessionID, "v", p.Get("v"))
	t.SetTime(p.Get("created"))
	t.start(transcript.Field(env, "platform"), repository)
	if title := p.Text("title"); title != "" {
		t.Add(sources.TitleRecord(title, true))
	}
	for e := range t.Parts(messages) {
		t.message(e)
	}
	return t.Done("thread")
}

// start translates what a thread began with, and which threads it continues. What identifies the machine is left out.
func (t *translator) start(platform, repository jsontext.Value) {
	p := t.thread
	client := transcript.String(transcript.Field(platform, "client"))
	version := transcript.String(transcript.Field(platform, "clientVersion"))
	branch := strings.TrimPrefix(transcript.String(transcript.Field(repository, "ref")), "refs/heads/")
	t.Complete = func(r *transcript.Record) { r.GitBranch, r.Version = branch, version }
	t.Remark("", "Session started", "folder", t.CWD, "mode", p.Text("agentMode"), "program", client,
		"version of the program", version,
		"repository", sources.RepositoryOf(transcript.String(transcript.Field(repository, "url"))),
		"commit", transcript.String(transcript.Field(repository, "sha")))
	for e := range transcript.Elements(p.Get("relationships")) {
		kind := transcript.String(transcript.Field(e, "type"))
		other := transcript.String(transcript.Field(e, "threadID"))
		t.Remark("", "Belongs to another thread: "+kind, "thread", other)
	}
}

// message translates a message of the thread.
func (t *translator) message(v jsontext.Value) {
	var m sources.Object
	m.Read(v)
	t.Time = time.Time{}
	if stamp := transcript.Field(m.Get("meta"), "sentAt"); stamp != nil {
		t.SetTime(stamp)
	} else if stamp := transcript.Field(m.Get("usage"), "timestamp"); stamp != nil {
		t.SetTime(stamp)
	}
	before := t.Added()
	switch role := m.Text("role"); role {
	case "user":
		t.user(m.Get("content"))
	case "assistant":
		t.assistant(m)
	case "info":
		t.info(m)
	default:
		t.Add(transcript.Record{Type: role})
	}
	if t.Added() == before {
		t.Hide("message", empty)
	}
}

// info translates a message of the program: a summary, with which the model goes on instead of what was said before.
func (t *translator) info(m sources.Object) {
	for e := range transcript.Elements(m.Get("content")) {
		summary := transcript.Field(e, "summary")
		if inner := transcript.Field(summary, "summary"); inner != nil {
			summary = inner
		}
		if text := transcript.String(summary); text != "" {
			t.System("compact_boundary", "")
			t.User(transcript.SummaryText, t.Text(text)).IsCompactSummary = true
			continue
		}
		t.Add(transcript.Record{Type: "info", Raw: e})
	}
}

func (t *translator) user(content jsontext.Value) {
	var typed []transcript.Block
	for _, b := range blocks(content) {
		if b.Type == "tool_result" {
			t.result(b.Raw)
			continue
		}
		typed = append(typed, b)
	}
	if len(typed) > 0 {
		t.User(transcript.PromptText, typed...)
	}
}

func (t *translator) assistant(m sources.Object) {
	var usage sources.Object
	usage.Read(m.Get("usage"))
	if model := usage.Text("model"); model != "" {
		t.Model = model
	}
	said := blocks(m.Get("content"))
	state := m.Get("state")
	if len(said) > 0 || len(usage) > 0 {
		r := t.Answer(said...)
		r.Message.StopReason = transcript.String(transcript.Field(state, "stopReason"))
		r.Message.HasUsage = usage.Get("inputTokens", "outputTokens") != nil
		r.Message.Usage = transcript.Usage{
			Input: sources.Number(usage.Get("inputTokens")), Output: sources.Number(usage.Get("outputTokens")),
			CacheRead:  sources.Number(usage.Get("cacheReadInputTokens")),
			CacheWrite: sources.Number(usage.Get("cacheCreationInputTokens")),
		}
		sources.Rare(r).Window = sources.Number(usage.Get("maxInputTokens"))
	}
	switch transcript.String(transcript.Field(state, "type")) {
	case "cancelled":
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	case "error":
		text := cmp.Or(transcript.TextOf(transcript.Field(transcript.Field(state, "error"), "message")),
			"The request failed")
		t.Fail(text)
	}
}

func blocks(content jsontext.Value) []transcript.Block {
	if content == nil {
		return nil
	}
	return transcript.Blocks(content)
}

// denials maps the status of a call that did not complete to the kind of denial.
var denials = map[string]string{"rejected-by-user": "user-rejected", "cancelled": "interrupted"}

// result translates the result of a call. A call that runs or waits has none yet.
func (t *translator) result(v jsontext.Value) {
	var o, run sources.Object
	o.Read(v)
	run.Read(o.Get("run"))
	status := run.Text("status")
	if status == "in-progress" || status == "blocked-on-user" {
		t.Hide("tool_result", "calls without a result")
		return
	}
	value := run.Get("result", "progress")
	failed := status == "error"
	if failed && run.Get("error") != nil {
		value = run.Get("error")
	}
	text, told := textOf(value)
	r := t.Result(o.Text("toolUseID"), failed, t.Text(text))
	r.ToolUseResult = told
	if code := string(transcript.Field(value, "exitCode")); code != "" && code != "0" && code != "null" {
		r.Message.Content[0].IsError = true
	}
	if denied := denials[status]; denied != "" { // the user may say why
		if text == "" && run.Text("reason") != "" {
			r.Message.Content[0].Content[0].Text = run.Text("reason")
		}
		r.Message.Content[0].IsError = true
		sources.Rare(r).ToolDenialKind = denied
	}
}

// textOf returns the text of a result, and its other facts in the form that other tools have.
func textOf(v jsontext.Value) (text string, told jsontext.Value) {
	if transcript.Kind(v) != '{' {
		return transcript.TextOf(v), nil
	}
	var o sources.Object
	o.Read(v)
	for _, name := range []string{"content", "output", "message", "text"} {
		if transcript.Kind(o.Get(name)) != '"' {
			continue
		}
		if code := o.Get("exitCode"); code != nil {
			told = sources.Make("exitCode", code)
		}
		return o.Text(name), told
	}
	if diff := o.Text("diff"); diff != "" {
		inner := strings.TrimSuffix(strings.TrimSpace(diff), "```")
		inner = strings.TrimPrefix(inner, "```diff\n")
		return diff, sources.Make("fileDiff", inner)
	}
	return transcript.TextOf(v), nil
}
