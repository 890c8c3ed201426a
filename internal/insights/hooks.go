package insights

import (
	"cmp"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// hooks counts the runs of hooks of a conversation by command. Hooks that ran at the end of a turn are counted by the
// summary after them, if there is one.
func (l *collector) hooks(c *normalize.Conversation) {
	summed := make(map[string]bool) // by the id that hooks share with their summary
	for _, m := range c.Messages {
		if m.Kind == normalize.System && m.Name == "stop_hook_summary" && m.Rule == "" {
			summed[m.Record.ToolUseID] = true
			l.stopHooks(m)
		}
	}
	for _, m := range c.Messages {
		a := m.Record.Attachment
		if m.Kind != normalize.Hook || m.Rule != "" || a == nil || a.ToolUseID != "" && summed[a.ToolUseID] {
			continue
		}
		switch m.Name {
		case "hook_success", "hook_blocking_error", "hook_non_blocking_error", "hook_error_during_execution",
			"hook_cancelled":
		default: // other output
			continue
		}
		command := cmp.Or(transcript.TextOf(transcript.Field(a.Raw, "command")),
			transcript.TextOf(transcript.Field(transcript.Field(a.Raw, "blockingError"), "command")))
		r := hookRow(cmp.Or(command, transcript.TextOf(transcript.Field(a.Raw, "hookName")), m.HookEvent), a.Raw)
		if r.Place = m.Anchor; m.Name == "hook_blocking_error" {
			r.Failed = 1
		}
		l.add(r)
	}
}

// stopHooks counts the hooks that a summary lists.
func (l *collector) stopHooks(m *normalize.Message) {
	blocked := string(transcript.Field(m.Record.Raw, "preventedContinuation")) == "true"
	for info := range transcript.Elements(transcript.Field(m.Record.Raw, "hookInfos")) {
		r := hookRow(cmp.Or(transcript.TextOf(transcript.Field(info, "command")), "Stop"), info)
		if r.Place = m.Anchor; blocked {
			r.Failed = 1
		}
		l.add(r)
	}
}

func hookRow(command string, v jsontext.Value) Row {
	r := Row{Kind: Hook, Name: words.Line(strings.TrimSpace(command), 80), Count: 1}
	if ms := transcript.Amount(transcript.Field(v, "durationMs")); ms < 1e9 {
		r.Time = time.Duration(ms * float64(time.Millisecond))
	}
	return r
}

// compaction returns a row for a compaction of the context.
func compaction(m *normalize.Message) Row {
	meta := transcript.Field(m.Record.Raw, "compactMetadata")
	by := words.Line(transcript.TextOf(transcript.Field(meta, "trigger")), 20)
	r := Row{Kind: Compaction, Name: cmp.Or(by, "compacted"), Count: 1, Place: m.Anchor}
	if n := int64(transcript.Amount(transcript.Field(meta, "preTokens"))); n < 1e12 {
		r.Tokens = n
	}
	return r
}
