package markup

import (
	"bytes"
	"html/template"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"viewer/internal/markup/highlight"
)

// Typed draws what a person typed as Markdown, without losing the source. The HTML has each character of the text, in
// order, and the markup ("**", "# ", "](http://…)") is in <s>, which pages hide. So the text of the elements is the
// source, and a page shows it by showing <s>. The result belongs in an element that keeps line ends.
//
// Not everything that looks like Markdown is meant as such. These stay as typed: "#tag", "*.go", "**/x", "2*3*4",
// "__init__", indented lines, ordered lists of one item, "===" below a line, HTML, escapes, references, footnotes,
// pictures, links that [Link] refuses.
//
// ok is false if nothing in the text is Markdown, or if it cannot be drawn this way.
func Typed(text string) (h template.HTML, ok bool) {
	text = newlines(text)
	if !strings.ContainsAny(text, "#*_`-+>|[~/0123456789") || !isAffordable(text) {
		return "", false
	}
	defer func() {
		if recover() != nil {
			recovered.Add(1)
			h, ok = "", false
		}
	}()
	return drawTyped(text)
}

func drawTyped(src string) (template.HTML, bool) {
	t := typed{prose: prose{src: []byte(src), source: src, code: 2 * maxCode, targets: 4*len(src) + 4096,
		hasRightToLeft: strings.ContainsFunc(src, isRightToLeft)}}
	t.b.Grow(len(src) + len(src)/4)
	doc := typedGrammar.parse(t.src)
	t.single = doc.ChildCount() == 1
	t.children(doc)
	t.gap(len(src))
	if t.failed || !t.drawn || t.b.Len() > maxProseHTML && t.b.Len() > 3*len(src) {
		return "", false
	}
	return template.HTML(t.b.String()), true
}

// typedGrammar has the parts of Markdown that people mean when they type them.
var typedGrammar = newGrammar(func(addresses []util.PrioritizedValue) parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(append([]util.PrioritizedValue{
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(typedEmphasis{parser.NewEmphasisParser()}, 500),
		}, addresses...)...),
		parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
})

// typedEmphasis is emphasis, except in names and patterns.
type typedEmphasis struct{ parser.InlineParser }

func (e typedEmphasis) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	run := len(line) - len(bytes.TrimLeft(line, string(line[:1])))
	before, after := block.PrecendingCharacter(), byte(' ')
	if run < len(line) {
		after = line[run]
	}
	isWord := before == '_' || before > ' ' && before < 0x80 && util.IsAlphaNumeric(byte(before))
	switch {
	case isWord && (util.IsAlphaNumeric(after) || after == '_'), // 2*3*4, snake_case
		line[0] == '_' && run > 1,                     // __init__
		after == '.' || after == '/' || before == '/', // *.go, **/x, src/*
		after == '=' || after == ',' && before <= ' ': // *=
		return nil
	}
	return e.InlineParser.Parse(parent, block, pc)
}

// A typed is the drawing of one text that somebody typed.
type typed struct {
	prose
	at     int  // source[:at] is drawn
	depth  int  // number of lists and quotes around this place
	plain  int  // if above 0, everything is left as typed
	inText bool // after the first characters of a paragraph
	inPara bool
	single bool // the text is one block
	drawn  bool // something is drawn that is not as typed
	failed bool
}

func (t *typed) children(n ast.Node) {
	for c := n.FirstChild(); c != nil && !t.failed; c = c.NextSibling() {
		if c.Type() == ast.TypeInline {
			t.inline(c)
		} else {
			t.block(c)
		}
	}
}

// within draws the children of n in an element. attributes start with a blank.
func (t *typed) within(n ast.Node, element, attributes string) {
	if t.plain > 0 {
		t.children(n)
		return
	}
	t.drawn = t.drawn || element != "p"
	t.b.WriteString("<" + element + attributes + ">")
	t.children(n)
	t.b.WriteString("</" + element + ">")
}

// mark draws the source up to a place as markup.
func (t *typed) mark(to int) {
	if to > t.at {
		t.b.WriteString("<s>")
		t.text(t.source[t.at:to])
		t.b.WriteString("</s>")
		t.at = to
	}
}

// show draws the source up to a place as text.
func (t *typed) show(to int) {
	if to < t.at || to > len(t.source) {
		t.failed = true
		return
	}
	t.text(t.source[t.at:to])
	t.at = to
}

// isMark reports whether s has only characters of Markdown markup.
func isMark(s string) bool { return strings.Trim(s, " \t\n#>*_`~-+|:[]!.)0123456789") == "" }

// gap draws the source between the last text and the next one, which begins at to: markup, and in a paragraph the line
// ends and, outside of lists and quotes, indentation.
func (t *typed) gap(to int) {
	if to < t.at || to > len(t.source) {
		t.failed = true
		return
	}
	s := t.source[t.at:to]
	if t.plain > 0 || !isMark(s) {
		t.show(to)
		return
	}
	if !t.inPara {
		t.mark(to)
		return
	}
	for t.inText {
		end := strings.IndexByte(t.source[t.at:to], '\n')
		if end < 0 {
			break
		}
		t.mark(t.at + end)
		t.show(t.at + 1)
	}
	if t.depth == 0 {
		last := t.at + strings.LastIndexByte(t.source[t.at:to], '\n') + 1
		if s = t.source[last:to]; last == 0 || t.source[last-1] == '\n' {
			t.mark(last)
			t.show(to - len(strings.TrimLeft(s, " \t")))
		}
	}
	t.mark(to)
}

// leaf draws a part of the source that people read.
func (t *typed) leaf(s *text.Segment) {
	t.gap(s.Start)
	if !t.failed {
		t.show(s.Stop)
		t.inText = true
	}
}

func (t *typed) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		t.leaf(&n.Segment)
	case *ast.CodeSpan:
		t.within(n, "code", "")
	case *ast.Emphasis:
		if n.Level == 2 {
			t.within(n, "strong", "")
		} else {
			t.within(n, "em", "")
		}
	case *ast.Link:
		t.link(n, n.Destination, Link(target(n.Destination)))
	case *ast.Image:
		t.link(n, n.Destination, "")
	case *ast.AutoLink:
		t.address(n)
	default:
		t.children(n)
	}
}

// link draws "[words](target)".
func (t *typed) link(n ast.Node, destination []byte, href string) {
	open := strings.IndexByte(t.source[t.at:], '[')
	if open < 0 || !isMark(t.source[t.at:t.at+open]) {
		t.failed = true
		return
	}
	if href == "" || t.inLink || t.plain > 0 {
		t.gap(t.at + open)
		t.plain++
		t.children(n)
		t.show(max(t.at, t.at+linkEnd(t.source[t.at:])))
		t.plain--
		return
	}
	t.gap(t.at + open)
	t.drawn = true
	end := t.open(destination, nil)
	t.children(n)
	if stop := linkEnd(t.source[t.at:]); stop > 0 {
		t.mark(t.at + stop)
	}
	t.shut(end)
}

// linkEnd returns where "](target)" ends in s, after markup; 0 if s does not begin that way.
func linkEnd(s string) int {
	i := strings.Index(s, "](")
	if i < 0 || !isMark(s[:i]) {
		return 0
	}
	depth := 0
	for i++; i < len(s) && s[i] != '\n'; i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// address draws an address that is in the text.
func (t *typed) address(n *ast.AutoLink) {
	label := n.Label(t.src)
	i := strings.Index(t.source[t.at:], string(label))
	if i < 0 || !isMark(t.source[t.at:t.at+i]) {
		t.failed = true
		return
	}
	url := n.URL(t.src)
	if n.AutoLinkType == ast.AutoLinkEmail || t.inLink || t.plain > 0 || Link(target(url)) == "" {
		t.leaf(&text.Segment{Start: t.at + i, Stop: t.at + i + len(label)})
		return
	}
	t.gap(t.at + i)
	t.drawn = true
	end := t.open(url, nil)
	t.leaf(&text.Segment{Start: t.at, Stop: t.at + len(label)})
	t.shut(end)
}

func (t *typed) block(n ast.Node) {
	t.inText, t.inPara = false, false
	switch n := n.(type) {
	case *ast.Paragraph:
		t.inPara = true
		if t.single && t.depth == 0 {
			t.children(n)
		} else {
			t.within(n, "p", "")
		}
	case *ast.CodeBlock: // as typed
		t.inPara = true
		if t.plain == 0 {
			t.b.WriteString("<p>")
			defer t.b.WriteString("</p>")
		}
		for i := range n.Lines().Len() {
			s := n.Lines().At(i)
			t.leaf(&s)
		}
	case *ast.TextBlock:
		t.inPara = true
		t.children(n)
	case *ast.Heading:
		t.within(n, "h"+strconv.Itoa(t.rank(n.Level)), ` class="h`+strconv.Itoa(n.Level)+`"`)
	case *ast.ThematicBreak:
		if t.plain == 0 {
			t.b.WriteString("<hr>")
			t.drawn = true
		}
	case *ast.FencedCodeBlock:
		t.fence(n)
	case *ast.Blockquote:
		t.depth++
		t.directed(n, func(dir string) { t.within(n, "blockquote", dir) })
		t.depth--
	case *ast.List:
		t.directed(n, func(dir string) { t.list(n, dir) })
	case *extast.Table:
		t.directed(n, func(dir string) { t.table(n, dir) })
	default:
		t.children(n)
	}
	t.inText, t.inPara = false, false
}

func (t *typed) list(n *ast.List, dir string) {
	// A line that happens to begin with a number.
	isAccident := n.IsOrdered() && n.ChildCount() == 1
	if isAccident {
		t.plain++
	}
	t.depth++
	element, attributes := "ul", dir
	if n.IsOrdered() {
		element = "ol"
		if n.Start != 1 {
			attributes = ` start="` + strconv.Itoa(n.Start) + `"` + dir
		}
	}
	if t.plain == 0 {
		t.b.WriteString("<" + element + attributes + ">")
		t.drawn = true
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t.within(c, "li", "")
	}
	if t.plain == 0 {
		t.b.WriteString("</" + element + ">")
	}
	t.depth--
	if isAccident {
		t.plain--
	}
}

func (t *typed) fence(n *ast.FencedCodeBlock) {
	lines := n.Lines()
	if lines.Len() == 0 || t.plain > 0 {
		return // the next text draws it
	}
	first, last := lines.At(0), lines.At(lines.Len()-1)
	info := ""
	if n.Info != nil {
		info = strings.TrimSpace(string(n.Info.Segment.Value(t.src)))
	}
	if open := strings.TrimSuffix(strings.TrimSpace(t.source[t.at:max(t.at, first.Start)]), info); isMark(open) &&
		isFenceWord(info) {
		t.mark(first.Start)
	} else {
		t.gap(first.Start)
	}
	if t.failed {
		return
	}
	t.drawn = true
	language := highlight.Lookup(info)
	if wordyFence[strings.ToLower(info)] {
		t.b.WriteString(`<pre class="code wrap"><code>`)
	} else if language != nil && isFenceWord(info) {
		t.b.WriteString(`<pre class="code" data-lang="` + info + `"><code>`)
	} else {
		t.b.WriteString(`<pre class="code"><code>`)
	}
	code := strings.TrimSuffix(t.lines(n), "\n")
	stop := last.Stop
	if stop > first.Start && t.source[stop-1] == '\n' {
		stop--
	}
	if t.code -= len(code); t.code >= 0 && language != nil && code == t.source[first.Start:max(first.Start, stop)] {
		writeCode(&t.b, code, language)
		t.at = stop
	} else {
		for i := range lines.Len() {
			s := lines.At(i)
			t.mark(max(t.at, s.Start))
			t.show(min(s.Stop, stop))
		}
	}
	t.b.WriteString("</code></pre>")
}

// wordyFence has the languages of fences with prose, whose lines are as long as paragraphs.
var wordyFence = map[string]bool{"markdown": true, "md": true, "mdx": true, "text": true, "txt": true,
	"plaintext": true}

// table draws a table. The source between its cells is part of the cells.
func (t *typed) table(n *extast.Table, dir string) {
	if t.plain > 0 {
		t.children(n)
		return
	}
	t.drawn = true
	t.b.WriteString(`<div class="table"><table` + dir + `>`)
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cell := "td"
		if _, isHead := row.(*extast.TableHeader); isHead {
			cell = "th"
		}
		t.b.WriteString("<tr>")
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			t.within(c, cell, alignment(c))
		}
		t.b.WriteString("</tr>")
	}
	t.b.WriteString("</table></div>")
}
