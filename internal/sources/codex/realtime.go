package codex

import (
	"viewer/internal/transcript"
)

// spoken translates a part of a spoken conversation. The model that speaks is not the one that works.
func (t *translator) spoken() {
	p := t.payload
	switch p.Text("type") {
	case "realtime_session_started":
		t.Remark("", "Spoken conversation started")
	case "realtime_session_closed":
		if p.Text("outcome") == "failed" {
			t.Remark("warning", "Spoken conversation failed")
			return
		}
		t.Remark("", "Spoken conversation ended")
	case "transcript_segment":
		block := t.Text(p.Text("text"))
		if p.Text("role") == "user" {
			t.user(transcript.PromptText, block)
			return
		}
		r := t.assistant(block)
		r.Message.Model = ""
	case "bem_item_promoted":
		t.Hide("realtime_item", bookkeeping)
	default:
		t.Add(transcript.Record{Type: "realtime_item"})
	}
}
