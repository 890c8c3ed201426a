package cursor

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// empty is the rule that hides messages without content.
const empty = "empty messages"

// ended is the kind of records that end a turn.
const ended = "turn_ended"

// withheld replaces a text that the program does not log.
const withheld = "[REDACTED]"

// A translator turns the lines of one file into records. It numbers calls, because they have no ids.
type translator struct {
	sources.Builder
	id, before string // of the message, and of the record before

	calls   int
	open    []string           // ids of the calls without result, in order
	results []transcript.Block // of the line
}

// Translate turns a line into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	t.results, t.id = nil, ""
	var line sources.Object
	line.Read(v)
	t.SetTime(written(&line))
	t.line(pos, &line)
	if t.SessionID == "" {
		return t.Done("message")
	}
	for i := range t.Added() {
		r := t.Record(i)
		r.SessionID, r.CWD = t.SessionID, t.CWD // which the line itself may have told
		if t.id != "" {
			r.UUID, r.ParentUUID = t.id, t.before
			if i > 0 {
				r.UUID += "." + strconv.Itoa(i)
			}
			t.before = r.UUID
		}
		if r.Message != nil && r.Type == "assistant" && r.Message.Model == "" {
			r.Message.Model = t.Model
		}
	}
	return t.Done("message")
}

// written returns when a message of a database was written.
func written(line *sources.Object) jsontext.Value {
	bubble := line.Get(bubbleHead)
	if bubble == nil {
		return line.Get("createdAt")
	}
	if at := transcript.Field(bubble, "createdAt"); at != nil {
		return at
	}
	return transcript.Field(transcript.Field(bubble, "timingInfo"), "clientStartTime")
}

// line translates a line of a transcript or of a database.
func (t *translator) line(pos transcript.Pos, line *sources.Object) {
	switch {
	case line.Get(storeHead) != nil:
		t.store(line.Get(storeHead))
		return
	case line.Get(editorHead) != nil:
		t.composer(line.Get(editorHead))
		return
	case line.Get(bubbleHead) != nil:
		t.id = cmp.Or(line.Text("bubble"), "line "+strconv.Itoa(pos.Line))
		t.bubble(line.Get(bubbleHead), line.Get("unlisted"))
		if t.Added() == 0 {
			t.Hide("bubble", empty)
		}
		return
	}
	model := transcript.Field(transcript.Field(line.Get("providerOptions"), "cursor"), "modelName")
	if name := transcript.String(model); name != "" {
		t.Model = name
	}
	content := transcript.Or(transcript.Field(line.Get("message"), "content"), line.Get("content"))
	switch role := line.Text("role"); role { // of the command and of transcripts
	case "user", "tool":
		t.user(content)
	case "assistant":
		var said []transcript.Block
		for _, b := range t.blocks(content) {
			if b.Type != "tool_result" {
				said = append(said, b)
			}
		}
		if len(said) > 0 {
			t.say("assistant", said...)
		}
		for _, b := range t.results {
			t.say("user", b)
		}
	case "system":
		t.Snapshot(sources.JoinTexts(t.blocks(content)), nil)
	default:
		if line.Text("type") == ended {
			t.ended(line)
			return
		}
		t.Add(transcript.Record{Type: role})
	}
	if t.Added() == 0 {
		t.Hide("message", empty)
	}
}

// ended translates the end of a turn, which tells whether the human broke it off or a request failed.
func (t *translator) ended(line *sources.Object) {
	status, text := line.Text("status"), strings.TrimSpace(line.Text("error"))
	text = cmp.Or(text, transcript.String(transcript.Field(line.Get("error"), "message")))
	if strings.HasPrefix(text, "User aborted") {
		status = "aborted"
	}
	switch {
	case status == "aborted" || status == "cancelled":
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	case status == "error" || text != "":
		t.Fail(cmp.Or(text, "The turn ended with an error."))
	default:
		t.Hide(ended, bookkeeping).Subtype = status
	}
}

// say adds a record of what was said.
func (t *translator) say(role string, blocks ...transcript.Block) *transcript.Record {
	m := &transcript.Message{Role: role, Content: blocks}
	return t.Add(transcript.Record{Type: role, Message: m, Rare: new(transcript.Rare)})
}

// user translates a message in the role of the user: a prompt between tags, with text of the program around it.
func (t *translator) user(content jsontext.Value) {
	var typed, added []transcript.Block
	var stamp time.Time
	for _, b := range t.blocks(content) {
		switch {
		case b.Type == "tool_result":
		case b.Type != "text":
			typed = append(typed, b)
		default:
			asked, around := split(b.Text)
			if strings.HasPrefix(asked, ofProgram) {
				asked, around = "", strings.TrimSpace(around+"\n\n"+asked)
			}
			stamp = cmp.Or(stamp, clock(around))
			if around != "" {
				added = append(added, transcript.Block{Type: "text", Raw: b.Raw, Text: around})
			}
			if asked != "" {
				typed = append(typed, transcript.Block{Type: "text", Raw: b.Raw, Text: asked})
			}
		}
	}
	if !stamp.IsZero() {
		t.Time = stamp
	}
	for _, b := range t.results {
		t.say("user", b)
	}
	if len(added) > 0 {
		t.say("user", added...).TextIs = transcript.InjectedText
	}
	if len(typed) > 0 {
		t.say("user", typed...).TextIs = transcript.PromptText
	}
}

// clock returns the time that the program puts around a prompt, to the minute and with the zone of the human.
func clock(around string) time.Time {
	_, text, _ := strings.Cut(around, "<timestamp>")
	text, _, ok := strings.Cut(text, "</timestamp>")
	if !ok {
		return time.Time{}
	}
	at, zone, _ := strings.Cut(strings.Replace(text, "Sept ", "Sep ", 1), " (UTC")
	for _, layout := range []string{"Monday, Jan 2, 2006, 3:04 PM", "Monday, January 2, 2006, 3:04 PM"} {
		stamp, err := time.Parse(layout, strings.TrimSpace(at))
		if ahead, ok := offset(strings.TrimSuffix(strings.TrimSpace(zone), ")")); ok && err == nil {
			return stamp.Add(-ahead)
		}
	}
	return time.Time{}
}

// offset returns what "+3" or "-5:30" says, and reports whether a zone can be so far from UTC.
func offset(zone string) (d time.Duration, ok bool) {
	hours, minutes, _ := strings.Cut(strings.TrimLeft(zone, "+-"), ":")
	h, err := strconv.Atoi(cmp.Or(hours, "0"))
	if err != nil || h < 0 || h > 14 {
		return 0, false
	}
	m, err := strconv.Atoi(cmp.Or(minutes, "0"))
	if err != nil || m < 0 || m > 59 {
		return 0, false
	}
	d = time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
	if strings.HasPrefix(zone, "-") {
		return -d, true
	}
	return d, true
}

// contexts are the tags of texts that the program puts around a prompt.
var contexts = []string{
	"external_links", "attached_files", "open_and_recently_viewed_files", "user_info", "git_status", "rules",
	"system_reminder", "timestamp", "system_notification", "agent_skills", "project_layout", "additional_data",
}

// ofProgram begins what the program asks, in place of a prompt, when a task in the background has ended.
const ofProgram = "Briefly inform the user about the task result"

// split separates what the human typed from the text around it.
func split(text string) (asked, around string) {
	const open, end = "<user_query>", "</user_query>"
	if at := strings.Index(text, open); at >= 0 {
		before, rest := text[:at], text[at+len(open):]
		behind := ""
		if at := strings.LastIndex(rest, end); at >= 0 {
			rest, behind = rest[:at], rest[at+len(end):]
		}
		around = strings.TrimSpace(before) + "\n\n" + strings.TrimSpace(behind)
		return strings.TrimSpace(rest), strings.TrimSpace(around)
	}
	text = strings.TrimSpace(text)
	for _, name := range contexts {
		if strings.HasPrefix(text, "<"+name+">") || strings.HasPrefix(text, "<"+name+" ") {
			return "", text
		}
	}
	return text, ""
}

// blocks returns the blocks of content.
func (t *translator) blocks(content jsontext.Value) []transcript.Block {
	return sources.Content(t.Value, content, func(o *sources.Object, raw jsontext.Value) []transcript.Block {
		b := transcript.Block{Type: o.Text("type"), Raw: raw}
		switch b.Type {
		case "text":
			b.Text = o.Text("text")
			return unveiled(b)
		case "thinking", "reasoning":
			b.Type, b.Text = "thinking", o.Text("thinking")+o.Text("text")
		case "redacted-reasoning":
			b.Type, b.Encrypted = "thinking", int64(max(1, len(o.Get("data"))-2))
		case "image":
			b = picture(o, raw)
		case "tool_use", "tool_call", "tool-call":
			b = t.call(o, raw)
		case "tool_result", "tool-result":
			b = t.result(o, raw)
		}
		return []transcript.Block{b}
	})
}

// unveiled returns a text without what stands for a thought that is not logged, before or behind it. The thought
// becomes a block of its own.
func unveiled(b transcript.Block) (all []transcript.Block) {
	thought := b
	thought.Type, thought.Text = "thinking", withheld
	text := strings.TrimSpace(b.Text)
	if rest, ok := strings.CutPrefix(text, withheld); ok && (rest == "" || rest[0] == '\n') {
		all, text = append(all, thought), strings.TrimSpace(rest)
		b.Text = text
	}
	rest, thinks := strings.CutSuffix(text, "\n"+withheld)
	if thinks {
		b.Text = strings.TrimSpace(rest)
	}
	if strings.TrimSpace(b.Text) != "" {
		all = append(all, b)
	}
	if thinks {
		all = append(all, thought)
	}
	return all
}

// call returns a call, with a number as its id if it has none.
func (t *translator) call(o *sources.Object, raw jsontext.Value) transcript.Block {
	t.calls++
	id, name, input := o.Text("id"), o.Text("name"), o.Get("input")
	if o.Get("toolName") != nil { // in a database
		id, name, input = o.Text("toolCallId"), o.Text("toolName"), o.Get("args")
	}
	if id == "" {
		id = "call " + strconv.Itoa(t.calls)
	}
	t.open = append(t.open, id)
	input = transcript.Or(input, jsontext.Value("{}"))
	return transcript.Block{Type: "tool_use", Raw: raw, ID: id, Name: name, Input: input}
}

// result returns the result of a call, which few transcripts have. Without an id it belongs to the first call that has
// no result.
func (t *translator) result(o *sources.Object, raw jsontext.Value) transcript.Block {
	id := o.Text("tool_use_id", "toolCallId")
	at := 0
	for i, open := range t.open {
		if open == id {
			at = i
		}
	}
	if len(t.open) > 0 {
		id = t.open[at]
		t.open = append(t.open[:at:at], t.open[at+1:]...)
	}
	b := transcript.Block{Type: "tool_result", Raw: raw, ToolUseID: id, IsError: string(o.Get("is_error")) == "true"}
	b.Content = t.blocks(o.Get("content"))
	if result := o.Get("result"); result != nil {
		text := transcript.TextOf(result)
		b.Content = append(b.Content, transcript.Block{Type: "text", Raw: raw, Text: text})
		b.IsError = b.IsError || string(o.Get("isError")) == "true" || strings.HasPrefix(text, "Error:") ||
			o.Text("toolName") == "Shell" && failed(text)
	}
	t.results = append(t.results, b)
	return b
}

// failed reports whether the result of a command begins with another exit code than 0.
func failed(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	code, ok := strings.CutPrefix(line, "Exit code: ")
	return ok && strings.TrimSpace(code) != "0"
}

// picture returns an image of a message: base64 or an address.
func picture(o *sources.Object, raw jsontext.Value) transcript.Block {
	source := transcript.Source{Kind: "base64", MediaType: o.Text("mimeType"), Data: o.Get("image")}
	if transcript.Kind(source.Data) != '"' {
		source.Data = o.Get("data")
	}
	return transcript.Block{Type: "image", Raw: raw, Source: source}
}
