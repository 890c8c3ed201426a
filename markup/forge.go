package markup

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"viewer/console"
)

// Forge makes Markdown of a transcript fit to stand inside Markdown that a
// forge (GitHub, GitLab, Gitea) draws: what it opens it also closes, it holds
// no HTML and loads no picture, its headings are level 3 to 6, and it calls
// nobody: a name behind @ is in backticks. The rest stays as it was written.
//
// A text for which that cannot be had is shown as source, in a [Fence]: one
// that links to what runs, or that is too long to parse.
func Forge(src string) string {
	src = strings.Trim(replaceHidden(newlines(src)), "\n")
	if strings.TrimSpace(src) == "" {
		return ""
	}
	if !isAffordable(src) {
		return Fence(src, "markdown")
	}
	done, ok := forge(src)
	if !ok {
		return Fence(src, "markdown")
	}
	return console.Text(done)
}

// fenceAt finds lines that may begin or end a fence.
var fenceAt = regexp.MustCompile("(?m)^ {0,3}(`{3,}|~{3,})")

// forge changes what has to be changed and looks at the result again: a place
// that the parser of a forge could read in another way is left to the fence.
func forge(src string) (done string, ok bool) {
	defer func() {
		if recover() != nil { // the parser
			ok = false
		}
	}()
	// Escaping the HTML of a text may uncover Markdown in it, of which some is HTML to a forge.
	for range 4 {
		edits := forgeEdits([]byte(src))
		if len(edits) == 0 {
			break
		}
		src = applyEdits(src, edits)
	}
	if !closed(src) {
		src = closeFence(src)
	}
	return src, len(forgeEdits([]byte(src))) == 0 && closed(src) && runsNothing([]byte(src))
}

// closeFence ends the fence that a text ends in.
func closeFence(src string) string {
	tried := make(map[string]bool)
	fences := fenceAt.FindAllStringSubmatch(src, -1)
	for i := len(fences) - 1; i >= 0 && len(tried) < 8; i-- {
		fence := fences[i][1]
		if !tried[fence] && closed(src+"\n"+fence) {
			return src + "\n" + fence
		}
		tried[fence] = true
	}
	return src
}

// An edit replaces bytes of a source.
type edit struct {
	at, end int
	with    string
}

func applyEdits(src string, edits []edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	done := 0
	for _, e := range edits {
		if e.at < done {
			continue // inside the one before; the next round finds it again
		}
		b.WriteString(src[done:e.at])
		b.WriteString(e.with)
		done = e.end
	}
	b.WriteString(src[done:])
	return b.String()
}

// forgeEdits finds what may not stay as it is.
func forgeEdits(src []byte) []edit {
	var edits []edit
	code := make([]bool, len(src)) // what is no place for a picture
	mark := func(s text.Segment) {
		for i := s.Start; i < s.Stop; i++ {
			code[i] = true
		}
	}
	tags := func(s text.Segment) {
		for i := s.Start; i < s.Stop; i++ {
			if src[i] == '<' {
				edits = append(edits, edit{i, i + 1, "&lt;"})
			}
		}
	}
	_ = ast.Walk(grammar.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				tags(n.Segments.At(i))
			}
		case *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				tags(n.Lines().At(i))
			}
			if n.HasClosure() {
				tags(n.ClosureLine)
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				mark(n.Lines().At(i))
			}
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					mark(t.Segment)
				}
			}
			return ast.WalkSkipChildren, nil
		case *ast.Heading:
			if e, ok := demote(src, n); ok {
				edits = append(edits, e)
			}
		case *ast.Text:
			edits = append(edits, mentions(src, n.Segment)...)
		}
		return ast.WalkContinue, nil
	})
	for at := 0; ; at++ {
		i := bytes.Index(src[at:], []byte("!["))
		if i < 0 {
			return edits
		}
		if at += i; !code[at] && !escapedAt(src, at) {
			edits = append(edits, edit{at, at + 1, `\!`})
		}
	}
}

// demote puts a heading below those of the document that it is part of.
// A heading that is underlined has no level to add to; it stays.
func demote(src []byte, h *ast.Heading) (edit, bool) {
	if h.Level > 2 || h.Lines().Len() == 0 {
		return edit{}, false
	}
	at := h.Lines().At(0).Start
	for at > 0 && (src[at-1] == ' ' || src[at-1] == '\t') {
		at--
	}
	if at == 0 || src[at-1] != '#' {
		return edit{}, false
	}
	return edit{at, at, "##"}, true
}

// mentions finds the places of a text where a forge would call somebody.
func mentions(src []byte, s text.Segment) []edit {
	var edits []edit
	for i := s.Start; i < s.Stop; i++ {
		switch {
		case src[i] == '&':
			// An entity is a character before the forge looks for names.
			for _, at := range []string{"&#64;", "&#x40;", "&commat;", "&#064;"} {
				if len(src)-i >= len(at) && strings.EqualFold(string(src[i:i+len(at)]), at) {
					edits = append(edits, edit{i, i + 1, "&amp;"})
				}
			}
		case src[i] != '@' || i+1 == len(src) || !isName(src[i+1]) || i > 0 && isName(src[i-1]) && src[i-1] != '-':
		default:
			end := i + 1
			for end < s.Stop && (isName(src[end]) || src[end] == '/') {
				end++
			}
			if i > 0 && (src[i-1] == '`' || src[i-1] == '\\') || end < len(src) && src[end] == '`' {
				edits = append(edits, edit{i + 1, i + 1, joiner})
			} else {
				edits = append(edits, edit{i, end, "`" + string(src[i:end]) + "`"})
			}
			i = end - 1
		}
	}
	return edits
}

// joiner has no width and is no letter: a name behind it is none to a forge.
const joiner = "\u2060"

func isName(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// escapedAt says whether a backslash takes the meaning from the character at i.
func escapedAt(src []byte, i int) bool {
	n := 0
	for n < i && src[i-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// closed says whether what follows a text is not part of it: all its fences end.
func closed(src string) bool {
	const probe = "probe"
	all := []byte(src + "\n\n" + probe + "\n")
	last := grammar.Parse(text.NewReader(all)).LastChild()
	for last != nil && (last.Kind() == ast.KindLinkReferenceDefinition || last.Kind() == extast.KindFootnoteList) {
		last = last.PreviousSibling()
	}
	p, ok := last.(*ast.Paragraph)
	return ok && p.Lines().Len() == 1 && strings.TrimSpace(string(p.Lines().Value(all))) == probe
}

// runsNothing says whether every link leads to what a browser shows or to a
// place in the same document or repository.
func runsNothing(src []byte) bool {
	fine := true
	look := func(target string) {
		scheme, _, ok := strings.Cut(target, ":")
		if ok && !strings.ContainsAny(scheme, "/?#.") && Link(target) == "" {
			switch strings.ToLower(strings.TrimSpace(scheme)) {
			case "http", "https", "mailto", "ftp": // a forge knows what to do with a bad one
			default:
				fine = false
			}
		}
	}
	_ = ast.Walk(grammar.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Link:
			look(string(n.Destination))
		case *ast.AutoLink:
			look(string(n.URL(src)))
		}
		return ast.WalkContinue, nil
	})
	return fine
}

// ForgeLine is plain text on one line of Markdown: nothing in it is markup,
// and it calls nobody.
func ForgeLine(s string) string {
	s = strings.Join(strings.Fields(replaceHidden(s)), " ")
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\', '`', '*', '_', '[', ']', '|', '~', '$':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '@':
			b.WriteByte(c)
			if i+1 < len(s) && isName(s[i+1]) && (i == 0 || !isName(s[i-1])) {
				b.WriteString(joiner)
			}
		case '#', '+', '-', '=':
			if i == 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		case '.', ')':
			if i > 0 && (i+1 == len(s) || s[i+1] == ' ') && strings.Trim(s[:i], "0123456789") == "" {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// ForgeCell is ForgeCode in a table, which ends a cell at a pipe even inside of code.
func ForgeCell(s string) string { return ForgeCode(strings.ReplaceAll(s, "|", `\|`)) }

// ForgeCode is one line of code inside Markdown, "" for nothing. Its characters stand as they are, so
// it may not stand in a table.
func ForgeCode(s string) string {
	s = strings.Join(strings.Fields(replaceHidden(s)), " ")
	if s == "" {
		return ""
	}
	ticks := strings.Repeat("`", longestRun(s, '`', 0)+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		return ticks + " " + s + " " + ticks
	}
	return ticks + s + ticks
}

// ForgeHTML is plain text on one line of HTML that stands in Markdown, as a
// <summary> does; it calls nobody.
func ForgeHTML(s string) string {
	var b strings.Builder
	escape(&b, strings.Join(strings.Fields(replaceHidden(s)), " "), true)
	s = b.String()
	for i := len(s) - 2; i >= 0; i-- {
		if s[i] == '@' && isName(s[i+1]) && (i == 0 || !isName(s[i-1])) {
			s = s[:i+1] + joiner + s[i+1:]
		}
	}
	return console.Text(s)
}

// Fence is code between fences that are longer than any inside. lang is what
// the first line says of it; what could not stand there is left out.
func Fence(code, lang string) string {
	lang = strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (isName(byte(r)) || r == '+' || r == '#' || r == '.') {
			return r
		}
		return -1
	}, lang)
	code = console.Text(strings.TrimRight(replaceHidden(newlines(code)), " \t\n"))
	ticks := strings.Repeat("`", longestRun(code, '`', 2)+1)
	return ticks + lang + "\n" + code + "\n" + ticks
}

// longestRun is the length of the longest run of c in s, at least least.
func longestRun(s string, c byte, least int) int {
	run := 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		least = max(least, run)
	}
	return least
}

// replaceHidden replaces what a reader would not see but feel by U+FFFD, see hidden.
func replaceHidden(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r == '\r' || r == unicode.ReplacementChar || hidden(r) }) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case hidden(r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
