package markup

import (
	"html/template"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"

	"viewer/internal/markup/highlight"
)

// A Hunk is one hunk of a unified diff.
type Hunk struct {
	OldStart, NewStart int      // of the first line on either side, from 1
	Lines              []string // without newline; each starts with ' ', '+', '-' or '\\'
}

const context = 3 // equal lines around a change

// noNewline follows the last line of a text without newline.
const noNewline = `\ No newline at end of file`

// Edits returns the hunks from old to new text with three lines of context, for logs without a patch. The search is
// limited, so that very different texts cost no more than similar ones: the result is always correct but not always the
// shortest. If both texts lack the last newline, as parts of a file do, the result does not say so.
func Edits(old, new string) []Hunk {
	a, b := splitLines(old), splitLines(new)
	if len(a) > 0 && len(b) > 0 && !strings.HasSuffix(old, "\n") && !strings.HasSuffix(new, "\n") {
		a[len(a)-1] += "\n"
		b[len(b)-1] += "\n"
	}
	var hunks []Hunk
	var h *Hunk
	var w hunkWriter
	done := 0 // lines of a that are in a hunk or skipped
	for _, d := range lcs.DiffLines(a, b) {
		if h == nil || d.Start-done > 2*context {
			if h != nil {
				w.end(h, a[done:min(done+context, len(a))])
			}
			from := max(d.Start-context, done)
			hunks = append(hunks, Hunk{OldStart: from + 1, NewStart: d.ReplStart - (d.Start - from) + 1})
			h = &hunks[len(hunks)-1]
			done = from
		}
		w.add(' ', a[done:d.Start])
		w.add('-', a[d.Start:d.End])
		w.add('+', b[d.ReplStart:d.ReplEnd])
		done = d.End
	}
	if h != nil {
		w.end(h, a[done:min(done+context, len(a))])
	}
	return hunks
}

// A hunkWriter collects the parts of a hunk, so that its lines are written to one string: a diff may have a million.
type hunkWriter struct {
	parts []hunkPart
	size  int // bytes of the lines, with a sign each and their newlines
	lines int
}

type hunkPart struct {
	sign  byte
	lines []string
}

func (w *hunkWriter) add(sign byte, lines []string) {
	if len(lines) == 0 {
		return
	}
	w.parts = append(w.parts, hunkPart{sign, lines})
	w.lines += len(lines)
	for _, l := range lines {
		w.size += 1 + len(l)
	}
}

// end writes the hunk, which ends with equal lines.
func (w *hunkWriter) end(h *Hunk, equal []string) {
	w.add(' ', equal)
	h.Lines = make([]string, 0, w.lines)
	var b strings.Builder
	b.Grow(w.size)
	for _, p := range w.parts {
		for _, l := range p.lines {
			start := b.Len()
			b.WriteByte(p.sign)
			line, ended := strings.CutSuffix(l, "\n")
			b.WriteString(line)
			h.Lines = append(h.Lines, b.String()[start:])
			if !ended {
				h.Lines = append(h.Lines, noNewline)
			}
		}
	}
	*w = hunkWriter{parts: w.parts[:0]}
}

// splitLines keeps the newlines.
func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// Diff draws hunks. An added line is in <ins>, a deleted one in <del>, and the changed part of a line in <em>. The
// style sheet adds the signs. lang is as in [Code]. Each side is highlighted as a whole, so that a comment of several
// lines is one.
//
// gutter has a line for each line of code, separated by "\n": the new line number, the old one of a deleted line, or a
// blank if there is none. Between hunks is an empty line with "⋯" in the gutter. Every line of code ends in a newline.
// It keeps the line rule.
func Diff(hunks []Hunk, lang string) (code template.HTML, gutter string) {
	d := drawing{
		language: highlight.Lookup(lang), code: maxCode, marks: maxMarked, crlf: isCRLF(hunks),
		hunkMemory: hunkMemories.Get().(*hunkMemory),
	}
	defer d.hunkMemory.release()
	d.b.Grow(2 * sizeOf(hunks))
	for i, h := range hunks {
		if i > 0 {
			d.b.WriteByte('\n')
			d.number("⋯")
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

// A mark is a changed part of a line, in bytes after the sign.
type mark struct{ start, end int }

// pairs compares the deleted lines of each change with the added ones that follow, in order, and returns the marks of
// each line of the hunk.
func (d *drawing) pairs(lines []string) map[int][]mark {
	var all map[int][]mark
	for i := 0; i < len(lines); {
		if lines[i][0] != '-' {
			i++
			continue
		}
		del := signed(lines, &i, '-')
		ins := signed(lines, &i, '+')
		for k := range min(len(del), len(ins)) {
			a, b := lines[del[k]][1:], lines[ins[k]][1:]
			size := len(a) + len(b)
			if len(a) > maxLine || len(b) > maxLine || size > d.marks {
				continue
			}
			d.marks -= size
			if ma, mb := d.words.changes(a, b); ma != nil || mb != nil {
				if all == nil {
					all = make(map[int][]mark)
				}
				all[del[k]], all[ins[k]] = ma, mb
			}
		}
	}
	return all
}

// signed returns the lines from *i on that start with sign, and moves *i after them. A "\ No newline" line does not end
// a change.
func signed(lines []string, i *int, sign byte) (at []int) {
	for ; *i < len(lines) && (lines[*i][0] == sign || lines[*i][0] == '\\'); *i++ {
		if lines[*i][0] == sign {
			at = append(at, *i)
		}
	}
	return at
}

// A wordDiff compares lines by words. It reuses its memory for the next pair.
type wordDiff struct {
	ids    map[string]rune // the number of each word
	size   []int           // how many bytes of each word are not blank
	count  []int           // how often each word is in a
	wa, wb []int           // starts of the words
	ra, rb []rune          // their numbers
}

// changes returns the parts of a and b that differ, by words. If less than two fifths are the same, the lines are
// unrelated and have no marks.
func (d *wordDiff) changes(a, b string) (ma, mb []mark) {
	if d.ids == nil {
		d.ids = make(map[string]rune, 64)
	}
	clear(d.ids)
	d.size, d.count = d.size[:0], d.count[:0]
	d.wa, d.wb = words(d.wa[:0], a), words(d.wb[:0], b)
	d.ra, d.rb = d.numbers(d.ra[:0], a, d.wa), d.numbers(d.rb[:0], b, d.wb)
	total := letters(a) + letters(b)
	// The common words, in whatever order, are an upper bound. It is cheap to compute, and most pairs of lines are
	// unrelated.
	if total == 0 || 2*d.common()*5 < total*2 {
		return nil, nil
	}
	edits := lcs.DiffRunes(d.ra, d.rb)
	same := total
	for _, e := range edits {
		same -= letters(a[offset(d.wa, e.Start, a):offset(d.wa, e.End, a)])
		same -= letters(b[offset(d.wb, e.ReplStart, b):offset(d.wb, e.ReplEnd, b)])
	}
	if same*5 < total*2 {
		return nil, nil
	}
	for _, e := range edits {
		ma = merge(ma, a, mark{offset(d.wa, e.Start, a), offset(d.wa, e.End, a)})
		mb = merge(mb, b, mark{offset(d.wb, e.ReplStart, b), offset(d.wb, e.ReplEnd, b)})
	}
	return ma, mb
}

// common returns how many bytes, without blanks, the words have that are in both lines.
func (d *wordDiff) common() int {
	for range d.size {
		d.count = append(d.count, 0)
	}
	for _, id := range d.ra {
		d.count[id]++
	}
	n := 0
	for _, id := range d.rb {
		if d.count[id] > 0 {
			d.count[id]--
			n += d.size[id]
		}
	}
	return n
}

// merge adds m; marks with only blanks between them become one.
func merge(all []mark, s string, m mark) []mark {
	if m.start == m.end {
		return all
	}
	if n := len(all); n > 0 && strings.Trim(s[all[n-1].end:m.start], " \t") == "" {
		all[n-1].end = m.end
		return all
	}
	return append(all, m)
}

// words appends to starts the offsets of the words of s: runs of letters and digits, runs of blanks, and single other
// characters.
func words(starts []int, s string) []int {
	last := 0
	for i, r := range s {
		kind := 3
		switch {
		case r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' || r == '_',
			r >= 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			kind = 1
		case r == ' ' || r == '\t':
			kind = 2
		}
		if kind != last || kind == 3 {
			starts = append(starts, i)
		}
		last = kind
	}
	return starts
}

// offset returns where word i of s starts; after the last word, the end.
func offset(starts []int, i int, s string) int {
	if i < len(starts) {
		return starts[i]
	}
	return len(s)
}

// numbers appends to r the number of each word of s. Equal words have the same number.
func (d *wordDiff) numbers(r []rune, s string, starts []int) []rune {
	for i, start := range starts {
		w := s[start:offset(starts, i+1, s)]
		id, ok := d.ids[w]
		if !ok {
			id = rune(len(d.ids))
			d.ids[w] = id
			d.size = append(d.size, letters(w))
		}
		r = append(r, id)
	}
	return r
}

// letters counts the bytes that are not blank.
func letters(s string) int {
	return len(s) - strings.Count(s, " ") - strings.Count(s, "\t")
}

// writePatch draws a patch from a chat, which has headers, and sometimes lacks the blank before equal lines. It is not
// highlighted, because it seldom contains whole constructs.
func writePatch(b *strings.Builder, patch string) {
	highlight.Lookup("diff").Spans(patch, func(class byte, start, end int) {
		for line := range strings.Lines(patch[start:end]) {
			writePatchLine(b, class, line)
		}
	})
}

func writePatchLine(b *strings.Builder, class byte, line string) {
	l, ended := strings.CutSuffix(line, "\n")
	switch class {
	case 'i':
		b.WriteString("<ins>")
		escape(b, l[1:], false)
		b.WriteString("</ins>")
	case 'd':
		b.WriteString("<del>")
		escape(b, l[1:], false)
		b.WriteString("</del>")
	case 0:
		escape(b, rest(l), false)
	default:
		open, shut := element(class)
		b.WriteString(open)
		escape(b, l, false)
		b.WriteString(shut)
	}
	if ended {
		b.WriteByte('\n')
	}
}
