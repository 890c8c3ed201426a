package permissions

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// DeciderOf returns who stopped a call. ok is false for calls that ran.
func DeciderOf(g *normalize.Group) (by normalize.Decider, ok bool) {
	d := Decision{}
	if d.By, ok = decider(g.State); ok {
		asked(g, &d)
		explain(g, &d)
	}
	return d.By, ok
}

// decider returns who stopped a call, as far as its state tells.
func decider(s normalize.State) (by normalize.Decider, ok bool) {
	switch s {
	case normalize.Blocked:
		return normalize.ByHook, true
	case normalize.CallDeclined:
		return normalize.ByPerson, true
	case normalize.CallDenied:
		return normalize.ByRule, true
	}
	return 0, false
}

// A Decision is a call that was stopped, or a call that ran and whose log says who allowed it.
type Decision struct {
	Tool, Target string
	Allowed      bool
	By           normalize.Decider
	Who          string          // a hook, or an answer such as "approved for session"; "" for neither
	Why          string          // the reason that was given, on one line; "" for none
	State        normalize.State // how the call ended
	Listed       bool            // the log has the call itself, not only an entry in a list of denials
	At           *normalize.Message
}

// maxWhy is the maximum length of a reason, in runes.
const maxWhy = 300

// decision records who decided on a call, if the log says so.
func (k *collector) decision(g *normalize.Group) {
	by, stopped := decider(g.State)
	d := Decision{By: by, Allowed: !stopped, State: g.State, Listed: true, At: g.Head()}
	said := asked(g, &d)
	if !stopped && !said {
		return
	}
	if stopped {
		d.Allowed = false
		explain(g, &d)
		if r, ok := k.reasons[g.Call.Block.ID]; ok {
			d.Who, d.Why = cmp.Or(d.Who, r.kind), cmp.Or(d.Why, r.text)
		}
	}
	call := tools.Describe(g, tools.Context{})
	d.Tool, d.Target = call.Tool, targetOf(call)
	k.Decisions = append(k.Decisions, d)
	if id := g.Call.Block.ID; id != "" {
		k.decided[id] = true
	}
}

// targetOf returns what a call is about, such as a whole command or address.
func targetOf(c *tools.Call) string {
	return words.OneLine(cmp.Or(c.Commands(), c.Address, c.Target))
}

// asked reads the answers of hooks and people before a call ran.
func asked(g *normalize.Group, d *Decision) (said bool) {
	for _, m := range g.Pre {
		if m.Record.Attachment == nil {
			continue
		}
		raw := m.Record.Attachment.Raw
		switch m.Name {
		case "hook_permission_decision":
			answer := transcript.TextOf(transcript.Field(raw, "decision"))
			if answer == "" {
				continue
			}
			said, d.Who = true, words.Line(answer, 80)
			d.Why = words.Line(transcript.TextOf(transcript.Field(raw, "message")), maxWhy)
			switch {
			case answer == "allow" || answer == "deny": // what Claude Code writes, and only for hooks
				d.By, d.Who = normalize.ByHook, hookName(raw)
			case d.Allowed:
				d.By = answerer(answer)
			}
		case "hook_success":
			if verdict, why := hookVerdict(raw); verdict == "allow" && d.Allowed {
				said, d.By, d.Who, d.Why = true, normalize.ByHook, hookName(raw), words.Line(why, maxWhy)
			}
		}
	}
	return said
}

// answerer returns who gave an answer, judging by its words.
func answerer(answer string) normalize.Decider {
	if strings.Contains(answer, "rule") || strings.Contains(answer, "location") {
		return normalize.ByRule
	}
	return normalize.ByPerson
}

// hookVerdict returns the permission decision that a hook printed: allow, deny or ask; "" for none.
func hookVerdict(raw jsontext.Value) (verdict, why string) {
	if !bytes.Contains(raw, []byte("permissionDecision")) && !bytes.Contains(raw, []byte("behavior")) {
		return "", ""
	}
	printed := jsontext.Value(strings.TrimSpace(transcript.String(transcript.Field(raw, "stdout"))))
	if !printed.IsValid() {
		return "", ""
	}
	out := transcript.Field(printed, "hookSpecificOutput")
	if s := transcript.String(transcript.Field(out, "permissionDecision")); s != "" {
		return s, transcript.String(transcript.Field(out, "permissionDecisionReason"))
	}
	decision := transcript.Field(out, "decision")
	return transcript.String(transcript.Field(decision, "behavior")),
		transcript.String(transcript.Field(decision, "message"))
}

// hookName returns the command of a hook, or its name if the command is unknown.
func hookName(raw jsontext.Value) string {
	blocking := transcript.Field(raw, "blockingError")
	return words.Line(strings.TrimSpace(cmp.Or(
		transcript.TextOf(transcript.Field(raw, "command")), transcript.TextOf(transcript.Field(blocking, "command")),
		transcript.TextOf(transcript.Field(raw, "hookName")))), 80)
}

// explain sets who stopped a call, and why.
func explain(g *normalize.Group, d *Decision) {
	if g.Result != nil && len(g.Result.Block.Content) > 0 {
		if r, ok := normalize.RefusalOf(g.Result.Block.Content[0].Text); ok {
			if d.By == normalize.ByRule {
				d.By = r.By
			}
			d.Why = cmp.Or(d.Why, words.Line(strings.TrimSpace(r.Why), maxWhy))
		}
	}
	if g.Result != nil {
		switch g.Result.Record.DenialKind(g.Result.Block.ToolUseID) {
		case "automode-blocked":
			d.By, d.Who = normalize.ByClassifier, "auto mode"
		case "automode-unavailable":
			d.By, d.Who = normalize.ByClassifier, "auto mode, whose classifier did not answer"
		case "automode-parsing-error":
			d.By, d.Who = normalize.ByClassifier, "auto mode, which could not read the answer of its classifier"
		}
	}
	for _, m := range g.Pre {
		if m.Name == "hook_blocking_error" && m.Record.Attachment != nil {
			raw := m.Record.Attachment.Raw
			d.By, d.Who = normalize.ByHook, hookName(raw)
			said := transcript.TextOf(transcript.Field(transcript.Field(raw, "blockingError"), "blockingError"))
			d.Why = cmp.Or(words.Line(strings.TrimSpace(said), maxWhy), d.Why)
		}
	}
}

// A reason is why a call was denied, from a record of an SDK stream.
type reason struct{ kind, text string }

// readReasons reads the records about denials in SDK streams.
func (k *collector) readReasons(c *normalize.Conversation) {
	for _, m := range c.Messages {
		if m.Kind != normalize.System || m.Name != "permission_denied" {
			continue
		}
		raw := m.Record.Raw
		id := transcript.String(transcript.Field(raw, "tool_use_id"))
		if id == "" {
			continue
		}
		if k.reasons == nil {
			k.reasons = make(map[string]reason)
		}
		k.reasons[id] = reason{
			words.Line(transcript.TextOf(transcript.Field(raw, "decision_reason_type")), 80),
			words.Line(cmp.Or(transcript.TextOf(transcript.Field(raw, "decision_reason")),
				transcript.TextOf(transcript.Field(raw, "message"))), maxWhy),
		}
	}
}

// reported adds the denials that the last record of a run lists and whose calls are not in the log.
func (k *collector) reported(c *normalize.Conversation) {
	for _, m := range c.Messages {
		if m.Record.Type != "result" || m.Record.Message != nil || m.Part > 0 {
			continue
		}
		for v := range transcript.Elements(transcript.Field(m.Record.Raw, "permission_denials")) {
			id := transcript.String(transcript.Field(v, "tool_use_id"))
			if k.decided[id] {
				continue
			}
			if id != "" {
				k.decided[id] = true
			}
			input := transcript.Field(v, "tool_input")
			call := tools.DescribeInput(transcript.String(transcript.Field(v, "tool_name")), input, c.Facts.CWD)
			k.Decisions = append(k.Decisions, Decision{
				Tool: call.Tool, Target: targetOf(call), State: normalize.CallDenied, At: m,
			})
		}
	}
}
