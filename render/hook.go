package render

import (
	"cmp"
	"html/template"
	"strings"

	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
	"viewer/render/page"
)

// hookView is a hook inside a call, or a line of its own.
type hookView struct {
	Inside  bool // in the box of a call
	Post    bool // after the call
	ID      string
	Event   string
	Command string
	Outcome string
	Look    string // bad, warn or ""
	Level   level
	Open    bool
	Text    *output // its output
	Stdout  *output
	Stderr  *output
	More    []field
}

// A side is the place of a hook: on its own line, or inside its call.
type side uint8

const (
	alone side = iota
	before
	after
)

// hookFields are the members of hook attachments and progress records.
type hookFields struct {
	Command       text
	Content       hookContent
	Stdout        hookContent
	Stderr        hookContent
	ExitCode      text
	DurationMs    number
	TimedOut      truth
	BlockingError struct {
		BlockingError text
		Command       text
	}
	Decision text
	Message  text
	HookName text
	Output   hookContent // of a hook_response, with its result
	Outcome  text
	extra
}

// frameFields are the members of a hook record that its frame shows.
var frameFields = map[string]bool{
	"type": true, "hookEvent": true, "toolUseID": true, "subtype": true, "hook_event": true, "hook_id": true,
	"uuid": true, "session_id": true, "timestamp": true,
}

// hookContent is a string, a list of strings, or {path, preview} from 2.1.89 on.
type hookContent string

func (h *hookContent) UnmarshalJSON(v []byte) error {
	switch transcript.Kind(v) {
	case '[':
		var all []string
		for e := range transcript.Elements(v) {
			all = append(all, transcript.TextOf(e))
		}
		*h = hookContent(strings.Join(all, "\n"))
	case '{':
		if preview := transcript.String(transcript.Field(v, "preview")); preview != "" {
			*h = hookContent(preview)
			return nil
		}
		*h = hookContent(v)
	default:
		*h = hookContent(transcript.TextOf(v))
	}
	return nil
}

// hookOutcomes describe how a hook ended, by the type of its record.
var hookOutcomes = map[string]struct{ words, look string }{
	"hook_success":                {"", ""},
	"hook_response":               {"", ""},
	"hook_progress":               {"ran", ""},
	"text":                        {"", ""},
	"hook_system_message":         {"message", ""},
	"hook_additional_context":     {"added context", ""},
	"hook_non_blocking_error":     {"failed", "warn"},
	"hook_error_during_execution": {"failed", "warn"},
	"hook_blocking_error":         {"blocked", "bad"},
	"hook_cancelled":              {"cancelled", "warn"},
	"hook_stopped_continuation":   {"stopped the turn", "warn"},
	"hook_permission_decision":    {"decided", ""},
	"hook_deferred_tool":          {"deferred the call", ""},
	"async_hook_response":         {"answered later", ""},
	"hook_plugin_listing":         {"plugins", ""},
}

// hook draws the outcome of one hook, inside its call or as a line.
func (d *drawer) hook(m *normalize.Message, at side) template.HTML {
	outcome, known := hookOutcomes[m.Name]
	if known {
		d.drawn(m)
	} else {
		d.drawnGenerically("attachment "+m.Name, m)
		outcome.words = m.Name
	}
	v := hookView{Inside: at != alone, Post: at == after, Event: m.HookEvent, Outcome: outcome.words,
		Look: outcome.look}
	v.Event = cmp.Or(v.Event, "Hook")
	if at == alone {
		v.ID, v.Level = m.Anchor, atEverything
		if v.Look != "" {
			v.Level = atTools
		}
		defer func() { d.show(v.Level) }()
	}
	raw := m.Record.Raw
	switch {
	case m.Record.Attachment != nil:
		raw = m.Record.Attachment.Raw
	case m.Record.Data != nil:
		raw = m.Record.Data
	}
	if m.Name == "text" { // oldest versions: only a text
		v.Text = d.terminal(m.Text)
		return page.Execute("partial/hook", v)
	}
	var f hookFields
	if err := decode(raw, &f); err != nil {
		v.Text = d.code(transcript.Pretty(m.Record.Raw), "json")
		return page.Execute("partial/hook", v)
	}
	v.Command = oneLine(string(f.Command+f.BlockingError.Command), 160)
	if v.Command == "" { // the name repeats the event: "PostToolUse:Edit"
		v.Command = strings.Trim(strings.TrimPrefix(string(f.HookName), m.HookEvent), ":")
	}
	v.end(&f)
	if at == alone && v.failed(f) {
		v.Look, v.Level = "bad", atTools
	}
	v.Text = d.terminal(strings.Join(words.NonEmpty(string(f.Content), string(f.Output),
		string(f.BlockingError.BlockingError), string(f.Message)), "\n"))
	if out := strings.TrimSpace(string(f.Stdout)); out != strings.TrimSpace(string(f.Content)) &&
		out != strings.TrimSpace(string(f.Output)) && out != "{}" {
		v.Stdout = d.terminal(string(f.Stdout))
	}
	v.Stderr = d.terminal(string(f.Stderr))
	for _, more := range d.fields(f.Rest) {
		if !frameFields[more.Name] && !envelopeField[more.Name] {
			v.More = append(v.More, more)
		}
	}
	v.Open = v.Look == "bad"
	return page.Execute("partial/hook", v)
}

// end sets how the hook ended, as its fields tell.
func (v *hookView) end(f *hookFields) {
	if f.Outcome != "" && f.Outcome != "success" {
		v.Outcome, v.Look = oneLine(string(f.Outcome), 40), "warn"
		if !v.Inside {
			v.Level = atTools
		}
	}
	switch {
	case bool(f.TimedOut):
		v.Outcome = "timed out"
	case f.ExitCode != "" && (f.ExitCode != "0" || v.Outcome == ""):
		v.Outcome = strings.TrimPrefix(v.Outcome+dot+"exit "+oneLine(string(f.ExitCode), 20), dot)
	case f.Decision != "":
		v.Outcome += ": " + string(f.Decision)
	}
	if f.DurationMs > 0 {
		v.Outcome = strings.TrimPrefix(v.Outcome+dot+millis(float64(f.DurationMs)), dot)
	}
}

// failed reports whether a hook failed: it ended with an error or timed out.
func (v *hookView) failed(f hookFields) bool {
	return strings.HasPrefix(v.Outcome, "failed") || bool(f.TimedOut) || f.ExitCode != "" && f.ExitCode != "0" ||
		f.Outcome == "error"
}
