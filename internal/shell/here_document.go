package shell

import (
	"strings"

	"viewer/internal/words"
)

// A hereDocument is text after a command: its input up to a line with the end.
type hereDocument struct {
	end      string
	indented bool // tabs may precede the end
	commands bool // a shell reads the text, so its lines are commands
	quoted   bool // the text is taken as it is
	of       int  // index of its simple command, -1 before its end

	ended       bool // there is a line with the end
	last, after int  // where the line with the end begins, and what follows it
}

// shells are programs that run their input, or whose arguments may be such a program.
var shells = words.Set(`sh bash zsh dash ksh ash fish sudo`)

// Limits, because the rest of a command is searched for the end of each here document.
const (
	maxDocuments = 10 // of a line
	maxOpen      = 10 // without an end
)

// document reads "EOF", the rest of "<<EOF". It returns false for everything else.
func (r *shellReader) document() bool {
	d := hereDocument{of: -1}
	var rest string
	rest, d.indented = strings.CutPrefix(r.text[r.at:], "-")
	rest = strings.TrimLeft(rest, " \t")
	n := strings.IndexAny(rest, " \t\r\n;|&<>()`")
	if n < 0 {
		n = len(rest)
	}
	d.end = strings.Trim(rest[:n], "'\"\\")
	d.quoted = d.end != rest[:n]
	if d.end == "" || !d.quoted && !isLetter(d.end[0]) || len(r.docs) == maxDocuments || r.open >= maxOpen { // 1 << 2
		return false
	}
	r.at = len(r.text) - len(rest) + n
	d.commands = len(r.words) > 0 && shells[base(r.words[0])]
	r.docs = append(r.docs, d)
	return true
}

func isLetter(c byte) bool { return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// documents skips the here documents that begin on this line. Without an end it is not a here document: 1 << N.
func (r *shellReader) documents() {
	for len(r.docs) > 0 {
		d := &r.docs[0]
		if d.after == 0 && !d.find(r.text, r.at, r.cut) {
			r.docs = r.docs[1:]
			r.open++
			continue
		}
		if d.commands && r.at < d.last {
			return // the next line end is handled here again
		}
		if !d.commands && d.of >= 0 && d.of < len(r.all) {
			r.all[d.of].Document = d.text(r.text[r.at:d.last])
		}
		r.at = max(r.at, d.after)
		r.docs = r.docs[1:]
	}
}

// text returns the text of a document as the command reads it, or nil if that depends on something else.
func (d *hereDocument) text(lines string) *string {
	if !d.ended || !d.quoted && strings.ContainsAny(lines, "$`\\") {
		return nil
	}
	if d.indented {
		var b strings.Builder
		for line := range strings.Lines(lines) {
			b.WriteString(strings.TrimLeft(line, "\t"))
		}
		lines = b.String()
	}
	return &lines
}

// find finds the end of a document that begins at an offset. A text that was cut off may lack the end.
func (d *hereDocument) find(text string, at int, cut bool) bool {
	for line := range strings.Lines(text[at:]) {
		d.last, at = at, at+len(line)
		line = strings.TrimRight(line, "\r\n")
		if d.indented {
			line = strings.TrimLeft(line, "\t")
		}
		if line == d.end {
			d.after, d.ended = at, true
			return true
		}
	}
	d.last, d.after = len(text), len(text)
	return cut
}

// hereString reads the rest of a text of PowerShell on lines of its own, between @' and '@. Quotes in it mean nothing.
func (r *shellReader) hereString(quote byte) bool {
	if r.part != "@" || r.literal || r.word.Len() > 0 {
		return false
	}
	line, _, _ := strings.Cut(r.text[r.at:], "\n")
	rest := r.text[r.at+len(line):]
	n := strings.Index(rest, "\n"+string(quote)+"@")
	if strings.TrimSpace(line) != "" || n < 0 {
		return false
	}
	r.literal, r.part = true, ""
	r.add(strings.TrimPrefix(rest[:n], "\n"))
	r.at += len(line) + n + len("\n'@")
	return true
}
