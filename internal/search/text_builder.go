package search

import (
	"bytes"
	"maps"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// A textBuilder builds the text of a document: texts on lines of their own, without control sequences of terminals. Its
// memory is reused for the next document.
type textBuilder struct {
	only  string // the first text, while there is no other: it is not copied
	ended bool   // end was called when there was only one text
	text  []byte // all texts, if there are several
	done  int    // length of text at the last call of end
	patch patchLines
}

// largestText limits the memory that a builder keeps, in bytes.
const largestText = 1 << 20

func (d *textBuilder) begin() {
	d.only, d.ended, d.text, d.done = "", false, d.text[:0], 0
	if cap(d.text) > largestText {
		d.text = nil
	}
}

// add appends a text on a new line.
func (d *textBuilder) add(s string) {
	switch {
	case s == "":
	case d.only == "" && len(d.text) == 0:
		d.only = s
	default:
		d.line()
		d.text = append(d.grown(len(s)), s...)
	}
}

// line begins a new line.
func (d *textBuilder) line() {
	d.flush()
	if len(d.text) > 0 {
		d.text = append(d.text, '\n')
	}
}

// flush copies the first text to where the others are added.
func (d *textBuilder) flush() {
	if d.only == "" {
		return
	}
	d.text = append(d.grown(len(d.only)), d.only...)
	if d.ended {
		d.done = len(d.text)
	}
	d.only, d.ended = "", false
}

// end removes control characters from what was added since the last call, and returns the whole text.
func (d *textBuilder) end() string {
	if d.only != "" {
		if d.ended = changed(d.only) == len(d.only); d.ended {
			return d.only
		}
		d.flush()
	}
	start := d.done
	if start > 0 && start < len(d.text) {
		start++ // after the line end
	}
	if n := len(inPlain(d.text[start:])); n > 0 {
		d.done = start + n
	}
	d.text = d.text[:d.done]
	return asText(d.text)
}

// grown returns the text with capacity for n more bytes and some reserve, because little follows a long output.
func (d *textBuilder) grown(n int) []byte {
	if cap(d.text)-len(d.text) > n {
		return d.text
	}
	return append(make([]byte, 0, max(2*len(d.text), len(d.text)+n+n/8+4096)), d.text...)
}

// skippedMembers are members of records that are of no use to readers.
var skippedMembers = map[string]bool{
	"uuid": true, "parentUuid": true, "sessionId": true, "session_id": true, "timestamp": true, "version": true,
	"cwd": true, "gitBranch": true, "userType": true, "entrypoint": true, "type": true, "id": true, "requestId": true,
	"toolUseID": true, "tool_use_id": true, "parentToolUseID": true,
	"slug": true, "promptId": true, "hookEvent": true, "signature": true, "media_type": true, "messageId": true,
}

// skippedOfPictures are those and the data of a picture.
var skippedOfPictures = func() map[string]bool {
	all := maps.Clone(skippedMembers)
	all["data"] = true
	return all
}()

// holds reports whether a quoted name is one of these.
func holds(names map[string]bool, quoted jsontext.Value) bool {
	if len(quoted) < 2 || bytes.IndexByte(quoted, '\\') >= 0 {
		return names[transcript.String(quoted)]
	}
	return names[string(quoted[1:len(quoted)-1])]
}

// addStrings adds all strings and numbers of a JSON value, except for members with these names.
func (d *textBuilder) addStrings(v jsontext.Value, without map[string]bool) {
	var skip transcript.Skip
	for kind, token := range transcript.Tokens(v) {
		switch {
		case skip.Holds(kind):
		case kind == ':' && holds(without, token):
			skip.Begin()
		case kind == '"':
			d.addString(token)
		case kind == '0':
			d.line()
			d.text = append(d.text, token...)
		}
	}
}

// addBlock adds the strings and numbers of a block that has no text. The data of a picture is no text, however short.
func (d *textBuilder) addBlock(b *transcript.Block) {
	if b.Type == "image" {
		d.addStrings(b.Raw, skippedOfPictures)
		return
	}
	d.addStrings(b.Raw, skippedMembers)
}

// addString adds a string, unless it is long and has no blanks, so that it is not text.
func (d *textBuilder) addString(v jsontext.Value) {
	if len(v) > longestWordless+2 && !bytes.ContainsAny(v[1:1+longestWordless], ` \`) {
		return // without unquoting it
	}
	only, ended, done, before := d.only, d.ended, d.done, len(d.text)
	d.line()
	start := len(d.text)
	d.text = transcript.AppendString(d.grown(len(v)), v)
	if s := d.text[start:]; len(s) == 0 || len(s) >= longestWordless && !bytes.ContainsAny(s[:longestWordless], " \n") {
		d.only, d.ended, d.done, d.text = only, ended, done, d.text[:before]
	}
}

const longestWordless = 2000

// addUnchanged adds the unchanged lines of a patch that the text does not have yet: those around a change, and those of
// a file that was rewritten.
func (d *textBuilder) addUnchanged(patch jsontext.Value) {
	d.patch.begin()
	for hunk := range transcript.Elements(patch) {
		for l := range transcript.Elements(transcript.Field(hunk, "lines")) {
			d.patch.line(l)
		}
	}
	if len(d.patch.lines) == 0 {
		return
	}
	d.flush()
	for line := range bytes.Lines(d.text) {
		if k, ok := lookup(&d.patch.dictionary, bytes.TrimSpace(line)); ok {
			d.patch.terms[k].value = 1
		}
	}
	for _, l := range d.patch.lines {
		if d.patch.terms[l.number].value == 0 {
			d.line()
			d.text = append(d.grown(l.end-l.start), d.patch.text[l.start:l.end]...)
		}
	}
}

// patchLines holds the lines of a patch. The dictionary has each line without surrounding blanks; its value is 1 if the
// text of the document has the line.
type patchLines struct {
	dictionary
	text  []byte
	lines []lineOfPatch
}

type lineOfPatch struct{ start, end, number int }

func (p *patchLines) begin() {
	p.reset()
	p.text, p.lines = p.text[:0], p.lines[:0]
}

// line adds a line, which begins with the sign of the patch.
func (p *patchLines) line(l jsontext.Value) {
	start := len(p.text) + 1
	p.text = transcript.AppendString(p.text, l)
	if end := len(p.text); start < end {
		if line := bytes.TrimSpace(p.text[start:]); len(line) > 0 {
			p.lines = append(p.lines, lineOfPatch{start, end, intern(&p.dictionary, line)})
		}
	}
}

// asText returns a string that shares its memory with b.
func asText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
