package notes

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/transcript"
)

// An entry is a note in JSON, or a row of the results of Inspect Scout: scan_results_df(...).scanners[...] as records.
type entry struct {
	Session, Anchor, Author, Label, Text fields.Text

	TranscriptID      fields.Text    `json:"transcript_id"`
	ScannerName       fields.Text    `json:"scanner_name"`
	ScannerKey        fields.Text    `json:"scanner_key"`
	InputType         fields.Text    `json:"input_type"`
	InputIDs          jsontext.Value `json:"input_ids"`
	Value             jsontext.Value
	Answer            fields.Text
	Explanation       fields.Text
	MessageReferences jsontext.Value `json:"message_references"`
	ScanError         fields.Text    `json:"scan_error"`
}

// scannerAuthor is the author of the results of Inspect Scout.
const scannerAuthor = "Inspect Scout"

// JSON reads notes: an object, a list of objects, an object with such a list as its member "notes" or "findings", or
// lines of any of these.
func JSON(name string, data []byte) ([]Note, []transcript.Problem) {
	f := jsonFile{name: name}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		f.line = lineAt(data, d.InputOffset())
		var v json.RawMessage
		err := d.Decode(&v)
		if errors.Is(err, io.EOF) {
			return f.notes, f.problems
		}
		if err != nil {
			at := d.InputOffset()
			if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
				at = wrong.Offset
			}
			line := 1 + bytes.Count(data[:max(0, at-1)], []byte("\n"))
			f.problems = append(f.problems, problem(name, line, "not JSON: "+err.Error()))
			return f.notes, f.problems
		}
		f.value(jsontext.Value(v))
	}
}

// lineAt returns the line, from 1, in which the next value after an offset begins.
func lineAt(data []byte, offset int64) int {
	offset = min(offset, int64(len(data)))
	rest := data[offset:]
	space := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n"))
	return 1 + bytes.Count(data[:int(offset)+space], []byte("\n"))
}

// A jsonFile is a file while it is read.
type jsonFile struct {
	name     string
	line     int // of the value
	notes    []Note
	problems []transcript.Problem
}

func (f *jsonFile) value(v jsontext.Value) {
	if transcript.Kind(v) == '{' {
		for _, member := range []string{"notes", "findings"} {
			if list := transcript.Field(v, member); transcript.Kind(list) == '[' {
				v = list
				break
			}
		}
	}
	if transcript.Kind(v) != '[' {
		f.entry(v, "")
		return
	}
	n := 0
	for one := range transcript.Elements(v) {
		n++
		f.entry(one, fmt.Sprintf("entry %d: ", n))
	}
}

// entry reads one note. which describes its place in a list, for problems.
func (f *jsonFile) entry(v jsontext.Value, which string) {
	wrong := func(text string) { f.problems = append(f.problems, problem(f.name, f.line, which+text)) }
	var e entry
	if err := fields.Decode(v, &e); err != nil {
		wrong("not a note: " + err.Error())
		return
	}
	n := Note{Author: string(e.Author), Label: string(e.Label), Text: string(e.Text), Source: f.name}
	session, anchor := string(e.Session), string(e.Anchor)
	if session == "" && e.TranscriptID != "" {
		if e.ScanError != "" {
			wrong(fmt.Sprintf("%s failed on %s: %s",
				strings.TrimSpace("scanner "+string(e.ScannerName)), e.TranscriptID, e.ScanError))
			return
		}
		if !e.found() {
			return
		}
		session, anchor = string(e.TranscriptID), e.place()
		n.Author, n.Text = cmp.Or(n.Author, scannerAuthor), e.words()
		n.Label = cmp.Or(n.Label, string(e.ScannerName), string(e.ScannerKey))
	}
	n.Session, n.Anchor = at(session, anchor)
	switch {
	case n.Session == "":
		wrong("a note about no session: session is not given")
	case strings.TrimSpace(n.Text) == "":
		wrong("a note without a text")
	default:
		f.notes = append(f.notes, n)
	}
}

// found reports whether a scanner has found something: its value is not null, false, 0 or empty.
func (e *entry) found() bool {
	switch strings.TrimSpace(string(e.Value)) {
	case "", "null", "false", "0", "0.0", `""`, "[]", "{}", `"null"`, `"[]"`, `"{}"`, `"false"`:
		return false
	}
	return true
}

// words returns the explanation of a scanner, followed by its value if that is more than "true".
func (e *entry) words() string {
	text := cmp.Or(string(e.Explanation), string(e.Answer))
	value := transcript.TextOf(e.Value)
	switch {
	case value == "true" && text == "":
		return "found"
	case value == "true" || value == text:
		return text
	case text == "":
		return value
	}
	return text + "\n\n" + "Value: `" + strings.ReplaceAll(value, "`", "'") + "`"
}

// place returns the message that a result refers to first, or the one that was scanned.
func (e *entry) place() string {
	if id := firstID(e.MessageReferences); id != "" {
		return id
	}
	if e.InputType == "message" {
		return firstID(e.InputIDs)
	}
	return ""
}

// firstID returns the first of a list of ids, or of objects with one. The list may be JSON in a text.
func firstID(list jsontext.Value) string {
	if s := transcript.String(list); s != "" {
		list = jsontext.Value(s)
	}
	if !list.IsValid() || transcript.Kind(list) != '[' {
		return ""
	}
	for one := range transcript.Elements(list) {
		if id := transcript.String(transcript.Field(one, "id")); id != "" {
			return id
		}
		if id := transcript.String(one); id != "" {
			return id
		}
	}
	return ""
}
