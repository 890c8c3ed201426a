package pi

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	extensions  = "state of extensions"
	bookkeeping = "bookkeeping"  // a repeated head
	tokens      = "token counts" // of summaries and of calls, drawn with the totals
)

// A translator turns the lines of one file into records. It remembers what earlier lines said.
type translator struct {
	sources.Builder
	head  head
	heads int
	root  string // the id of the head's record

	entries map[string]string // the id of the record, by the ids of the entry and of the calls in it
	parent  string            // the id of the record before in the file
	stamps  map[string]int    // for entries without id: how many there are of each time

	line, message, part sources.Object // reused by each line
}

// A head is what the first line says about its session.
type head struct {
	id, cwd string
	from    string // the id of the session that it was copied from
}

// readHead reads the line of a session.
func readHead(p sources.Object) head {
	h := head{id: p.Text("id"), cwd: p.Text("cwd")}
	if h.from = sessionOf(p.Text("parentSession")); h.from == "" {
		h.from = sessionOf(p.Text("branchedFrom"))
	}
	if h.from == h.id {
		h.from = ""
	}
	return h
}

// sessionOf returns the id of the session in the name of a file, where it follows the time.
func sessionOf(file string) string {
	if at := strings.LastIndexAny(file, `/\`); at >= 0 {
		file = file[at+1:]
	}
	file = strings.TrimSuffix(file, ".jsonl")
	if at := strings.LastIndexByte(file, '_'); at >= 0 {
		file = file[at+1:]
	}
	return file
}

// Translate turns a line into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	t.line.ReadWith(v, "message", &t.message)
	t.SetTime(t.line.Get("timestamp"))
	kind := t.line.Text("type")
	t.entry(kind)
	if t.Added() == 0 {
		t.Add(transcript.Record{Type: kind}) // now, to give it an id
	}
	t.chain(kind, t.line.Text("timestamp"))
	return t.Done(kind)
}

// chain gives the records of an entry their ids. The id of the last record contains that of the entry and the time:
// copies of a session have the same entries, and the ids of entries are unique only in one file.
func (t *translator) chain(kind, stamp string) {
	id := t.line.Text("id")
	parent := t.parentOf(kind)
	var own string
	switch {
	case id != "" && kind != "session" && kind != "title":
		own = id + "@" + stamp
		if t.entries[id] != "" {
			t.Problem("id: " + strconv.Quote(sources.Beginning(id, 40)) + " is also that of an earlier entry")
		}
		if t.entries[id] != "" && t.entries[id] == own {
			own += "." + strconv.FormatInt(t.Pos.Offset, 36)
		}
		t.entries[id] = own
	default:
		if t.stamps == nil {
			t.stamps = make(map[string]int)
		}
		own = stamp + "." + strconv.Itoa(t.stamps[stamp])
		t.stamps[stamp]++
		if kind == "session" {
			own = "head@" + t.line.Text("id") + "@" + own
		}
	}
	for i := range t.Added() {
		r := t.Record(i)
		r.ParentUUID = parent
		r.UUID = own
		if i < t.Added()-1 {
			r.UUID += "." + strconv.Itoa(i)
		}
		parent = r.UUID
		r.SessionID, r.CWD, r.Timestamp = t.head.id, t.head.cwd, t.Time
		if r.Message != nil && r.Type == "assistant" && r.Message.ID == "" {
			r.Message.ID = "m" + own
		}
		if r.Message != nil {
			t.noteCalls(r)
		}
	}
	if kind == "session" {
		t.root = own
	}
	t.parent = own
}

// noteCalls notes which record holds a call. In some programs the result names the call as its parent.
func (t *translator) noteCalls(r *transcript.Record) {
	for _, b := range r.Message.Content {
		if b.Type == "tool_use" && b.ID != "" && t.entries[b.ID] == "" {
			t.entries[b.ID] = r.UUID
		}
	}
}

// parentOf returns the record that the entry continues from: that of its parent, the head for an entry without parent,
// or the record before it in the file if the log does not say.
func (t *translator) parentOf(kind string) string {
	var given jsontext.Value
	said := false
	for _, m := range t.line {
		if string(m.Name) == `"parentId"` {
			given, said = m.Value, true
		}
	}
	id := transcript.String(given)
	switch {
	case !said || kind == "session" || kind == "title":
		return t.parent
	case id == "" || id == t.head.id:
		if t.root != "" {
			return t.root
		}
	case t.entries[id] != "":
		return t.entries[id]
	default:
		t.Problem("parentId: there is no entry " + strconv.Quote(sources.Beginning(id, 40)) + " before")
	}
	return t.parent
}

// entry translates a line by its type.
func (t *translator) entry(kind string) {
	p := t.line
	switch kind {
	case "session":
		t.session()
	case "message":
		t.said()
	case "model_change":
		t.modelChange()
	case "thinking_level_change":
		t.effort()
	case "compaction":
		t.compaction()
	case "branch_summary":
		t.branchSummary(p.Text("summary"), p.Get("usage"))
	case "custom_message":
		t.custom(p)
	case "custom":
		t.Hide(kind, extensions)
	case "label":
		if label := p.Text("label"); label != "" {
			t.Remark("", "Bookmark: "+label, "entry", p.Text("targetId"))
		} else {
			t.Remark("", "Bookmark removed", "entry", p.Text("targetId"))
		}
	case "session_info":
		t.title(p.Text("name"))
	default:
		t.otherEntry(kind)
	}
}

// session translates the head of a session. The first one belongs to the file.
func (t *translator) session() {
	p := t.line
	h := readHead(p)
	t.heads++
	if t.heads > 1 && h.id == t.head.id {
		t.Hide("session", bookkeeping)
		return
	}
	what := "Session started"
	if t.heads == 1 {
		t.head = h
	} else {
		what = "Another session follows in the same file"
	}
	version := transcript.TextOf(p.Get("version"))
	r := t.Remark("", what, "folder", h.cwd, "version of the format", version, "copied from", h.from)
	r.LineageID = h.from
	if model := p.Text("modelId"); model != "" { // of the first version
		t.Model = model
		t.Settings("model", fullModel(p.Text("provider"), model), "effort", p.Text("thinkingLevel"))
	}
	if title := p.Text("title"); title != "" {
		t.title(title)
	}
}

// fullModel returns the name of a model with its provider, as Pi writes it.
func fullModel(provider, model string) string {
	if provider == "" || model == "" || strings.HasPrefix(model, provider+"/") {
		return model
	}
	return provider + "/" + model
}

func (t *translator) modelChange() {
	p := t.line
	model := p.Text("modelId")
	if model == "" {
		model = p.Text("model") // of Oh My Pi, with the provider
	}
	role := p.Text("role")
	if role == "" || role == "default" || role == "fallback" { // other roles do not answer
		t.Model = model[strings.IndexByte(model, '/')+1:]
	}
	t.Settings("model", fullModel(p.Text("provider"), model), "role", role)
}

// effort translates how much the model thinks: a level, or that the program chooses it.
func (t *translator) effort() {
	level := t.line.Text("thinkingLevel")
	if chosen := t.line.Text("configured"); level == "" {
		level = chosen
	}
	if level == "" {
		t.Hide("thinking_level_change", bookkeeping)
		return
	}
	t.Settings("effort", level)
}

// title adds the title of the session.
func (t *translator) title(name string) {
	t.Add(sources.TitleRecord(name, false))
}

// compaction translates a summary that replaced what was said before.
func (t *translator) compaction() {
	p := t.line
	trigger := ""
	if string(p.Get("fromHook")) == "true" || string(p.Get("fromExtension")) == "true" {
		trigger = "by an extension"
	}
	segment := jsontext.Value(nil)
	if kept := t.entries[p.Text("firstKeptEntryId")]; kept != "" {
		segment = sources.Make("headUuid", kept)
	}
	meta := sources.Make("trigger", trigger, "preTokens", p.Get("tokensBefore"), "preservedSegment", segment)
	t.System("compact_boundary", "", "compactMetadata", meta)
	t.used(t.Model, p.Get("usage"))
	t.summary(p.Text("summary"))
	if warning := p.Text("warning"); warning != "" {
		t.Remark("warning", warning)
	}
}

func (t *translator) branchSummary(text string, usage jsontext.Value) {
	t.Remark("", "Went back; what was said on the branch before is summed up")
	t.used(t.Model, usage)
	t.summary(text)
}

func (t *translator) summary(text string) {
	if text == "" {
		return
	}
	r := t.user(transcript.SummaryText, t.Text(text))
	r.IsCompactSummary = true
}

// custom translates what an extension put into the conversation.
func (t *translator) custom(p sources.Object) {
	kind := p.Text("customType")
	blocks := t.blocks(p.Get("content"))
	if strings.HasPrefix(kind, "subagent") && len(blocks) > 0 && blocks[0].Type == "text" {
		details := p.Get("details")
		from := transcript.String(transcript.Field(details, "agent"))
		if from == "" {
			from = strings.ReplaceAll(strings.ReplaceAll(kind, "_", " "), "-", " ")
		}
		t.user(transcript.TeammateText, blocks...).Sender = from
		return
	}
	byUser := p.Text("attribution") == "user"
	switch details := p.Get("details"); {
	case kind == "skill-prompt" && byUser:
		given := transcript.String(transcript.Field(details, "args"))
		t.command(transcript.String(transcript.Field(details, "name")), given, blocks)
	case kind == "collab-prompt" && byUser:
		r := t.user(transcript.PromptText, blocks...)
		if from := transcript.String(transcript.Field(details, "from")); from != "" {
			sources.Rare(r).Contexts = sources.Make("label", "prompt of another person", "content", from)
		}
	default:
		t.user(transcript.InjectedText, blocks...)
	}
}

// user adds a record with the role of the user, even without content.
func (t *translator) user(is transcript.TextKind, blocks ...transcript.Block) *transcript.Record {
	if len(blocks) == 0 {
		blocks = []transcript.Block{t.Text("")}
	}
	return t.User(is, blocks...)
}
