package sources

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// A Builder collects the records of the values of one file, for translators. It fills in what all records of a file
// share: session, folder, time, place and raw JSON.
type Builder struct {
	SessionID, CWD string
	AgentID        string    // set if the file is the log of an agent of the session
	Time           time.Time // of the current value, zero if unknown
	Model          string    // of the model that answers
	Pos            transcript.Pos
	Value          jsontext.Value // the current value, or the element of it that Parts yielded

	// Complete, if set, is called with each record that is added, for what Builder does not know.
	Complete func(*transcript.Record)

	places   Places // of the parts of the current value
	records  []transcript.Record
	problems []transcript.Problem
	asides   map[string]string // uuid of the last record of each agent in the file, by the call that started the agent
}

// Begin starts the next value of the file and forgets the records of the one before.
func (b *Builder) Begin(pos transcript.Pos, v jsontext.Value) {
	b.Pos, b.Value, b.places = pos, v, Places{Pos: pos, Value: v}
	b.records, b.problems = b.records[:0], nil
}

// Parts yields the elements of a list in the value. A record added during the loop gets the place of its element.
func (b *Builder) Parts(list jsontext.Value) func(yield func(jsontext.Value) bool) {
	return func(yield func(jsontext.Value) bool) {
		pos, v := b.Pos, b.Value
		for b.Pos, b.Value = range b.places.Elements(list) {
			if !yield(b.Value) {
				break
			}
		}
		b.Pos, b.Value = pos, v
	}
}

// Done returns the records of the value and its problems. A value without records becomes one generic record.
func (b *Builder) Done(kind string) ([]transcript.Record, []transcript.Problem) {
	if len(b.records) == 0 {
		b.Add(transcript.Record{Type: kind})
	}
	return b.records, b.problems
}

// Added returns the number of records that the value has so far.
func (b *Builder) Added() int { return len(b.records) }

// Aside moves all records but the first n to an agent, which the given call in the same file started.
func (b *Builder) Aside(n int, call string) {
	if b.asides == nil {
		b.asides = make(map[string]string)
	}
	for i := n; i < len(b.records); i++ {
		r := &b.records[i]
		r.UUID = "o" + strconv.FormatInt(b.Pos.Offset, 36) + "." + strconv.Itoa(i) + "@" + b.SessionID
		r.ParentUUID, b.asides[call] = b.asides[call], r.UUID
		r.IsSidechain = true
		Rare(r).ParentToolUseID = call
	}
}

// Record returns record i of the value.
func (b *Builder) Record(i int) *transcript.Record { return &b.records[i] }

// Move moves a record in front of an earlier one.
func (b *Builder) Move(from, to int) {
	r := b.records[from]
	copy(b.records[to+1:from+1], b.records[to:from])
	b.records[to] = r
}

// Problem reports that something is wrong with the value.
func (b *Builder) Problem(text string) {
	b.problems = append(b.problems, transcript.Problem{Pos: b.Pos, Text: text})
}

// Add adds a record.
func (b *Builder) Add(r transcript.Record) *transcript.Record {
	r.SessionID, r.CWD = b.SessionID, b.CWD
	if b.AgentID != "" {
		r.AgentID, r.IsSidechain = b.AgentID, true
	}
	if r.Timestamp.IsZero() {
		r.Timestamp = b.Time
	}
	r.Raw = transcript.Or(r.Raw, b.Value)
	if r.Pos == (transcript.Pos{}) {
		r.Pos = b.Pos
	}
	b.records = append(b.records, r)
	added := &b.records[len(b.records)-1]
	if b.Complete != nil {
		b.Complete(added)
	}
	return added
}

// SetTime sets the time of the current value from an RFC 3339 string or from milliseconds since 1970. No value and an
// empty string leave the time empty. So does anything else, which is reported as a problem.
func (b *Builder) SetTime(v jsontext.Value) {
	ok := false
	if b.Time, ok = TimeOf(v); ok {
		return
	}
	b.Time = time.Time{}
	if kind := transcript.Kind(v); kind == 0 || kind == 'n' || string(v) == `""` {
		return
	}
	b.Problem("cannot read the time " + Beginning(string(v), 40))
}

// Text returns a block of text.
func (b *Builder) Text(s string) transcript.Block {
	return transcript.Block{Type: "text", Raw: b.Value, Text: s}
}

// User adds a record with the role of the user.
func (b *Builder) User(is transcript.TextKind, blocks ...transcript.Block) *transcript.Record {
	return b.Add(UserRecord(is, blocks...))
}

// Answer adds what the model wrote in one request.
func (b *Builder) Answer(blocks ...transcript.Block) *transcript.Record {
	id := "m" + strconv.FormatInt(b.Pos.Offset, 36) + "." + strconv.Itoa(len(b.records)) + "@" + b.SessionID + b.AgentID
	m := &transcript.Message{ID: id, Role: "assistant", Model: b.Model, Content: blocks}
	return b.Add(transcript.Record{Type: "assistant", Message: m})
}

// Result adds the result of a call.
func (b *Builder) Result(call string, failed bool, content ...transcript.Block) *transcript.Record {
	block := transcript.Block{Type: "tool_result", Raw: b.Value, ToolUseID: call, IsError: failed, Content: content}
	m := &transcript.Message{Role: "user", Content: []transcript.Block{block}}
	return b.Add(transcript.Record{Type: "user", Message: m})
}

// Remark adds a line that the program wrote. The pairs are names and values, see Make. level is "", "warning" or
// "error".
func (b *Builder) Remark(level, text string, pairs ...any) *transcript.Record {
	r := b.System("informational", text, pairs...)
	if level != "" {
		Rare(r).Level = level
	}
	return r
}

// System adds a remark of the program with a subtype, see SystemRecord.
func (b *Builder) System(subtype, text string, pairs ...any) *transcript.Record {
	return b.Add(SystemRecord(subtype, text, pairs...))
}

// Settings adds settings of the session from here on, see SettingsRecord.
func (b *Builder) Settings(pairs ...any) { b.Add(SettingsRecord(pairs...)) }

// Fail adds a request that failed, with what the program said about it.
func (b *Builder) Fail(text string) { b.Add(FailureRecord(b.Text(text))) }

// Used adds the tokens of requests that no answer accounts for, as a record that is hidden by the named rule.
func (b *Builder) Used(u transcript.Usage, rule string) *transcript.Record {
	r := b.Answer()
	r.Message.Usage, r.Message.HasUsage = u, true
	r.Raw = Make("type", "usage")
	Rare(r).Hidden = rule
	return r
}

// UsedTogether is Used for the sum of several requests.
func (b *Builder) UsedTogether(u transcript.Usage, rule string) *transcript.Record {
	r := b.Used(u, rule)
	r.Message.Several = true
	return r
}

// UsedBySession is UsedTogether for requests of the whole session.
func (b *Builder) UsedBySession(u transcript.Usage, rule string) *transcript.Record {
	r := b.UsedTogether(u, rule)
	r.Message.OfSession = true
	return r
}

// Attach adds an event of a call, such as the decision to allow it. The pairs are names and values, see Make.
func (b *Builder) Attach(kind, event, call string, pairs ...any) {
	raw := Make(append([]any{"type", kind, "hookEvent", event, "toolUseID", call}, pairs...)...)
	a := &transcript.Attachment{Type: kind, HookEvent: event, ToolUseID: call, Raw: raw}
	b.Add(transcript.Record{Type: "attachment", Raw: Make("type", "attachment", "attachment", raw), Attachment: a})
}

// Snapshot adds the system prompt and the tools that the model was given.
func (b *Builder) Snapshot(prompt string, tools jsontext.Value) {
	raw := Make("type", "prompt_snapshot", "systemPrompt", prompt, "tools", tools)
	a := &transcript.Attachment{Type: "prompt_snapshot", Raw: raw}
	b.Add(transcript.Record{Type: "attachment", Raw: raw, Attachment: a})
}

// Hide adds a record that is hidden by the named rule.
func (b *Builder) Hide(kind, rule string) *transcript.Record { return b.Add(HiddenRecord(kind, rule)) }

// Call returns a block for a call. An invalid input becomes an empty object.
func (b *Builder) Call(id, name string, input jsontext.Value) transcript.Block {
	input = transcript.Or(input, jsontext.Value("{}"))
	return transcript.Block{Type: "tool_use", Raw: b.Value, ID: id, Name: name, Input: input}
}

// Arguments returns the input of a call: an object, or a string that holds one. Models sometimes write invalid JSON
// there.
func Arguments(v jsontext.Value) jsontext.Value {
	if transcript.Kind(v) != '"' {
		return v
	}
	text := transcript.String(v)
	inner := jsontext.Value(text)
	switch {
	case strings.TrimSpace(text) == "":
		return jsontext.Value("{}")
	case transcript.Kind(bytes.TrimSpace(inner)) == '{' && transcript.Valid(inner):
		return inner
	}
	return Make("__unparsedToolInput", Make("raw", v))
}
