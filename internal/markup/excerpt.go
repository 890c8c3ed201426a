package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// Excerpt returns the text of Markdown without its markup, for titles and outlines: one line of at most n characters
// (runes), the last of which is "…" if there is more. It is text, not HTML. A character that [Text] would show by its
// number is U+FFFD.
func Excerpt(text string, n int) string {
	if n <= 0 {
		return ""
	}
	// Parse only as much as is needed; the first part is nearly always enough.
	for size := 512 + 2*n; ; size *= 16 {
		part := text
		if len(part) > size {
			part = part[:size]
			if i := strings.LastIndexByte(part, '\n'); i > size/2 {
				part = part[:i]
			}
		}
		e := excerpt{left: n + 1}
		e.read(newlines(part))
		all := len(part) == len(text)
		if e.left > 0 && !all {
			continue
		}
		return e.String(n, all)
	}
}

// An excerpt collects words until it has enough.
type excerpt struct {
	b     strings.Builder
	src   []byte
	left  int  // runes still wanted
	space bool // a blank is due before the next word
}

func (e *excerpt) read(s string) {
	defer func() {
		if recover() != nil { // a panic of the parser; what was read before is valid
			recovered.Add(1)
		}
	}()
	if isPlain(s) || !isAffordable(s) {
		e.add(s)
		return
	}
	e.parse(s)
}

// isPlain reports whether Markdown has no markup, so that it need not be parsed: every line begins with a letter, and
// no character can begin markup inside a line. Addresses become links, which does not change the text.
func isPlain(s string) bool {
	if strings.ContainsAny(s, "\\`*_~[<&|") {
		return false
	}
	for line := range strings.Lines(s) {
		line = strings.TrimLeft(line, " \t\n")
		if line != "" && line[0] < utf8.RuneSelf && (line[0]|0x20 < 'a' || 'z' < line[0]|0x20) {
			return false
		}
	}
	return true
}

func (e *excerpt) parse(s string) {
	e.src = []byte(s)
	doc := markdownGrammar.parse(e.src)
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if e.left <= 0 {
			return ast.WalkStop, nil
		}
		_, cell := n.(*extast.TableCell)
		if n.Type() == ast.TypeBlock || cell {
			e.space = true
		}
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			value := string(n.Segment.Value(e.src))
			if !n.IsRaw() {
				value = unescape(value)
			}
			e.add(value)
			e.space = e.space || n.SoftLineBreak() || n.HardLineBreak()
		case *ast.String:
			e.add(string(n.Value))
		case *ast.AutoLink:
			e.add(string(n.Label(e.src)))
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				s := n.Segments.At(i)
				e.add(string(s.Value(e.src)))
			}
		case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				s := n.Lines().At(i)
				e.add(string(s.Value(e.src)))
			}
			if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
				e.add(string(h.ClosureLine.Value(e.src)))
			}
		}
		return ast.WalkContinue, nil
	})
}

func (e *excerpt) add(s string) {
	for _, r := range s {
		if unicode.IsSpace(r) {
			e.space = true
			continue
		}
		if e.left <= 0 {
			return
		}
		if e.space && e.b.Len() > 0 {
			e.b.WriteByte(' ')
			e.left--
		}
		e.space = false
		if hidden(r) {
			r = utf8.RuneError
		}
		e.b.WriteRune(r)
		e.left--
	}
}

// String returns at most n runes of what was read. all means that this is the whole text.
func (e *excerpt) String(n int, all bool) string {
	s := e.b.String()
	if all && utf8.RuneCountInString(s) <= n {
		return s
	}
	i, count := 0, 0
	for i = range s {
		if count == n-1 {
			break
		}
		count++
	}
	cut := s[:i]
	// No word is cut, unless it is long.
	if end := strings.LastIndexByte(cut, ' '); s[i] != ' ' && end > len(cut)*2/3 {
		cut = cut[:end]
	}
	return strings.TrimRight(cut, " ,:;") + "…"
}
