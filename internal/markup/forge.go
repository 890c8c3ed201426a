package markup

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"viewer/internal/console"
)

// Forge changes Markdown of a transcript so that it can be part of Markdown that a forge (GitHub, GitLab, Gitea) draws.
// The result closes what it opens, contains no HTML, loads no picture, and has headings of level 3 to 6 only. It
// mentions nobody and refers to nothing: a name after @ is in backticks, and "#12" contains a zero-width character. The
// rest is unchanged.
//
// A text for which this is impossible is shown as source, in a [Fence]: one with a link that would run code, or one
// that takes too long to parse.
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

// forge makes the changes and checks the result. It returns false if the parser of some forge could still read it in
// another way.
func forge(src string) (done string, ok bool) {
	defer func() {
		if recover() != nil { // the parser
			recovered.Add(1)
			ok = false
		}
	}()
	// Escaping HTML may uncover Markdown, which a forge may in turn read as HTML.
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
	return src, len(forgeEdits([]byte(src))) == 0 && closed(src) && runsNothing([]byte(src)) && isCodeToAll([]byte(src))
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
			continue // inside the previous edit; the next round finds it again
		}
		b.WriteString(src[done:e.at])
		b.WriteString(e.with)
		done = e.end
	}
	b.WriteString(src[done:])
	return b.String()
}

// forgeEdits returns the necessary changes.
func forgeEdits(src []byte) []edit {
	r := reading{src: src, code: make([]bool, len(src))}
	_ = ast.Walk(markdownGrammar.parse(src), r.node)
	for i, c := range src {
		switch {
		case r.code[i]:
		case c == '<':
			r.edits = append(r.edits, tag(src, i))
		case c == '!' && i+1 < len(src) && src[i+1] == '[' && !escapedAt(src, i):
			r.edits = append(r.edits, edit{i, i + 1, `\!`})
		case c == ':' && hasForeignScheme(src[:i]):
			r.edits = append(r.edits, edit{i, i, joiner})
		}
	}
	r.edits = append(r.edits, foreignTargets(src, r.code)...)
	if r.spans { // some parsers forget where a span of code begins when they look for the end of a link
		for _, i := range r.brackets {
			r.edits = append(r.edits, edit{i, i, `\`})
		}
	}
	return r.edits
}

// A reading is how one parser reads a text.
type reading struct {
	src       []byte
	code      []bool // whether each byte is code
	spans     bool   // a span of code holds a "<"
	inAddress bool   // such a span follows an address without a blank, which some take for a part of it
	indented  bool   // code without a fence holds a "<"
	contains  bool   // there are lists, quotes or footnotes: what is indented may belong to them
	brackets  []int  // offsets of opening brackets that are text
	edits     []edit
}

// endsInAddress reports whether the word at the end of a text may be an address that is a link without brackets.
func endsInAddress(before []byte) bool {
	before = bytes.TrimRight(bytes.TrimSuffix(before, []byte(" ")), "`")
	word := bytes.ToLower(before[bytes.LastIndexAny(before, " \t\n")+1:])
	return bytes.Contains(word, []byte("://")) || bytes.Contains(word, []byte("www.")) ||
		bytes.IndexByte(word, '@') >= 0
}

func (r *reading) node(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		if n.Info != nil {
			for i := n.Info.Segment.Start; i < n.Info.Segment.Stop; i++ {
				if r.src[i] == '|' { // for some parsers the head of a table
					r.edits = append(r.edits, edit{i, i + 1, "&#124;"})
				}
			}
		}
		r.lines(n)
	case *ast.CodeBlock:
		r.lines(n)
		r.indented = r.indented || bytes.IndexByte(n.Lines().Value(r.src), '<') >= 0
	case *ast.List, *ast.Blockquote, *extast.Footnote:
		r.contains = true
	case *ast.CodeSpan:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				r.mark(t.Segment)
				if bytes.IndexByte(r.src[t.Segment.Start:t.Segment.Stop], '<') >= 0 {
					r.spans = true
					r.inAddress = r.inAddress || endsInAddress(r.src[:t.Segment.Start])
				}
			}
		}
		return ast.WalkSkipChildren, nil
	case *ast.Heading:
		if e, ok := demote(r.src, n); ok {
			r.edits = append(r.edits, e)
		}
	case *ast.Text:
		for i := n.Segment.Start; i < n.Segment.Stop; i++ {
			if r.src[i] == '[' && !escapedAt(r.src, i) {
				r.brackets = append(r.brackets, i)
			}
		}
		r.edits = append(r.edits, calls(r.src, n.Segment)...)
	}
	return ast.WalkContinue, nil
}

func (r *reading) lines(n ast.Node) {
	for i := range n.Lines().Len() {
		r.mark(n.Lines().At(i))
	}
}

func (r *reading) mark(s text.Segment) {
	for i := s.Start; i < s.Stop; i++ {
		r.code[i] = true
	}
}

// isCodeToAll reports whether each piece of code with a "<" in it is also code to other parsers, whatever text comes
// before it: parsers with fewer extensions, and those that are known to differ.
func isCodeToAll(src []byte) bool {
	if doc := markdownGrammar.parse(src); doc.FirstChild() != nil &&
		doc.FirstChild().Kind() == ast.KindCodeBlock {
		return false // after a list it belongs to the list
	}
	if bytes.IndexByte(src, '<') < 0 {
		return true
	}
	for _, g := range []parser.Parser{commonMark, withoutFootnotes} {
		r := reading{src: src, code: make([]bool, len(src))}
		_ = ast.Walk(g.Parse(text.NewReader(src)), r.node)
		for i, c := range src {
			if c == '<' && !r.code[i] || r.inAddress || r.indented && r.contains {
				return false
			}
		}
	}
	return true
}

// Parsers with fewer extensions.
var (
	commonMark       = goldmark.DefaultParser()
	withoutFootnotes = goldmark.New(goldmark.WithExtensions(dialect{})).Parser()
)

// address matches an address in angle brackets that all parsers read as an address.
var address = regexp.MustCompile(`^<((?:https?://|mailto:)[A-Za-z0-9@:/?#=%+,.-]+)>`)

// tag escapes a "<", because parsers disagree: what is a target in brackets for one is a tag for another. Only an
// address stays a link, in a form that all of them read alike.
func tag(src []byte, i int) edit {
	if m := address.FindSubmatch(src[i:]); m != nil && Link(string(m[1])) != "" {
		return edit{i, i + len(m[0]), fmt.Sprintf("[%s](%[1]s)", m[1])}
	}
	return edit{i, i + 1, "&lt;"}
}

// demote lowers a heading below those of the document around it. An underlined heading has no level to change; it
// stays.
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

// calls finds the places of a text where a forge would mention a user, link a reference, or run a quick action.
func calls(src []byte, s text.Segment) []edit {
	var edits []edit
	for i := s.Start; i < s.Stop; i++ {
		switch c := src[i]; {
		case c == '&':
			// A forge resolves character references before it looks for names.
			n, chars := reference(string(src[i:min(s.Stop, i+longestReference)]))
			if n > 0 && strings.Contains("@#!/:-", chars) {
				edits = append(edits, edit{i, i + 1, "&amp;"})
			}
			i += max(0, n-1)
		case c == '/' && isQuickAction(src, i):
			edits = append(edits, edit{i, i, `\`})
		case isReference(src[:s.Stop], i):
			edits = append(edits, edit{i + 1, i + 1, joiner})
		case c != '@' || i+1 == len(src) || !isName(src[i+1]) || i > 0 && isName(src[i-1]) && src[i-1] != '-':
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

// longestReference is more than the length of any character reference in bytes.
const longestReference = 40

// isReference reports whether the character at i begins a number that a forge links to an issue or a merge request,
// which notifies its readers: "#12", "a/b#12", "!12", "GH-12".
func isReference[T string | []byte](s T, i int) bool {
	if i+1 == len(s) || s[i+1] < '0' || s[i+1] > '9' {
		return false
	}
	switch s[i] {
	case '#':
		return true
	case '!':
		return i == 0 || s[i-1] != '!'
	case '-':
		return i >= 2 && s[i-2]|0x20 == 'g' && s[i-1]|0x20 == 'h' && (i == 2 || !isName(s[i-3]))
	}
	return false
}

// isQuickAction reports whether the slash at i begins a line that GitLab would execute: "/close".
func isQuickAction(src []byte, i int) bool {
	if i+1 == len(src) || src[i+1]|0x20 < 'a' || src[i+1]|0x20 > 'z' {
		return false
	}
	before := bytes.TrimRight(src[:i], " \t")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

// foreignSchemes are the schemes besides http, https and mailto that forges turn into links in plain text.
var foreignSchemes = []string{"ftp", "xmpp"}

// hasForeignScheme reports whether the colon after a text ends one of them.
func hasForeignScheme[T string | []byte](before T) bool {
	for _, scheme := range foreignSchemes {
		at := len(before) - len(scheme)
		if at >= 0 && strings.EqualFold(string(before[at:]), scheme) { // whatever is before it
			return true
		}
	}
	return false
}

// destination matches what precedes the target of a link or of a link definition, for any parser.
var destination = regexp.MustCompile(`\](?:\(|:)[\s\p{Z}]*`)

// foreignTargets returns edits for targets with a scheme that is not allowed: a character before them makes them paths
// in the repository.
func foreignTargets(src []byte, code []bool) []edit {
	var edits []edit
	for _, at := range destination.FindAllIndex(src, -1) {
		rest := src[at[1]:]
		if end := bytes.IndexAny(rest, " \t\n)"); end >= 0 {
			rest = rest[:end]
		}
		if !code[at[0]] && (isForeign(string(rest)) || isForeign(unescape(string(rest)))) {
			edits = append(edits, edit{at[1], at[1], joiner})
		}
	}
	return edits
}

// joiner has no width and is not a letter: a forge does not recognize a name after it.
const joiner = "\u2060"

func isName(c byte) bool { return c == '_' || c == '-' || isAlphaNumeric(c) }

func isAlphaNumeric(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// escapedAt reports whether a backslash escapes the character at i.
func escapedAt(src []byte, i int) bool {
	n := 0
	for n < i && src[i-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// closed reports whether all fences of a text end, so that following text is not part of them.
func closed(src string) bool {
	const probe = "probe"
	all := []byte(src + "\n\n" + probe + "\n")
	last := markdownGrammar.parse(all).LastChild()
	for last != nil && (last.Kind() == ast.KindLinkReferenceDefinition || last.Kind() == extast.KindFootnoteList) {
		last = last.PreviousSibling()
	}
	p, ok := last.(*ast.Paragraph)
	return ok && p.Lines().Len() == 1 && strings.TrimSpace(string(p.Lines().Value(all))) == probe
}

// runsNothing reports whether every link, used or not, has an allowed scheme or leads to a place in the same document
// or repository.
func runsNothing(src []byte) bool {
	fine := true
	look := func(destination []byte) {
		fine = fine && !isForeign(string(destination)) && !isForeign(unescape(string(destination)))
	}
	_ = ast.Walk(markdownGrammar.parse(src), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Link:
			look(n.Destination)
		case *ast.LinkReferenceDefinition:
			look(n.Destination)
		case *ast.AutoLink:
			look(n.URL(src))
		}
		return ast.WalkContinue, nil
	})
	return fine
}

// isForeign reports whether a target has a scheme that is not allowed.
func isForeign(target string) bool {
	scheme, _, ok := strings.Cut(strings.Map(func(r rune) rune { // browsers ignore some characters between letters
		if r <= ' ' || hidden(r) {
			return -1
		}
		return r
	}, target), ":")
	if !ok || !isScheme(scheme) {
		return false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto": // forges handle malformed ones
		return false
	}
	return true
}

// isScheme reports whether a browser reads the text before a colon as a scheme.
func isScheme(s string) bool {
	for i := range len(s) {
		letter := s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z'
		if !letter && (i == 0 || !(s[i] >= '0' && s[i] <= '9' || s[i] == '+' || s[i] == '.' || s[i] == '-')) {
			return false
		}
	}
	return s != ""
}
