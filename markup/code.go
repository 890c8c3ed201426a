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
	spans := highlight(src, scan)
	var b strings.Builder
	b.Grow(len(src) + len(src)/32 + len(spans)*(len(`<span class="k">`)+len("</span>"))/2)
	writeSpans(&b, src, spans)
	return template.HTML(b.String())
}

// A span is the part of a text of one class, from the end of the span before.
type span struct {
	class byte // 0 for none
	end   int
}

// highlight runs scan over src, as far as it is within the limit. The spans
// cover src. src has been through lineEnds.
func highlight(src string, scan scanner) []span {
	end := lineStartBefore(src, maxCode) // so that no token is cut in two
	p := painter{src: src, spans: make([]span, 0, end/6+8)}
	p.run(scan, end)
	p.emit(0, len(src))
	return p.spans
}

// A painter collects spans, merges neighbours of one class, and blanks into
// the class around them.
type painter struct {
	src   string
	spans []span
	end   int
}

// run paints src[:end]. A scanner that panics leaves the rest plain.
func (p *painter) run(scan scanner, end int) {
	defer func() { _ = recover() }()
	if end > 0 {
		scan(p.src[:end], func(class byte, at int) { p.emit(class, min(at, end)) })
	}
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

// writeSpans writes src, which is UTF-8, with an element a span and line.
func writeSpans(b *strings.Builder, src string, spans []span) {
	start := 0
	for _, s := range spans {
		part := src[start:s.end]
		start = s.end
		if s.class == 0 {
			escapeValid(b, part, false)
			continue
		}
		for part != "" {
			line, rest, more := strings.Cut(part, "\n")
			part = rest
			if line != "" {
				openSpan(b, s.class)
				escapeValid(b, line, false)
				b.WriteString("</span>")
			}
			if more {
				b.WriteByte('\n')
			}
		}
	}
	escapeValid(b, src[start:], false)
}

func openSpan(b *strings.Builder, class byte) {
	const tag = `<span class="c">`
	at := strings.IndexByte(classes, class)
	if at < 0 {
		at = 0
	}
	b.WriteString(openTags[at*len(tag) : (at+1)*len(tag)])
}

// classes are those of code; openTags holds the tag of each, so that it is
// written at once.
const classes = "cdfhiknpst"

const openTags = `<span class="c"><span class="d"><span class="f"><span class="h"><span class="i">` +
	`<span class="k"><span class="n"><span class="p"><span class="s"><span class="t">`
