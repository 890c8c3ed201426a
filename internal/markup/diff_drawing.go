package markup

import (
	"html/template"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"viewer/internal/markup/highlight"
)

// Diff draws hunks. An added line is in <ins>, a deleted one in <del>, and the changed part of a line in <em>. The
// style sheet adds the signs. lang is as in [Code]. Each side is highlighted as a whole, so that a comment of several
// lines is one.
//
// gutter has a line for each line of code, separated by "\n": the new line number, the old one of a deleted line, or a
// blank if there is none. Between hunks is a line with "⋯". It is in the code, because paper, narrow screens and
// screen readers have no gutter. Every line of code ends in a newline. It keeps the line rule.
func Diff(hunks []Hunk, lang string) (code template.HTML, gutter string) {
	d := drawing{
		language: highlight.Lookup(lang), code: maxCode, marks: maxMarked, crlf: isCRLF(hunks),
		hunkMemory: hunkMemories.Get().(*hunkMemory),
	}
	defer d.hunkMemory.release()
	d.b.Grow(2 * sizeOf(hunks))
	for i, h := range hunks {
		if i > 0 {
			d.b.WriteString("<small>⋯</small>\n")
			d.number(" ")
		}
		d.hunk(h)
	}
	return template.HTML(d.b.String()), d.gutter.String()
}

// sizeOf returns the number of bytes of the lines of hunks.
func sizeOf(hunks []Hunk) int {
	n := 0
	for _, h := range hunks {
		for _, l := range h.Lines {
			n += len(l) + 1
		}
	}
	return n
}

// Limits for comparing changed lines word by word, in bytes: in all, and of one line.
const (
	maxMarked = 256 << 10
	maxLine   = 2000
)

type drawing struct {
	b, gutter strings.Builder
	language  *highlight.Language // nil if unknown
	code      int                 // bytes of either side that may still be highlighted
	marks     int                 // bytes that may still be compared
	crlf      bool                // every line ends in \r, which is then not drawn
	*hunkMemory
}

// A hunkMemory has the state of the current hunk. Its memory is reused for the next hunk, and for other diffs.
type hunkMemory struct {
	lines    []string
	old, new side
	words    wordDiff
}

var hunkMemories = sync.Pool{New: func() any { return new(hunkMemory) }}

// release lets other diffs use the memory, without the texts that it refers to. Memory of a large hunk is freed.
func (m *hunkMemory) release() {
	if len(m.old.text)+len(m.new.text) > maxCode {
		return
	}
	clear(m.lines)
	clear(m.words.ids)
	m.old.reset()
	m.new.reset()
	hunkMemories.Put(m)
}

// isCRLF reports whether all lines end in \r\n. If only some do, it may be the change itself, and is drawn.
func isCRLF(hunks []Hunk) bool {
	found := false
	for _, h := range hunks {
		for _, l := range h.Lines {
			if l == "" || l[0] == '\\' {
				continue
			}
			if found = strings.HasSuffix(l, "\r"); !found {
				return false
			}
		}
	}
	return found
}

// A side is the old or the new text of a hunk.
type side struct {
	text  []byte
	spans []codeSpan
	src   string
	start int // of the next line
	span  int // the one that start is in
}

// A codeSpan is a part of a text with one class. It begins at the end of the span before.
type codeSpan struct {
	class byte // 0 for none
	end   int
}

func (s *side) reset() {
	*s = side{text: s.text[:0], spans: s.spans[:0]}
}

func (s *side) add(line string) {
	s.text = append(append(s.text, line...), '\n')
}

// highlight finds the spans of the first limit bytes, and returns how much of the limit is left.
func (s *side) highlight(language *highlight.Language, limit int) int {
	s.src = string(s.text)
	if language == nil || limit <= 0 {
		return limit
	}
	language.Spans(s.src[:lineStartBefore(s.src, limit)], func(class byte, _, end int) {
		s.spans = append(s.spans, codeSpan{class, end})
	})
	return limit - len(s.src)
}

// lineStartBefore returns the end of the last whole line within n bytes.
func lineStartBefore(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	return strings.LastIndexByte(s[:n], '\n') + 1
}

// next writes the next line with its spans and marks, and skips its newline.
func (s *side) next(b *strings.Builder, marks []mark) {
	n := strings.IndexByte(s.src[s.start:], '\n')
	end := s.start + n
	pos := s.start
	for pos < end {
		for s.span < len(s.spans) && s.spans[s.span].end <= pos {
			s.span++
		}
		class, stop := byte(0), end
		if s.span < len(s.spans) {
			class, stop = s.spans[s.span].class, min(end, s.spans[s.span].end)
		}
		// A mark encloses whole spans: they end where it ends.
		for len(marks) > 0 && s.start+marks[0].end <= pos {
			marks = marks[1:]
		}
		opens, closes := false, false
		if len(marks) > 0 {
			from, to := s.start+marks[0].start, s.start+marks[0].end
			if pos < from {
				stop = min(stop, from)
			} else {
				opens = pos == from
				stop = min(stop, to)
				closes = stop == to
			}
		}
		if opens {
			b.WriteString("<em>")
		}
		if class != 0 {
			open, shut := element(class)
			b.WriteString(open)
			escapeValid(b, s.src[pos:stop], false)
			b.WriteString(shut)
		} else {
			escapeValid(b, s.src[pos:stop], false)
		}
		if closes {
			b.WriteString("</em>")
		}
		pos = stop
	}
	s.start = end + 1
}

// skip skips a line that the other side draws.
func (s *side) skip() {
	s.start += strings.IndexByte(s.src[s.start:], '\n') + 1
}

func (d *drawing) hunk(h Hunk) {
	lines := d.split(h)
	old, new := &d.old, &d.new
	limit := d.code
	d.code = min(old.highlight(d.language, limit), new.highlight(d.language, limit))

	marks := d.pairs(lines)
	from, to := h.OldStart, h.NewStart
	for i, l := range lines {
		switch l[0] {
		case '+':
			d.b.WriteString("<ins>")
			new.next(&d.b, marks[i])
			d.b.WriteString("</ins>")
			d.number(strconv.Itoa(to))
			to++
		case '-':
			d.b.WriteString("<del>")
			old.next(&d.b, marks[i])
			d.b.WriteString("</del>")
			d.number(strconv.Itoa(from))
			from++
		case '\\':
			open, shut := element('c')
			d.b.WriteString(open)
			escape(&d.b, l, false)
			d.b.WriteString(shut)
			d.number(" ")
		default:
			old.skip()
			new.next(&d.b, nil)
			d.number(strconv.Itoa(to))
			from++
			to++
		}
		d.b.WriteByte('\n')
	}
}

// split returns the lines of a hunk as they are drawn, each with its sign, and sets the text of each side.
func (d *drawing) split(h Hunk) []string {
	lines := d.lines[:0]
	old, new := &d.old, &d.new
	old.reset()
	new.reset()
	for _, l := range h.Lines {
		l = strings.ReplaceAll(strings.TrimSuffix(l, "\n"), "\n", "\u2424") // no line of a patch has one
		if l == "" {
			l = " " // editors strip the blank of an empty line
		}
		if d.crlf {
			l = strings.TrimSuffix(l, "\r")
		}
		if !utf8.ValidString(l) {
			l = valid(l)
		}
		lines = append(lines, l)
		switch text := l[1:]; l[0] {
		case '+':
			new.add(text)
		case '-':
			old.add(text)
		case '\\':
		default:
			old.add(rest(l))
			new.add(rest(l))
		}
	}
	d.lines = lines
	return lines
}

// rest returns a context line without its sign, if it has one.
func rest(line string) string {
	return strings.TrimPrefix(line, " ")
}

func (d *drawing) number(n string) {
	if d.gutter.Len() > 0 {
		d.gutter.WriteByte('\n')
	}
	d.gutter.WriteString(n)
}
