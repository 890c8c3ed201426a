package opencode

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// answer translates a message of the model, which is one request.
func (t *translator) answer(o *sources.Object, parts jsontext.Value) {
	id := o.Text("id")
	t.Model = cmp.Or(o.Text("modelID"), transcript.String(transcript.Field(o.Get("model"), "modelID")))
	t.results = t.results[:0]
	clear(t.changed)
	at := t.Added()
	summary := string(o.Get("summary")) == "true"
	m := transcript.Message{ID: id, Role: "assistant", Model: t.Model, StopReason: stopReason(o.Text("finish"))}
	m.Usage, m.HasUsage = usage(o.Get("tokens"))
	if m.ID == "" {
		m.ID = "o" + strconv.FormatInt(t.Pos.Offset, 36) + "@" + t.SessionID
	}
	m.ID = t.unique("message", m.ID)
	cut := transcript.String(transcript.Field(o.Get("error"), "name")) == "MessageOutputLengthError"
	if cut {
		m.StopReason = "max_tokens"
	}
	var p sources.Object
	for v := range t.Parts(parts) {
		p.Read(v)
		t.answerPart(&p, m, summary)
	}
	t.byUser = false
	for _, r := range t.results {
		t.add(r.record, r.uuid)
	}
	if !cut || !t.endsInText(at, m.ID) { // otherwise the error is only how the answer ended
		t.failed(o.Get("error"), id)
	}
	said := t.firstOf(at, m.ID)
	if said == nil && m.HasUsage && (m.Usage != transcript.Usage{}) {
		said = t.Used(m.Usage, empty)
		said.Message.ID = m.ID
	}
	if said != nil {
		sources.Rare(said).CostUSD = sources.Dollars(o.Get("cost"))
	}
}

// firstOf returns the first record of a message, or nil.
func (t *translator) firstOf(at int, id string) *transcript.Record {
	for i := at; i < t.Added(); i++ {
		if r := t.Record(i); r.Message != nil && r.Message.ID == id {
			return r
		}
	}
	return nil
}

// endsInText reports whether the last thing that a message says is a text.
func (t *translator) endsInText(at int, id string) bool {
	for i := t.Added() - 1; i >= at; i-- {
		if m := t.Record(i).Message; m != nil && m.ID == id {
			return len(m.Content) > 0 && m.Content[0].Type == "text"
		}
	}
	return false
}

// answerPart translates a part of a message of the model.
func (t *translator) answerPart(p *sources.Object, m transcript.Message, summary bool) {
	say := func(b transcript.Block) {
		m.Content = []transcript.Block{b}
		t.add(transcript.Record{Type: "assistant", Message: &m}, p.Text("id"))
	}
	// A text has the time at which it was complete, like those of other writers. The last answer may take long.
	times := p.Get("time")
	t.time(transcript.Field(times, "start"))
	if end := sources.Milliseconds(transcript.Field(times, "end")); !end.IsZero() {
		t.Time = end
	}
	switch p.Text("type") {
	case "text":
		text := p.Text("text")
		if summary {
			r := t.add(sources.UserRecord(transcript.SummaryText, t.Text(text)), p.Text("id"))
			r.IsCompactSummary = true
			return
		}
		if text == "" {
			t.hide("text", empty)
			return
		}
		say(t.Text(text))
	case "reasoning":
		b := transcript.Block{Type: "thinking", Raw: t.Value, Text: p.Text("text")}
		if b.Text == "" {
			b.Encrypted = sealed(p.Get("metadata"))
		}
		if b.Text == "" && b.Encrypted == 0 {
			t.hide("reasoning", empty)
			return
		}
		say(b)
	case "tool":
		if t.byUser {
			t.ran(p)
			return
		}
		t.call(p, say)
	default:
		t.part(p)
	}
}

// part translates a part that any message can have.
func (t *translator) part(p *sources.Object) {
	switch kind := p.Text("type"); kind {
	case "step-start", "step-finish":
		t.hide(kind, steps)
	case "snapshot":
		t.hide(kind, bookkeeping)
	case "patch":
		t.patch(p)
	case "retry":
		text := "The request is made again"
		if said := errorText(p.Get("error")); said != "" {
			text += ": " + said
		}
		r := t.add(sources.SystemRecord("informational", text, "attempt", string(p.Get("attempt"))), p.Text("id"))
		sources.Rare(r).Level = "warning"
	case "compaction":
		t.compaction(p)
	case "file":
		if picture, ok := t.picture(p); ok {
			m := &transcript.Message{ID: p.Text("messageID"), Role: "assistant", Model: t.Model}
			m.Content = []transcript.Block{picture}
			t.add(transcript.Record{Type: "assistant", Message: m}, p.Text("id"))
			return
		}
		t.add(sources.SystemRecord("informational", "File "+p.Text("filename"), "url", short(p.Text("url"))),
			p.Text("id"))
	default:
		t.add(transcript.Record{Type: "part"}, p.Text("id"))
	}
}

// short removes the data from a data: address.
func short(url string) string {
	if strings.HasPrefix(url, "data:") {
		return "data"
	}
	return url
}

// patch translates which files a step changed. Those that calls changed are drawn with the calls.
func (t *translator) patch(p *sources.Object) {
	if !t.changedBesides(p.Get("files"), p.Text("id")) {
		t.hide("patch", bookkeeping)
	}
}

// changedBesides adds the files that a step changed without those that calls changed. It reports whether there are any.
func (t *translator) changedBesides(files jsontext.Value, uuid string) bool {
	var other []string
	for e := range transcript.Elements(files) {
		if file := transcript.String(e); file != "" && !t.hasChanged(file) {
			other = append(other, file)
		}
	}
	if len(other) == 0 {
		return false
	}
	const most = 20
	names := strings.Join(other[:min(len(other), most)], "\n")
	t.add(sources.SystemRecord("informational", "Files that commands of this step changed", "files", names,
		"more", len(other)-min(len(other), most)), uuid)
	return true
}

// hasChanged reports whether a call of the message changed a file, whose path may be relative.
func (t *translator) hasChanged(file string) bool {
	for known := range t.changed {
		if known == file || strings.HasSuffix(known, "/"+file) {
			return true
		}
	}
	return false
}

// failed translates why a message has no end.
func (t *translator) failed(v jsontext.Value, id string) {
	if v == nil {
		return
	}
	if interrupted(v) {
		t.stopped = true
		t.add(sources.UserRecord(transcript.InterruptionText, t.Text("[Request interrupted by user]")), id+".error")
		return
	}
	t.add(sources.FailureRecord(t.Text(errorText(v))), id+".error")
}

// interrupted reports whether an error says that the human interrupted the model.
func interrupted(v jsontext.Value) bool {
	if transcript.String(transcript.Field(v, "name")) == "MessageAbortedError" {
		return true
	}
	const by = "Session interrupted: " // followed by why, if it was not the human, such as "shutdown"
	return transcript.String(transcript.Field(v, "type")) == "aborted" &&
		!strings.HasPrefix(transcript.String(transcript.Field(v, "message")), by)
}

// errorText returns the text of an error.
func errorText(v jsontext.Value) string {
	name := transcript.String(transcript.Field(v, "name"))
	text := cmp.Or(transcript.String(transcript.Field(transcript.Field(v, "data"), "message")),
		transcript.String(transcript.Field(v, "message")))
	switch {
	case name == "":
		return text
	case text == "":
		return name
	}
	return name + ": " + text
}

// sealed returns the length in bytes of text that only the model can read.
func sealed(metadata jsontext.Value) int64 {
	for _, of := range transcript.Members(metadata) {
		for name, v := range transcript.Members(of) {
			if strings.Contains(strings.ToLower(name), "encrypted") || name == "redactedData" {
				return int64(len(transcript.String(v)))
			}
		}
	}
	return 0
}

// stopReason returns why an answer ended, in the words that pages use.
func stopReason(finish string) string {
	switch finish {
	case "stop":
		return "end_turn"
	case "tool-calls":
		return "tool_use"
	case "length":
		return "max_tokens"
	case "content-filter":
		return "refusal"
	}
	return finish
}

// usage returns the tokens of a request; ok is false if the log does not say.
func usage(v jsontext.Value) (u transcript.Usage, ok bool) {
	if transcript.Kind(v) != '{' {
		return u, false
	}
	cache := transcript.Field(v, "cache")
	return transcript.Usage{
		Input:      sources.Number(transcript.Field(v, "input")),
		Output:     sources.Number(transcript.Field(v, "output")) + sources.Number(transcript.Field(v, "reasoning")),
		CacheRead:  sources.Number(transcript.Field(cache, "read")),
		CacheWrite: sources.Number(transcript.Field(cache, "write")),
	}, true
}
