package render

import (
	"html/template"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
	"viewer/internal/words"
)

// attached is the view of most attachments: a line, and the body that it opens.
type attached struct {
	line
	Rows   []field
	Todos  []todo
	Prose  template.HTML
	Blocks []*output

	Pictures []picture
}

// quiet returns the line for context that the program added by itself.
func quiet(icon, text string) line {
	return line{Icon: icon, Text: text, Level: atEverything, Look: "note"}
}

// also adds a remark to the words of a line: "Goal met · all tests pass".
func also(words, known string) string {
	if known == "" {
		return words
	}
	return words + dot + known
}

// texts returns the texts of a list, or a single text in place of a list.
func texts(v jsontext.Value) []string {
	switch transcript.Kind(v) {
	case '"', '0', 't', 'f':
		return words.NonEmpty(transcript.TextOf(v))
	}
	var all []string
	for e := range transcript.Elements(v) {
		all = append(all, transcript.TextOf(e))
	}
	return all
}

// rest lists the members of an attachment other than the known ones.
func (e event) rest(known ...string) []field {
	var all []field
next:
	for _, f := range e.d.fields(e.Record.Attachment.Raw) {
		for _, k := range append(known, "type") {
			if f.Name == k {
				continue next
			}
		}
		if f.Value != emptyText && f.Value != "[]" && f.Value != "{}" {
			all = append(all, f)
		}
	}
	return all
}

func (e event) field(name string) string {
	return transcript.TextOf(transcript.Field(e.Record.Attachment.Raw, name))
}

// markdown draws text of an attachment.
func (e event) markdown(s string) template.HTML {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return e.d.markdown(s, e.Anchor)
}
