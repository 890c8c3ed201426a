// Package tern reads the sessions of Tern, an invented agent. It never opens a file.
package tern

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source is Tern as a writer of sessions.
type Source struct{ sources.Defaults }

// Writer returns what logs of Tern lack.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Tern", NotSent: true} }

// Match matches files that begin with a value like {"tern":1,"id":"7d3f"}.
func (Source) Match(head sources.Head) bool {
	return head.First() == "tern"
}

// FolderOf returns the "dir" of the first line.
func (Source) FolderOf(head []byte) string { return sources.FirstString(head, "dir") }

// Folders are below $TERN_HOME, else below .tern of the home folder.
func (Source) Folders(getenv func(string) string, home string) []string {
	if dir := getenv("TERN_HOME"); dir != "" {
		return []string{dir + "/logs"}
	}
	if home == "" {
		return nil
	}
	return []string{home + "/.tern/logs"}
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }

// A translator remembers facts of earlier lines.
type translator struct {
	id, of, dir, model string
	start              time.Time
}

// line is the union of the members of all lines.
type line struct {
	Tern                             jsontext.Value
	ID, Of, Dir, At, Model           fields.Text
	Sec                              fields.Number
	User, Bot, Sealed                fields.Text
	Call, Tool, Result, Text, Broken fields.Text
	Input                            jsontext.Value
}

func (t *translator) Translate(_ transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	var in line
	if err := fields.Decode(v, &in); err != nil {
		return nil, []transcript.Problem{{Text: err.Error()}}
	}
	if in.Tern != nil {
		t.id, t.of, t.dir = string(in.ID), string(in.Of), string(in.Dir)
		t.start, _ = time.Parse(time.RFC3339, string(in.At)) // without a time, the zero time
	}
	if in.Model != "" {
		t.model = string(in.Model)
	}
	r := transcript.Record{SessionID: t.id, CWD: t.dir}
	if t.of != "" { // this is a file of an agent of another session
		r.SessionID, r.AgentID, r.IsSidechain = t.of, t.id, true
	}
	if !t.start.IsZero() {
		r.Timestamp = t.start.Add(time.Duration(float64(in.Sec) * float64(time.Second)))
	}
	text := func(s fields.Text) transcript.Block { return transcript.Block{Type: "text", Raw: v, Text: string(s)} }
	switch {
	case in.User != "":
		t.say(&r, "user", text(in.User))
	case in.Result != "":
		block := transcript.Block{Type: "tool_result", Raw: v, ToolUseID: string(in.Result), Plain: true}
		block.Content, block.IsError = []transcript.Block{text(in.Text)}, in.Broken != ""
		t.say(&r, "user", block)
	case in.Call != "":
		call := transcript.Block{Type: "tool_use", Raw: v, ID: string(in.Call), Name: string(in.Tool), Input: in.Input}
		said := r
		t.say(&said, "assistant", text(in.Bot))
		t.say(&r, "assistant", call)
		return []transcript.Record{said, r}, nil
	case in.Sealed != "":
		t.say(&r, "assistant", transcript.Block{Type: "thinking", Raw: v, Encrypted: int64(len(in.Sealed))})
	case in.Bot != "":
		t.say(&r, "assistant", text(in.Bot))
	default:
		r.Type = "tern" // shown as it is
	}
	return []transcript.Record{r}, nil
}

// say makes a record of a text.
func (t *translator) say(r *transcript.Record, role string, block transcript.Block) {
	r.Type = role
	r.Message = &transcript.Message{Role: role, Content: []transcript.Block{block}}
	if role == "assistant" {
		r.Message.Model = t.model
	}
}
