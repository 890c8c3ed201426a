package markup

import (
	"html/template"
	"strings"
)

// Limits of highlighting. Engines cost up to a second a megabyte, and some of
// their rules are quadratic in the length of a line; what is beyond a limit is
// drawn plain.
const (
	maxCode = 64 << 10 // bytes of one block
	maxLine = 2000     // bytes of one line
)

// A scanner tells the classes of src in order: emit(class, end) says that src,
// from where the last call ended up to end, is of class (0 for none). Ends may
// stand still but not go back. What follows the last end has no class.
//
// The engine of a language is a scanner; see language.
type scanner func(src string, emit func(class byte, end int))

// Code highlights src. lang is a fence word ("go"), a file name or path
// ("cmd/main.go") or an extension (".go"); with "" or an unknown one, src is
// escaped and has no classes. The text of the result is src. It keeps the line
// rule.
func Code(src, lang string) template.HTML {
	scan := language(lang)
	if scan == nil {
		return Text(src)
	}
	src = lineEnds(src)
	var b strings.Builder
	b.Grow(len(src) + len(src)/2)
	writeSpans(&b, src, highlight(src, scan))
	return template.HTML(b.String())
}

// A span is the part of a text of one class, from the end of the span before.
type span struct {
	class byte // 0 for none
	end   int
}

// highlight runs scan over the lines of src that are within the limits. The
// spans cover src. src has been through lineEnds.
func highlight(src string, scan scanner) []span {
	end := len(src)
	if end > maxCode {
		// At a line end, so that no token is cut in two.
		end = strings.LastIndexByte(src[:maxCode], '\n') + 1
	}
	p := painter{src: src, spans: make([]span, 0, end/8+1)}
	for start := 0; start < end; {
		stop, next := longLine(src[:end], start)
		p.run(scan, start, stop)
		p.emit(0, next)
		start = next
	}
	p.emit(0, len(src))
	return p.spans
}

// longLine finds the next line longer than maxLine: it is src[stop:next]; both
// are the end of src when there is none.
func longLine(src string, start int) (stop, next int) {
	for i := start; i < len(src); {
		n := strings.IndexByte(src[i:], '\n') + 1
		if n == 0 {
			n = len(src) - i
		}
		if n > maxLine {
			return i, i + n
		}
		i += n
	}
	return len(src), len(src)
}

// A painter collects spans, merges neighbours of one class, and blanks into
// the class around them.
type painter struct {
	src   string
	spans []span
	end   int
}

// run paints src[start:stop]. A scanner that panics leaves the rest plain.
func (p *painter) run(scan scanner, start, stop int) {
	defer func() {
		if recover() != nil {
			p.emit(0, stop)
		}
	}()
	if start < stop {
		scan(p.src[start:stop], func(class byte, end int) { p.emit(class, min(start+end, stop)) })
	}
	p.emit(0, stop)
}

func (p *painter) emit(class byte, end int) {
	if end <= p.end {
		return
	}
	if n := len(p.spans); n > 0 {
		last := &p.spans[n-1]
		if last.class == class {
			last.end, p.end = end, end
			return
		}
		if n > 1 && last.class == 0 && p.spans[n-2].class == class && blank(p.src[p.spans[n-2].end:last.end]) {
			p.spans = p.spans[:n-1]
			p.spans[n-2].end, p.end = end, end
			return
		}
	}
	p.spans = append(p.spans, span{class, end})
	p.end = end
}

// blank reports whether s is spaces of one line.
func blank(s string) bool {
	for i := range len(s) {
		if s[i] != ' ' && s[i] != '\t' {
			return false
		}
	}
	return true
}

// writeSpans writes src with an element a span and line.
func writeSpans(b *strings.Builder, src string, spans []span) {
	start := 0
	for _, s := range spans {
		part := src[start:s.end]
		start = s.end
		if s.class == 0 {
			escape(b, part, false)
			continue
		}
		for part != "" {
			line, rest, more := strings.Cut(part, "\n")
			if line != "" {
				openSpan(b, s.class)
				escape(b, line, false)
				b.WriteString("</span>")
			}
			if more {
				b.WriteByte('\n')
			}
			part = rest
		}
	}
	escape(b, src[start:], false)
}

func openSpan(b *strings.Builder, class byte) {
	b.WriteString(`<span class="`)
	b.WriteByte(class)
	b.WriteString(`">`)
}
