package goose

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A message is a message of a session.
type message struct {
	row      string // in the database
	id, role string
	at       int64 // when it was made, in seconds since 1970
	created  jsontext.Value
	content  jsontext.Value // a list of parts
	damaged  bool           // the content is a text that is not JSON
	metadata jsontext.Value
	part     part
}

// A part is what a message is in a compaction, which hides all earlier messages from the model. The program writes a
// summary, a note to the model, and the last prompt again.
type part string

const (
	noPart       part = ""
	summary      part = "summary"
	askedSummary part = "summary, as asked" // by the human
	kept         part = "kept prompt"       // before the summary
	note         part = "note"
	again        part = "prompt again" // after the note
)

// partMember is the member of messages from a database with their part.
const partMember = "compaction"

func (m message) value() jsontext.Value {
	if m.damaged {
		return sources.Make("row", m.row, "damaged", true, "content", m.content)
	}
	return sources.Make("id", m.id, "role", m.role, "created", m.created, "content", m.content, "metadata", m.metadata,
		partMember, string(m.part))
}

// newMessage reads a message.
func newMessage(v jsontext.Value) message {
	var o sources.Object
	o.Read(v)
	return message{
		id: o.Text("id"), role: o.Text("role"), created: o.Get("created"), content: o.Get("content"),
		metadata: o.Get("metadata"), part: part(o.Text(partMember)),
	}
}

// forUser reports whether the user sees the message.
func (m message) forUser() bool {
	return string(transcript.Field(m.metadata, "userVisible")) != "false"
}

// isOfProgram reports whether the program may have written a message that only the model sees. The first versions did
// not say who sees a message.
func (m message) isOfProgram() bool { return !m.forUser() || transcript.Kind(m.metadata) != '{' }

// has reports whether a note on the message is true.
func (m message) has(note string) bool { return string(transcript.Field(m.metadata, note)) == "true" }

// text returns the text of a message that has no other parts.
func (m message) text() string {
	var all []string
	for e := range transcript.Elements(m.content) {
		if transcript.String(transcript.Field(e, "type")) != "text" {
			return ""
		}
		all = append(all, transcript.String(transcript.Field(e, "text")))
	}
	return strings.Join(all, "\n")
}

// Parts of the note to the model after a summary, in all versions.
const (
	compacted = "Do not mention that you read a summary or that "
	byUser    = "at the user's request"
)

// markCompactions finds the messages of compactions.
func markCompactions(all []message) {
	prompt, earlier := "", "" // the last texts in the role of the user
	for i := range all {
		m := &all[i]
		text := ""
		if m.role == "user" || m.role == "assistant" && m.isOfProgram() {
			text = m.text()
		}
		if m.role == "user" {
			if text != "" && m.part == noPart {
				prompt, earlier = text, prompt
			}
			continue
		}
		if i == 0 || !strings.Contains(text, compacted) || all[i-1].role != "user" || !all[i-1].isOfProgram() {
			continue
		}
		m.part, all[i-1].part = note, summary
		if strings.Contains(text, byUser) {
			all[i-1].part = askedSummary
		}
		prompt = earlier // not the summary
		if i > 1 && all[i-2].role == "user" && !all[i-2].forUser() && all[i-2].part == noPart {
			all[i-2].part = kept
		}
		if i+1 < len(all) && all[i+1].role == "user" && prompt != "" && all[i+1].text() == prompt {
			all[i+1].part = again
		}
	}
}
