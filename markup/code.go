package markup

import (
	"html/template"
	"strings"
)

// maxCode is how many bytes of a block are highlighted; the rest is plain.
// Spans double the size of a page, and nobody reads more with care.
const maxCode = 64 << 10

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
	b.Grow(len(src) + len(src)*3/4)
	writeCode(&b, src, scan)
	return template.HTML(b.String())
}

// writeCode draws src, which has been through lineEnds, as far as it is within
// the limit with classes.
func writeCode(b *strings.Builder, src string, scan scanner) {
	end := lineStartBefore(src, maxCode) // so that no token is cut in two
	p := painter{src: src, put: func(class byte, start, end int) { writeSpan(b, src[start:end], class) }}
	p.run(scan, end)
	p.flush()
	escapeValid(b, src[p.end:], false)
}

// A span is the part of a text of one class, from the end of the span before.
type span struct {
	class byte // 0 for none
	end   int
}

// highlight appends the spans of src to spans. They cover src, which has been
// through lineEnds and is within the limit.
func highlight(spans []span, src string, scan scanner) []span {
	p := painter{src: src, put: func(class byte, _, end int) { spans = append(spans, span{class, end}) }}
	p.run(scan, len(src))
	p.flush()
	if p.end < len(src) {
		spans = append(spans, span{0, len(src)})
	}
	return spans
}

// A painter hands on what a scanner tells, with neighbours of one class, and the
// blanks between two of one class, made one span.
type painter struct {
	src string
	put func(class byte, start, end int)

	class     byte // of src[start:stop], which is not handed on yet
	start     int
	stop, end int // src[stop:end] is blanks that may belong to it
}

// run paints src[:end]. A scanner that panics leaves the rest plain.
func (p *painter) run(scan scanner, end int) {
	defer func() { _ = recover() }()
	if end > 0 {
		scan(p.src[:end], func(class byte, at int) { p.emit(class, min(at, end)) })
	}
}

func (p *painter) emit(class byte, end int) {
	switch {
	case end <= p.end:
	case class == p.class:
		p.stop, p.end = end, end
	case class == 0 && blank(p.src[p.end:end]):
		p.end = end
	default:
		from := p.stop
		if class != 0 || from == p.end {
			p.flush()
			from = p.end
		} else {
			p.put(p.class, p.start, p.stop)
		}
		p.class, p.start, p.stop, p.end = class, from, end, end
	}
}

// flush hands on all that was told.
func (p *painter) flush() {
	if p.start < p.stop {
		p.put(p.class, p.start, p.stop)
	}
	if p.stop < p.end {
		p.put(0, p.stop, p.end)
	}
	p.class, p.start, p.stop = 0, p.end, p.end
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

// writeSpan writes s, which is UTF-8, with an element a line.
func writeSpan(b *strings.Builder, s string, class byte) {
	if class == 0 {
		escapeValid(b, s, false)
		return
	}
	for s != "" {
		line, rest, more := strings.Cut(s, "\n")
		s = rest
		if line != "" {
			open, shut := element(class)
			b.WriteString(open)
			escapeValid(b, line, false)
			b.WriteString(shut)
		}
		if more {
			b.WriteByte('\n')
		}
	}
}

// element is what stands around a token of a class. Every fifth byte of a page would be tags of tokens if all were spans that name
// their class, so the classes that are common have short elements of their own, whose looks the style sheet sets:
// only such as mean nothing to a screen reader. Inside of a diff <b>, <ins> and <del> are taken.
func element(class byte) (open, shut string) {
	switch class {
	case 'k':
		return "<i>", "</i>"
	case 's':
		return "<u>", "</u>"
	case 't':
		return "<var>", "</var>"
	case 'n':
		return "<samp>", "</samp>"
	case 'f':
		return "<kbd>", "</kbd>"
	case 'c':
		return "<small>", "</small>"
	case 'p':
		return "<cite>", "</cite>"
	case 'd':
		return `<span class="d">`, "</span>"
	case 'i':
		return `<span class="i">`, "</span>"
	}
	return `<span class="h">`, "</span>"
}
