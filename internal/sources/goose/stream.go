package goose

import (
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// event translates a line of the stream of a run. It has the answers of the model in parts, as they came.
func (t *translator) event(o *sources.Object) {
	kind := o.Text("type")
	if kind == "message" {
		m := newMessage(o.Get("message"))
		if text := m.text(); text != "" && m.id != "" && m.role == "assistant" {
			if m.id != t.begun.id {
				t.endText()
				t.begun = m
			}
			t.texts = append(t.texts, text)
			t.Hide(kind, streamed)
			return
		}
		t.endText()
		t.message(m)
		return
	}
	t.endText()
	switch kind {
	case "model_change":
		t.Model = o.Text("model")
		t.Settings("model", t.Model, "mode", o.Text("mode"))
	case "notification":
		if text := transcript.String(transcript.Field(o.Get("log"), "message")); text != "" {
			t.Remark("", sources.About(o.Text("extension_id"), text))
			return
		}
		t.Hide(kind, progress)
	case "error":
		t.Fail(o.Text("error"))
	case "complete":
		t.Remark("", "Run ended", "tokens", o.Get("total_tokens"))
	default:
		t.Add(transcript.Record{Type: kind})
	}
}

// endText adds the answer of which the last lines had parts.
func (t *translator) endText() {
	if t.begun.id == "" {
		return
	}
	whole := strings.Join(t.texts, "")
	t.setTime(t.begun.created)
	t.say(t.begun, []transcript.Block{t.Text(whole)})
	t.begun, t.texts = message{}, nil
}
