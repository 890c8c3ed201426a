package opencode

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// waiting is the type of a row of what waits until the model is sent it. No message has it.
const waiting = "waiting"

// row translates a row of session_message, the table of the second version with one row for each message.
func (t *translator) row(v jsontext.Value) {
	var row sources.Object
	row.Read(v)
	t.time(row.Get("created"))
	t.second(row.Text("type"), row.Text("id"), row.Get("data"), v)
}

// second translates a message of the second version, given its data and what contains it.
func (t *translator) second(kind, id string, data, raw jsontext.Value) {
	var o sources.Object
	o.Read(data)
	t.Value = data
	t.time(transcript.Field(o.Get("time"), "created"))
	if id != "" && id == t.reverts {
		t.takeBack(id, "What follows was taken back")
	}
	remark := func(text string) {
		t.add(sources.SystemRecord("informational", text), id)
	}
	switch kind {
	case "user":
		t.stopped = false
		t.typed(&o, id)
	case "synthetic", "system":
		t.add(sources.UserRecord(transcript.InjectedText, t.Text(o.Text("text"))), id)
	case "skill":
		t.add(sources.UserRecord(transcript.InjectedText, t.Text("Skill "+o.Text("name")+"\n\n"+o.Text("text"))), id)
	case "shell":
		t.add(sources.UserRecord(transcript.ShellText, t.Text(o.Text("command"))), id)
		output := o.Text("output")
		if v := transcript.Field(o.Get("output"), "output"); v != nil {
			output = transcript.String(v)
		}
		if output != "" {
			t.add(sources.UserRecord(transcript.OutputText, t.Text(output)), id+".output")
		}
		if status := o.Text("status"); status == "killed" || status == "timeout" {
			remark("The command was stopped: " + status)
		} else if exit := string(o.Get("exit")); exit != "" && exit != "0" {
			remark("The command ended with exit code " + exit)
		}
	case "assistant":
		t.secondAnswer(&o, id)
	case "compaction":
		t.secondCompaction(&o, id)
	case "agent-switched":
		remark("Agent: " + o.Text("agent"))
	case "model-switched":
		remark("Model: " + modelName(o.Get("model")))
	case "location-switched":
		remark("Folder: " + transcript.String(transcript.Field(o.Get("location"), "directory")))
	case "idle":
		told := t.stopped
		t.stopped = false
		if o.Text("outcome") == "interrupted" && !told {
			t.add(sources.UserRecord(transcript.InterruptionText, t.Text("[Request interrupted by user]")), id)
			return
		}
		t.hide("idle", bookkeeping)
	case waiting:
		t.waits(&o, id, raw)
	default:
		t.add(transcript.Record{Type: "row " + kind, Raw: raw}, id)
	}
}

// waits translates what the program had not done yet when the log was read.
func (t *translator) waits(o *sources.Object, id string, raw jsontext.Value) {
	payload := o.Get("payload")
	text := transcript.String(transcript.Field(payload, "text"))
	var r transcript.Record
	switch kind := o.Text("kind"); kind {
	case "user":
		r = sources.SystemRecord("informational", "A prompt waits", "prompt", text)
		if o.Text("delivery") == "queue" {
			r = sources.SystemRecord("informational", "A prompt waits for the end of the turn", "prompt", text)
		}
	case "synthetic":
		r = sources.SystemRecord("informational", "A text for the model waits", "text", text)
	case "compaction":
		r = sources.SystemRecord("informational", "A compaction waits")
	case "move":
		folder := transcript.String(transcript.Field(transcript.Field(payload, "location"), "directory"))
		r = sources.SystemRecord("informational", "A change of the folder waits", "folder", folder)
	default:
		r = transcript.Record{Type: "row " + kind, Raw: raw}
	}
	t.add(r, id)
}

// modelName returns the id of a model, given as an object or a string.
func modelName(v jsontext.Value) string {
	for _, name := range []string{"id", "modelID"} {
		if s := transcript.String(transcript.Field(v, name)); s != "" {
			return s
		}
	}
	return transcript.String(v)
}

// typed translates a prompt and its attachments.
func (t *translator) typed(o *sources.Object, id string) {
	blocks := []transcript.Block{t.Text(o.Text("text"))}
	var contexts []jsontext.Value
	var p sources.Object
	for e := range transcript.Elements(o.Get("files")) {
		p.Read(e)
		if picture, ok := t.picture(&p); ok {
			blocks = append(blocks, picture)
			continue
		}
		contexts = append(contexts, attached(&p))
	}
	for _, name := range []string{"agents", "skills"} {
		for e := range transcript.Elements(o.Get(name)) {
			p.Read(e)
			contexts = append(contexts, sources.Make("type", name, "label", "@"+p.Text("name")))
		}
	}
	r := t.add(sources.UserRecord(transcript.PromptText, blocks...), id)
	if len(contexts) > 0 {
		sources.Rare(r).Contexts = sources.MakeList(contexts...)
	}
}

// secondAnswer translates a message of the model.
func (t *translator) secondAnswer(o *sources.Object, id string) {
	t.Model = modelName(o.Get("model"))
	m := transcript.Message{ID: t.unique("message", id), Role: "assistant", Model: t.Model}
	m.StopReason = stopReason(o.Text("finish"))
	m.Usage, m.HasUsage = usage(o.Get("tokens"))
	t.results = t.results[:0]
	clear(t.changed)
	at := t.Added()
	var p sources.Object
	for e := range t.Parts(o.Get("content")) {
		p.Read(e)
		say := func(b transcript.Block) {
			said := m
			said.Content = []transcript.Block{b}
			t.add(transcript.Record{Type: "assistant", Message: &said}, "")
		}
		switch p.Text("type") {
		case "text":
			say(t.Text(p.Text("text")))
		case "reasoning":
			say(transcript.Block{Type: "thinking", Raw: e, Text: p.Text("text")})
		case "tool":
			t.secondCall(&p, say)
		default:
			t.add(transcript.Record{Type: "part"}, "")
		}
	}
	for _, r := range t.results {
		t.add(r.record, r.uuid)
	}
	t.changedBesides(transcript.Field(o.Get("snapshot"), "files"), id+".files")
	if again := o.Get("retry"); again != nil {
		text := sources.About("The request is made again", errorText(transcript.Field(again, "error")))
		attempt := string(transcript.Field(again, "attempt"))
		r := t.add(sources.SystemRecord("informational", text, "attempt", attempt), id+".retry")
		sources.Rare(r).Level = "warning"
	}
	t.failed(o.Get("error"), id)
	said := t.firstOf(at, m.ID)
	if said == nil && m.HasUsage && m.Usage != (transcript.Usage{}) {
		said = t.Used(m.Usage, empty)
		said.Message.ID = m.ID
	}
	if said != nil {
		sources.Rare(said).CostUSD = sources.Dollars(o.Get("cost"))
	}
	if t.Added() == at {
		t.hide("message", empty)
	}
}

// secondCall converts a call to the form of the first version.
func (t *translator) secondCall(p *sources.Object, say func(transcript.Block)) {
	var state sources.Object
	state.Read(p.Get("state"))
	var b strings.Builder
	var files []jsontext.Value
	for e := range transcript.Elements(state.Get("content")) {
		if text := transcript.String(transcript.Field(e, "text")); text != "" {
			if said := b.String(); said != "" && !strings.HasSuffix(said, "\n") {
				b.WriteByte('\n')
			}
			b.WriteString(text)
		} else {
			files = append(files, e)
		}
	}
	output := cmp.Or(b.String(), state.Text("output"))
	var attachments jsontext.Value
	if len(files) > 0 {
		attachments = sources.MakeList(files...)
	}
	status := state.Text("status")
	if status == "streaming" {
		status = "pending"
	}
	metadata := state.Get("structured", "metadata")
	times := p.Get("time")
	start := transcript.Or(transcript.Field(times, "ran"), transcript.Field(times, "created"))
	failure := state.Text("error")
	if failure == "" {
		failure = errorText(state.Get("error"))
	}
	denied := ""
	switch kind := transcript.String(transcript.Field(state.Get("error"), "type")); {
	case kind == "aborted":
		denied = cmp.Or(denial(failure), "interrupted")
	case kind == "permission.rejected":
		denied = cmp.Or(denial(failure), "permission-rule")
	case strings.HasPrefix(kind, "permission."):
		denied = "user-rejected"
	}
	first := sources.Make("status", status, "denied", denied, "input", state.Get("input"), "output", output,
		"metadata", metadata, "error", failure, "attachments", attachments,
		"time", sources.Make("start", start, "end", transcript.Field(times, "completed")))
	made := sources.Object{
		{Name: sources.Quote("callID"), Value: p.Get("id")}, {Name: sources.Quote("tool"), Value: p.Get("name")},
		{Name: sources.Quote("state"), Value: first},
	}
	t.call(&made, say)
}

// secondCompaction translates a compaction and its summary.
func (t *translator) secondCompaction(o *sources.Object, id string) {
	trigger := o.Text("reason")
	if o.Text("status") == "failed" {
		text := sources.About("Compaction failed", errorText(o.Get("error")))
		r := t.add(sources.SystemRecord("informational", text), id)
		sources.Rare(r).Level = "warning"
		t.secondCost(o, id)
		return
	}
	t.add(sources.SystemRecord("compact_boundary", "", "compactMetadata", sources.Make("trigger", trigger)), id)
	if summary := o.Text("summary"); summary != "" {
		r := t.add(sources.UserRecord(transcript.SummaryText, t.Text(summary)), id+".summary")
		r.IsCompactSummary = true
	}
	t.secondCost(o, id)
}

// secondCost adds the tokens and the cost of a compaction.
func (t *translator) secondCost(o *sources.Object, id string) {
	if u, ok := usage(o.Get("tokens")); ok && u != (transcript.Usage{}) {
		r := t.Used(u, steps)
		r.Message.ID = t.unique("message", id)
		sources.Rare(r).CostUSD = sources.Dollars(o.Get("cost"))
	}
}
