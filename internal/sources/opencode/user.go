package opencode

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// user translates a message in the role of the user: what was typed, and text of the program.
func (t *translator) user(o *sources.Object, parts jsontext.Value) {
	var typed []transcript.Block
	var contexts []jsontext.Value
	id := o.Text("id")
	at := t.Added()
	t.byUser = false
	var p sources.Object
	for v := range t.Parts(parts) {
		p.Read(v)
		part := p.Text("id")
		switch kind := p.Text("type"); {
		case kind == "text" && p.Text("text") == ranByUser && string(p.Get("synthetic")) == "true":
			t.byUser = true
			t.hide("text", bookkeeping)
		case kind == "text" && string(p.Get("ignored")) == "true":
			t.add(sources.SystemRecord("informational", p.Text("text"), "sent", "no"), part)
		case kind == "text" && string(p.Get("synthetic")) == "true":
			t.add(sources.UserRecord(transcript.InjectedText, t.Text(p.Text("text"))), part)
		case kind == "text" && p.Text("text") == "" && p.Get("text") != nil:
		case kind == "text":
			typed = append(typed, t.Text(p.Text("text")))
		case kind == "file":
			if picture, ok := t.picture(&p); ok {
				typed = append(typed, picture)
				continue
			}
			contexts = append(contexts, attached(&p))
		case kind == "agent":
			contexts = append(contexts, sources.Make("type", "agent", "label", "@"+p.Text("name")))
		case kind == "subtask":
			t.subtask(&p)
		case kind == "compaction":
			t.compaction(&p)
		default:
			t.part(&p)
		}
	}
	if len(typed)+len(contexts) == 0 {
		return
	}
	if len(typed) == 0 {
		typed = []transcript.Block{t.Text("")}
	}
	r := t.add(sources.UserRecord(transcript.PromptText, typed...), id)
	if r.UUID != "" && t.Added() > at+1 { // additions to a prompt follow it
		t.promptFirst(at)
		r = t.Record(at)
	}
	rare := sources.Rare(r)
	if o.Text("agent") == "plan" {
		rare.PermissionMode = "plan"
	}
	if len(contexts) > 0 {
		rare.Contexts = sources.MakeList(contexts...)
	}
}

// ranByUser is what the program writes instead of a prompt when the user runs a command. The command follows as a call
// in a message of the model.
const ranByUser = "The following tool was executed by the user"

// ran translates a command that the user ran.
func (t *translator) ran(p *sources.Object) {
	id, state := p.Text("id"), p.Get("state")
	command := transcript.String(transcript.Field(transcript.Field(state, "input"), "command"))
	t.add(sources.UserRecord(transcript.ShellText, t.Text(command)), id)
	if output := transcript.String(transcript.Field(state, "output")); output != "" {
		t.add(sources.UserRecord(transcript.OutputText, t.Text(output)), id+".output")
	}
}

// promptFirst moves the last record before those from index at on.
func (t *translator) promptFirst(at int) {
	last := t.Added() - 1
	parent := t.Record(at).ParentUUID
	t.Move(last, at)
	for i := at; i <= last; i++ {
		if r := t.Record(i); r.UUID != "" {
			r.ParentUUID, parent = parent, r.UUID
			t.last = r.UUID
		}
	}
}

// picture returns an image that is in the log.
func (t *translator) picture(p *sources.Object) (transcript.Block, bool) {
	media, url := p.Text("mime"), p.Text("url")+p.Text("uri")
	data, ok := strings.CutPrefix(url, "data:")
	_, data, base64 := strings.Cut(data, ";base64,")
	if inline := p.Text("data"); url == "" && inline != "" { // of the second version
		data, ok, base64 = inline, true, true
	}
	if !ok || !base64 || !strings.HasPrefix(media, "image/") {
		return transcript.Block{}, false
	}
	return transcript.Block{
		Type: "image", Raw: sources.Make("type", "image", "mimeType", media),
		Source: transcript.Source{Kind: "base64", MediaType: media, Data: sources.Quote(data)},
	}, true
}

// attached returns an attachment of a prompt in the form that pages show.
func attached(p *sources.Object) jsontext.Value {
	source := p.Get("source")
	where := transcript.String(transcript.Field(source, "path"))
	url := p.Text("url") + p.Text("uri") + transcript.String(transcript.Field(source, "uri"))
	label := cmp.Or(p.Text("filename")+p.Text("name"), where)
	if strings.HasPrefix(url, "data:") {
		return sources.Make("type", "file", "label", label, "mimeType", p.Text("mime"), "bytes", len(url)*3/4)
	}
	if inline := p.Get("data"); url == "" && inline != nil {
		return sources.Make("type", "file", "label", label, "mimeType", p.Text("mime"), "bytes", len(inline)*3/4)
	}
	label = cmp.Or(label, url)
	return sources.Make("type", "file", "label", label, "fullPath", where, "mimeType", p.Text("mime"), "url", url)
}

// subtask translates a command that starts an agent.
func (t *translator) subtask(p *sources.Object) {
	text := "@" + p.Text("agent")
	if command := p.Text("command"); command != "" {
		text = "/" + command
	}
	if what := p.Text("description"); what != "" {
		text += " " + what
	}
	t.add(sources.UserRecord(transcript.CommandText, t.Text(text)), p.Text("id"))
}

// compaction notes that the next answer replaces what came before: it says itself that it is a summary.
func (t *translator) compaction(p *sources.Object) {
	trigger := "manual"
	if string(p.Get("auto")) == "true" {
		trigger = "auto"
	}
	meta := sources.Make("trigger", trigger)
	t.add(sources.SystemRecord("compact_boundary", "", "compactMetadata", meta), p.Text("id"))
}
