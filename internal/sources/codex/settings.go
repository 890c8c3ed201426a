package codex

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// settings has the model, the sandbox and similar settings of a turn.
type settings struct {
	model, effort, tier, approvals, reviewer, sandbox, network, mode, cwd string
}

// turnContext notes the settings of a turn, and draws them when they changed.
func (t *translator) turnContext() {
	p := t.payload
	now := settings{
		model: p.Text("model"), effort: p.Text("effort"), tier: t.now.tier, cwd: p.Text("cwd"),
		approvals: p.Text("approval_policy"), reviewer: p.Text("approvals_reviewer"),
		mode: transcript.String(transcript.Field(p.Get("collaboration_mode"), "mode")),
	}
	if now.approvals == "" {
		now.approvals = firstName(p.Get("approval_policy"))
	}
	now.sandbox, now.network = sandbox(p.Get("sandbox_policy"))
	if now.mode == "default" {
		now.mode = ""
	}
	if now.reviewer == "user" {
		now.reviewer = ""
	}
	now.model = cmp.Or(now.model, t.now.model)
	t.now = now
	t.head.cwd = cmp.Or(t.head.cwd, now.cwd)
	if now == t.told {
		t.Hide("turn_context", bookkeeping)
		return
	}
	t.tell()
}

// configured notes how much the model thinks from here on.
func (t *translator) configured(effort string) {
	if effort == "" || effort == t.now.effort {
		t.Hide("configuration_update", bookkeeping)
		return
	}
	t.now.effort = effort
	t.tell()
}

// tell draws the settings.
func (t *translator) tell() {
	now, was := t.now, t.told
	t.told = now
	var pairs []any
	add := func(name, value, before string) {
		if value == before || value == "" {
			return
		}
		pairs = append(pairs, name, value)
	}
	add("model", now.model, was.model)
	add("effort", now.effort, was.effort)
	switch {
	case was.tier == "" && now.tier == "default":
		now.tier = ""
	case was.tier != "" && now.tier == "":
		now.tier = "default"
	}
	add("tier", now.tier, was.tier)
	add("approvals", now.approvals, was.approvals)
	if was.reviewer != "" && now.reviewer == "" {
		now.reviewer = "user"
	}
	add("reviewer", now.reviewer, was.reviewer)
	add("sandbox", now.sandbox, was.sandbox)
	add("network", now.network, was.network)
	if was.mode != "" && now.mode == "" {
		now.mode = "default"
	}
	add("mode", now.mode, was.mode)
	if now.cwd != t.head.cwd {
		add("folder", now.cwd, was.cwd)
	}
	if len(pairs) == 0 {
		t.Hide("turn_context", bookkeeping)
		return
	}
	t.Settings(pairs...)
}

// sandbox returns which files commands may change, and whether they may use the network.
func sandbox(v jsontext.Value) (kind, network string) {
	if transcript.Kind(v) == '"' {
		return transcript.String(v), ""
	}
	kind = transcript.String(transcript.Field(v, "type"))
	if kind == "" {
		kind = transcript.String(transcript.Field(v, "mode")) // 0.40
	}
	switch string(transcript.Field(v, "network_access")) {
	case "true", `"enabled"`:
		network = "on"
	case "false", `"restricted"`:
		network = "off"
	}
	return kind, network
}

// firstName returns the name of the only member of an object. A choice with values is written that way.
func firstName(v jsontext.Value) string {
	for name := range transcript.Members(v) {
		return name
	}
	return ""
}
