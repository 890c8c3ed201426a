package copilot

import (
	"cmp"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// isFusion reports whether an event is about an answer that several models make in phases.
func isFusion(kind string) bool {
	return strings.HasPrefix(kind, "session.fusion_") || strings.HasPrefix(kind, "assistant.fusion_phase_")
}

// fusion translates such an event. The answer itself is a message of its own, and so are the calls of the phases.
func (t *translator) fusion(kind string) {
	p := t.data
	text := func(name string) string { return transcript.TextOf(p.Get(name)) }
	phase := strings.TrimSpace(p.Text("phaseKind") + " by " + cmp.Or(p.Text("model"), "a model"))
	switch kind {
	case "session.fusion_resolved":
		t.Remark("", sources.About("Several models answer", p.Text("pattern")), "first", p.Text("primaryModel"),
			"second", text("secondaryModel"), "otherwise", p.Text("fallbackModel"), "policy", p.Text("policy"))
	case "session.fusion_route_failed":
		t.Remark("warning", sources.About("One model answers", cmp.Or(p.Text("errorMessage"), p.Text("reason"))),
			"model", p.Text("fallbackModel"))
	case "assistant.fusion_phase_completed":
		t.Remark("", sources.About("Part of the answer", phase), "status", p.Text("status"),
			"verdict", text("verdict"), "text", p.Text("content"))
	case "assistant.fusion_phase_failed":
		t.Remark("warning", sources.About("Part of the answer failed", phase),
			"why", cmp.Or(p.Text("errorMessage"), p.Text("reason")))
	case "session.fusion_completed":
		t.Remark("", sources.About("Several models answered", p.Text("outcome")),
			"the answer is from", text("finalSourceModel"), "why not as planned", text("degradedReason"))
	default:
		t.hide(kind, bookkeeping)
	}
}
