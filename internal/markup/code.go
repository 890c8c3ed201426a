package markup

import (
	"html/template"
	"strings"

	"viewer/internal/markup/highlight"
)

// maxCode is how many bytes of a block are highlighted; the rest is plain. Highlighting doubles the size of a page, and
// few people read more than this closely.
const maxCode = 64 << 10

// Code highlights src. lang is a fence word ("go"), a file name or path ("cmd/main.go") or an extension (".go"). If it
// is "" or unknown, src is only escaped. The text of the result is src. It keeps the line rule.
func Code(src, lang string) template.HTML {
	language := highlight.Lookup(lang)
	if language == nil {
		return Text(src)
	}
	src = lineEnds(src)
	var b strings.Builder
	b.Grow(len(src) + len(src)*3/4)
	writeCode(&b, src, language)
	return template.HTML(b.String())
}

// writeCode draws src, which lineEnds has normalized, with classes up to the limit.
func writeCode(b *strings.Builder, src string, language *highlight.Language) {
	end := lineStartBefore(src, maxCode) // so that no token is split
	language.Spans(src[:end], func(class byte, start, end int) { writeSpan(b, src[start:end], class) })
	escapeValid(b, src[end:], false)
}

// writeSpan writes s, which is UTF-8, with one element for each line.
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

// element returns the tags for a token of a class. With spans that name their class, a fifth of a page would be tags.
// So common classes have short elements, which the style sheet styles. Only elements without a meaning for screen
// readers are used, and not <em>, <ins> and <del>, which diffs use.
func element(class byte) (open, shut string) {
	switch class {
	case 'k':
		return "<i>", "</i>"
	case 's':
		return "<u>", "</u>"
	case 't':
		return "<var>", "</var>"
	case 'n':
		return "<b>", "</b>"
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
