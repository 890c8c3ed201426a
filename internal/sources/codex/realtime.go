package codex

import (
	"viewer/internal/transcript"
)

// spoken translates a part of a spoken conversation. The model that speaks is not the one that works.
func (t *translator) spoken() {
	p := t.payload
	switch p.Text("type") {
	case "realtime_session_started":
		t.remark("", "Spoken conversation started")
	case "realtime_session_closed":
		if p.Text("outcome") == "failed" {
			t.remark("warning", "Spoken conversation failed")
			return
		}
		t.remark("", "Spoken conversation ended")
	case "transcript_segment":
		block := t.text(p.Text("text"))
		if p.Text("role") == "user" {
			t.user(transcript.PromptText, block)
			return
		}
		r := t.assistant(block)
		r.Message.Model = ""
	case "bem_item_promoted":
		t.hide("realtime_item", bookkeeping)
	default:
		t.add(transcript.Record{Type: "realtime_item"})
	}
}
