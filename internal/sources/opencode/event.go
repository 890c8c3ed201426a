package opencode

import (
	"cmp"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// event translates a line that "opencode run --format json" prints: a part that is complete. A message is one request
// and has its tokens at the end.
func (t *translator) event(o *sources.Object) {
	t.time(o.Get("timestamp"))
	if session := o.Text("sessionID"); session != "" && t.SessionID == "" {
		t.SessionID = session
	}
	part := o.Get("part")
	if part == nil {
		if failure := o.Get("error"); failure != nil {
			t.failed(failure, "")
			return
		}
		t.add(transcript.Record{Type: "event"}, "")
		return
	}
	var p sources.Object
	p.Read(part)
	m := transcript.Message{ID: cmp.Or(p.Text("messageID"), "event@"+t.SessionID), Role: "assistant"}
	t.results = t.results[:0]
	if p.Text("type") == "step-finish" {
		t.used(&p, m)
		return
	}
	at := t.Time
	t.answerPart(&p, m, false)
	for _, r := range t.results {
		t.add(r.record, r.uuid)
	}
	t.Time = at
}

// used adds the tokens and the cost of a request.
func (t *translator) used(p *sources.Object, m transcript.Message) {
	u, ok := usage(p.Get("tokens"))
	if !ok {
		t.hide("step-finish", steps)
		return
	}
	r := t.Used(u, steps)
	r.Message.ID, r.Version = m.ID, t.version
	sources.Rare(r).CostUSD = sources.Dollars(p.Get("cost"))
}
