package search

import (
	"bytes"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// A draft is the text of a document while it is put together: texts, one below the
// other, without what terminals obey. Its memory is used again for the next one.
type draft struct {
	only  string // the first text, as long as there is no other
	ended bool   // only has ended
	text  []byte // of all others
	done  int    // so much of it has ended
	said  said
}

// largestDraft is how much memory a draft keeps.
const largestDraft = 1 << 20

func (d *draft) begin() {
	d.only, d.ended, d.text, d.done = "", false, d.text[:0], 0
	if cap(d.text) > largestDraft {
		d.text = nil
	}
}

// add puts a text below the others.
func (d *draft) add(s string) {
	switch {
	case s == "":
	case d.only == "" && len(d.text) == 0:
		d.only = s // which may well be all: then nothing is copied
	default:
		d.line()
		d.text = append(d.grown(len(s)), s...)
	}
}

// line begins a line behind the texts so far.
func (d *draft) line() {
	d.flush()
	if len(d.text) > 0 {
		d.text = append(d.text, '\n')
	}
}

// flush puts the first text where all others come.
func (d *draft) flush() {
	if d.only == "" {
		return
	}
	d.text = append(d.grown(len(d.only)), d.only...)
	if d.ended {
		d.done = len(d.text)
	}
	d.only, d.ended = "", false
}

// end makes plain what was added since it was called last, and gives the whole text.
func (d *draft) end() string {
	if d.only != "" {
		if d.ended = changed(d.only) == len(d.only); d.ended {
			return d.only
		}
		d.flush()
	}
	start := d.done
	if start > 0 && start < len(d.text) {
		start++ // a new line
	}
	if n := len(inPlain(d.text[start:])); n > 0 {
		d.done = start + n
	}
	d.text = d.text[:d.done]
	return asText(d.text)
}

// grown is the text with room for n bytes and a little more: a long output is
// followed by little.
func (d *draft) grown(n int) []byte {
	if cap(d.text)-len(d.text) > n {
		return d.text
	}
	return append(make([]byte, 0, max(2*len(d.text), len(d.text)+n+n/8+4096)), d.text...)
}

// unread are members of records that say nothing to a reader.
var unread = map[string]bool{
	"uuid": true, "parentUuid": true, "sessionId": true, "session_id": true, "timestamp": true, "version": true, "cwd": true, "gitBranch": true,
	"userType": true, "entrypoint": true, "type": true, "id": true, "requestId": true, "toolUseID": true, "tool_use_id": true, "parentToolUseID": true,
	"slug": true, "promptId": true, "hookEvent": true, "signature": true, "media_type": true, "messageId": true,
}

// holds says whether the name of a member, as it is quoted, is one of these.
func holds(names map[string]bool, quoted jsontext.Value) bool {
	if len(quoted) < 2 || bytes.IndexByte(quoted, '\\') >= 0 {
		return names[transcript.String(quoted)]
	}
	return names[string(quoted[1:len(quoted)-1])]
}

// leaves adds all texts inside of a JSON value, but for members of these names.
func (d *draft) leaves(v jsontext.Value, without map[string]bool) {
	var skip transcript.Skip
	for kind, token := range transcript.Tokens(v) {
		switch {
		case skip.Holds(kind):
		case kind == ':' && holds(without, token):
			skip.Begin()
		case kind == '"':
			d.leaf(token)
		case kind == '0':
			d.line()
			d.text = append(d.text, token...)
		}
	}
}

// leaf adds a text. What is long and has no blanks is none.
func (d *draft) leaf(v jsontext.Value) {
	if len(v) > longestSolid+2 && !bytes.ContainsAny(v[1:1+longestSolid], ` \`) {
		return // it need not be unquoted
	}
	only, ended, done, before := d.only, d.ended, d.done, len(d.text)
	d.line()
	start := len(d.text)
	d.text = transcript.AppendString(d.grown(len(v)), v)
	if s := d.text[start:]; len(s) == 0 || len(s) >= longestSolid && !bytes.ContainsAny(s[:longestSolid], " \n") {
		d.only, d.ended, d.done, d.text = only, ended, done, d.text[:before]
	}
}

const longestSolid = 2000

// around adds the lines of a patch, which a page shows, that the call does not say
// itself: those around the change, and those of a file that was written anew.
func (d *draft) around(patch jsontext.Value) {
	d.said.begin()
	for hunk := range transcript.Elements(patch) {
		for l := range transcript.Elements(transcript.Field(hunk, "lines")) {
			d.said.line(l)
		}
	}
	if len(d.said.lines) == 0 {
		return
	}
	d.flush()
	for line := range bytes.Lines(d.text) {
		if k, ok := known(&d.said.table, bytes.TrimSpace(line)); ok {
			d.said.terms[k].value = 1
		}
	}
	for _, l := range d.said.lines {
		if d.said.terms[l.number].value == 0 {
			d.line()
			d.text = append(d.grown(l.end-l.start), d.said.text[l.start:l.end]...)
		}
	}
}

// The said are the lines of a patch, in a table without the blanks around them. It
// tells which ones the call says.
type said struct {
	table
	text  []byte
	lines []lineOfPatch
}

type lineOfPatch struct{ start, end, number int }

func (p *said) begin() {
	p.reset()
	p.text, p.lines = p.text[:0], p.lines[:0]
}

// line takes one, which begins with what the patch does to it.
func (p *said) line(l jsontext.Value) {
	start := len(p.text) + 1
	p.text = transcript.AppendString(p.text, l)
	if end := len(p.text); start < end {
		if line := bytes.TrimSpace(p.text[start:]); len(line) > 0 {
			p.lines = append(p.lines, lineOfPatch{start, end, number(&p.table, line)})
		}
	}
}

// asText is a text that changes with what it is made of.
func asText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// asBytes are those of a text, for those who change nothing of it.
func asBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
