package markup

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"viewer/internal/markup/highlight"
)

// Markdown renders transcript Markdown: GitHub's dialect with footnotes. Every id begins with anchor and "-"
// ("k3f9a1-fn1"), so that the ids of two messages on a page differ; without anchor nothing gets an id.
//
// Differences from GitHub:
//   - HTML in the text is shown as text.
//   - Links must be accepted by [Link]. Any other, such as "#part" or "src/a.go", is text with the target as its title.
//   - Pictures are links with the words "image: alt".
//   - Headings have class h1 to h6 for their size. The outermost is an <h3> and no level is skipped, because the page
//     has its own outline.
//   - Tables are in <div class="table">; cells have class r (right) or m
//     (middle). Tasks are <li class="task"> with ☐ or ☑ in a span.
//   - Fenced code is drawn by [Code], or by [Diff] if its word is diff.
//   - Definitions of links and footnotes that nothing refers to are shown.
//
// A text that could not be parsed in time proportional to its size is drawn as plain text, in <div class="text">; see
// parseCost. So is one whose HTML would be large and more than three times as long as the text, and one that has only
// references to footnotes.
func Markdown(text, anchor string) template.HTML { return markdown(text, anchor, false) }

// Answer is [Markdown] for text of a model: line ends are kept, because models write lists of checks and verses that
// way.
func Answer(text, anchor string) template.HTML { return markdown(text, anchor, true) }

func markdown(text, anchor string, keepsLines bool) template.HTML {
	text = newlines(text)
	if !isAffordable(text) || isFootnotes(text) {
		return plainProse(text)
	}
	return draw(text, anchor, keepsLines)
}

// plainProse draws a text that is not parsed.
func plainProse(text string) template.HTML {
	return `<div class="text">` + Text(text) + "</div>\n"
}

// isFootnotes reports whether a text consists of references to footnotes, which cost ten times as much as other text.
func isFootnotes(text string) bool {
	const many, apart = 64, 16
	n := strings.Count(text, "[^")
	return n > many && n*apart > len(text)
}

// newlines replaces every line end of Markdown, including \r, by a newline.
func newlines(s string) string {
	s = lineEnds(s)
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	return s
}

// markdownGrammar is that of Markdown. The renderer of goldmark is not used, because it omits HTML, loads pictures and
// writes style attributes.
var markdownGrammar = newGrammar(func(addresses []util.PrioritizedValue) parser.Parser {
	md := goldmark.New(goldmark.WithExtensions(dialect{addresses}, extension.Footnote))
	md.Parser().AddOptions(parser.WithASTTransformers(
		// It runs before the transformer of footnotes, which drops those without reference.
		util.Prioritized(keepFootnotes{}, 1),
	))
	return md.Parser()
})

// keepFootnotes restores footnotes without reference as paragraphs.
type keepFootnotes struct{}

func (keepFootnotes) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		list, ok := n.(*extast.FootnoteList)
		if !ok {
			continue
		}
		for c := list.FirstChild(); c != nil; {
			next := c.NextSibling()
			if note := c.(*extast.Footnote); note.Index < 0 {
				p := ast.NewParagraph()
				p.AppendChild(p, ast.NewString([]byte("[^"+string(note.Ref)+"]:")))
				doc.InsertBefore(doc, list, p)
				for b := note.FirstChild(); b != nil; b = note.FirstChild() {
					note.RemoveChild(note, b)
					doc.InsertBefore(doc, list, b)
				}
			}
			c = next
		}
	}
}

// draw parses and draws text. If the parser panics, the text is drawn as plain text.
func draw(src, anchor string, keepsLines bool) (h template.HTML) {
	defer func() {
		if recover() != nil {
			recovered.Add(1)
			h = plainProse(src)
		}
	}()
	p := prose{src: []byte(src), source: src, anchor: anchor, keepsLines: keepsLines, code: 2 * maxCode,
		targets: 4*len(src) + 4096, hasRightToLeft: strings.ContainsFunc(src, isRightToLeft)}
	p.b.Grow(len(src) + len(src)/2)
	p.doc = markdownGrammar.parse(p.src)
	p.children(p.doc)
	if n := p.b.Len(); n > maxProseHTML && n > 3*len(src) {
		return plainProse(src)
	}
	return template.HTML(p.b.String())
}

// maxProseHTML limits the size of HTML that is much larger than its text, as of ten thousand nested quotes, or of
// references to one footnote.
const maxProseHTML = 96 << 10

// A prose draws one text. Each block ends in a newline.
type prose struct {
	b          strings.Builder
	src        []byte
	source     string // the same
	doc        ast.Node
	anchor     string
	keepsLines bool            // line ends of the text are kept on the page
	inLink     bool            // no link in a link
	used       map[string]bool // labels of definitions that are referred to

	hasRightToLeft bool // some letter of the text
	rightToLeft    bool // the direction of the lists, quotes and tables around this place

	code     int   // bytes of code that may still be highlighted
	targets  int   // bytes of targets that may still be written: one definition may be used by thousands of links
	headings []int // levels of the headings around this place, the outermost first
}

// rank returns the level of a heading on the page: h3 for the outermost, and one more for each heading that it is
// below, so that no level is skipped whatever the text does. Its class sets the size.
func (p *prose) rank(level int) int {
	for n := len(p.headings); n > 0 && p.headings[n-1] >= level; n-- {
		p.headings = p.headings[:n-1]
	}
	p.headings = append(p.headings, level)
	return min(2+len(p.headings), 6)
}

func (p *prose) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		p.node(c)
	}
}

// within draws the children of n in an element. attributes start with a blank.
func (p *prose) within(n ast.Node, element, attributes, end string) {
	p.b.WriteByte('<')
	p.b.WriteString(element)
	p.b.WriteString(attributes)
	p.b.WriteByte('>')
	p.children(n)
	p.b.WriteString("</")
	p.b.WriteString(element)
	p.b.WriteByte('>')
	p.b.WriteString(end)
}

// segment returns a part of the source.
func (p *prose) segment(s *text.Segment) string {
	if s.Padding == 0 && !s.ForceNewline {
		return p.source[s.Start:s.Stop]
	}
	return string(s.Value(p.src))
}

func (p *prose) node(n ast.Node) {
	if n.Type() == ast.TypeInline {
		p.inline(n)
	} else {
		p.block(n)
	}
}

func (p *prose) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text: // the most frequent
		value := p.segment(&n.Segment)
		if !n.IsRaw() {
			value = unescape(value)
		}
		p.text(value)
		switch {
		case n.HardLineBreak():
			p.b.WriteString("<br>\n")
		case n.SoftLineBreak() && p.keepsLines:
			p.b.WriteString("\n<br>") // a copy as Markdown tells it from a hard line break by the place of the newline
		case n.SoftLineBreak():
			p.b.WriteByte('\n')
		}
	case *ast.String:
		p.text(string(n.Value))
	case *ast.CodeSpan:
		p.b.WriteString("<code>")
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				p.text(strings.ReplaceAll(p.segment(&t.Segment), "\n", " "))
			}
		}
		p.b.WriteString("</code>")
	case *ast.Emphasis:
		if n.Level == 2 {
			p.within(n, "strong", "", "")
		} else {
			p.within(n, "em", "", "")
		}
	case *extast.Strikethrough:
		p.within(n, "del", "", "")
	case *ast.Link:
		end := p.open(n.Destination, n.Title)
		p.children(n)
		p.shut(end)
	case *ast.Image:
		p.image(n)
	case *ast.AutoLink:
		p.autolink(n)
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			s := n.Segments.At(i)
			p.text(p.segment(&s))
		}
	case *extast.TaskCheckBox:
		if n.IsChecked {
			p.b.WriteString(`<span role="img" aria-label="done">☑</span> `)
		} else {
			p.b.WriteString(`<span role="img" aria-label="to do">☐</span> `)
		}
	case *extast.FootnoteLink:
		p.footnoteLink(n)
	case *extast.FootnoteBacklink:
		p.footnoteBacklink(n)
	default:
		p.children(n)
	}
}

func (p *prose) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Paragraph:
		p.within(n, "p", "", "\n")
	case *ast.TextBlock:
		p.children(n)
		if n.NextSibling() != nil {
			p.b.WriteByte('\n')
		}
	case *ast.Heading:
		p.within(n, "h"+strconv.Itoa(p.rank(n.Level)), ` class="h`+strconv.Itoa(n.Level)+`"`, "\n")
	case *ast.ThematicBreak:
		p.b.WriteString("<hr>\n")
	case *ast.FencedCodeBlock:
		p.fence(string(n.Language(p.src)), p.lines(n))
	case *ast.CodeBlock:
		p.fence("", p.lines(n))
	case *ast.Blockquote:
		p.directed(n, func(dir string) { p.within(n, "blockquote", dir, "\n") })
	case *ast.List:
		p.directed(n, func(dir string) {
			switch {
			case !n.IsOrdered():
				p.within(n, "ul", dir, "\n")
			case n.Start != 1:
				p.within(n, "ol", ` start="`+strconv.Itoa(n.Start)+`"`+dir, "\n")
			default:
				p.within(n, "ol", dir, "\n")
			}
		})
	case *ast.ListItem:
		if isTask(n) {
			p.within(n, "li", ` class="task"`, "\n")
		} else {
			p.within(n, "li", "", "\n")
		}
	case *ast.HTMLBlock:
		s := p.lines(n)
		if n.HasClosure() {
			s += string(n.ClosureLine.Value(p.src))
		}
		p.b.WriteString(`<p class="text">`)
		p.text(strings.TrimRight(s, "\n"))
		p.b.WriteString("</p>\n")
	case *ast.LinkReferenceDefinition:
		p.definition(n)
	case *extast.Table:
		p.directed(n, func(dir string) { p.table(n, dir) })
	case *extast.FootnoteList:
		p.b.WriteString(`<div class="footnotes" role="doc-endnotes">` + "\n")
		p.within(n, "ol", "", "</div>\n")
	case *extast.Footnote:
		p.within(n, "li", p.id("fn", n.Index, 0), "\n")
	default:
		p.children(n)
	}
}

// text writes a part of the source, which is UTF-8.
func (p *prose) text(s string) { escapeValid(&p.b, s, false) }

// lines returns the source of a block that is not parsed further.
func (p *prose) lines(n ast.Node) string {
	lines := n.Lines()
	if lines.Len() == 0 {
		return ""
	}
	// Lines that are not in a list or a quote follow each other.
	first, last := lines.At(0), lines.At(lines.Len()-1)
	size, whole := 0, true
	for i := range lines.Len() {
		s := lines.At(i)
		size += s.Stop - s.Start
		whole = whole && s.Padding == 0 && !s.ForceNewline
	}
	if whole && size == last.Stop-first.Start {
		return p.source[first.Start:last.Stop]
	}
	var b strings.Builder
	b.Grow(size + lines.Len())
	for i := range lines.Len() {
		s := lines.At(i)
		b.WriteString(p.segment(&s))
	}
	return b.String()
}

// fence draws code. word is the first word of a fence, "" for indented code.
func (p *prose) fence(word, code string) {
	code = strings.TrimSuffix(code, "\n")
	if p.code -= len(code); p.code < 0 {
		word = "" // lexers of chroma are slow: the rest of the text is plain
	}
	switch strings.ToLower(word) {
	case "diff", "patch", "udiff":
		p.b.WriteString(`<pre class="code diff"><code>`)
		writePatch(&p.b, code)
	default:
		language := highlight.Lookup(word)
		if language != nil && isFenceWord(word) {
			p.b.WriteString(`<pre class="code" data-lang="` + word + `"><code>`)
		} else {
			p.b.WriteString(`<pre class="code"><code>`)
		}
		if language != nil {
			writeCode(&p.b, code, language)
		} else {
			p.text(code)
		}
	}
	p.b.WriteString("</code></pre>\n")
}

// isFenceWord reports whether a word may be written to an attribute, which is used when the code is copied.
func isFenceWord(word string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+#._-"
	return len(word) <= 20 && strings.Trim(word, allowed) == ""
}

func isTask(item *ast.ListItem) bool {
	block := item.FirstChild()
	if block == nil {
		return false
	}
	_, ok := block.FirstChild().(*extast.TaskCheckBox)
	return ok
}

// table draws rows as wide as the parser made them, which is the width of the head: parseCost limits the product.
func (p *prose) table(n *extast.Table, dir string) {
	p.b.WriteString("<div class=\"table\"><table" + dir + ">\n")
	body := false
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cell, head := "td", false
		if _, head = row.(*extast.TableHeader); head {
			cell = "th"
			p.b.WriteString("<thead>\n")
		} else if !body {
			body = true
			p.b.WriteString("<tbody>\n")
		}
		p.b.WriteString("<tr>")
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			p.within(c, cell, alignment(c), "")
		}
		p.b.WriteString("</tr>\n")
		if head {
			p.b.WriteString("</thead>\n")
		}
	}
	if body {
		p.b.WriteString("</tbody>\n")
	}
	p.b.WriteString("</table></div>\n")
}

// definition draws the definition of a link that nothing refers to.
func (p *prose) definition(n *ast.LinkReferenceDefinition) {
	if p.used == nil {
		p.used = make(map[string]bool)
		note := func(r *ast.ReferenceLink) {
			if r != nil {
				p.used[util.ToLinkReference(r.Value)] = true
			}
		}
		_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			switch n := n.(type) {
			case *ast.Link:
				note(n.Reference)
			case *ast.Image:
				note(n.Reference)
			}
			return ast.WalkContinue, nil
		})
	}
	if p.used[util.ToLinkReference(n.Label)] {
		return
	}
	p.b.WriteString("<p>")
	p.text("[" + string(n.Label) + "]: " + string(n.Destination))
	if len(n.Title) > 0 {
		p.text(` "` + string(n.Title) + `"`)
	}
	p.b.WriteString("</p>\n")
}

// id returns the id of a place on the page as an attribute, " id=…".
func (p *prose) id(kind string, index, ref int) string {
	if p.anchor == "" {
		return ""
	}
	var b strings.Builder
	attribute(&b, "id", p.place(kind, index, ref))
	return b.String()
}

func (p *prose) place(kind string, index, ref int) string {
	s := p.anchor + "-" + kind + strconv.Itoa(index)
	if ref > 0 {
		s += "." + strconv.Itoa(ref)
	}
	return s
}

func (p *prose) footnoteLink(n *extast.FootnoteLink) {
	index := strconv.Itoa(n.Index)
	p.b.WriteString("<sup")
	if n.RefIndex < maxBackLinks {
		p.b.WriteString(p.id("ref", n.Index, n.RefIndex))
	}
	p.b.WriteString(">")
	if p.anchor == "" || p.inLink {
		p.b.WriteString(index)
	} else {
		p.b.WriteString("<a")
		attribute(&p.b, "href", "#"+p.place("fn", n.Index, 0))
		p.b.WriteString(` role="doc-noteref">` + index + "</a>")
	}
	p.b.WriteString("</sup>")
}

// maxBackLinks limits how many links back a note has.
const maxBackLinks = 20

func (p *prose) footnoteBacklink(n *extast.FootnoteBacklink) {
	if p.anchor == "" || n.RefIndex >= maxBackLinks {
		return
	}
	p.b.WriteString(" <a")
	attribute(&p.b, "href", "#"+p.place("ref", n.Index, n.RefIndex))
	p.b.WriteString(` role="doc-backlink" aria-label="back to the text">↩</a>`)
}

// alignment returns the class of a cell of a table as an attribute, "" for the default.
func alignment(cell ast.Node) string {
	if c, ok := cell.(*extast.TableCell); ok {
		switch c.Alignment {
		case extast.AlignRight:
			return ` class="r"`
		case extast.AlignCenter:
			return ` class="m"`
		}
	}
	return ""
}
