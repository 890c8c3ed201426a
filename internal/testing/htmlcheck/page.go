package htmlcheck

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// A page is the result of one walk over the tree of a page: its ids, its links, and its own findings.
type page struct {
	name     string
	options  Options
	ids      map[string]int
	links    []link
	findings []string

	heading  int // level of the last heading, 0 before the first
	h1       int
	policies int
	loads    bool // something is loaded before the policy
	charset  bool
	title    bool

	labelled map[string]bool // ids of elements with a <label for> that has text
	controls []place         // elements that need a name; checked when all labels are known
	refs     []reference
}

// A place is an element and the nearest id around it, for findings.
type place struct {
	n    *html.Node
	near string
}

// A reference is an attribute that names other elements of its page.
type reference struct {
	at   place
	attr string
	id   string
}

// ancestry says what follows for an element from its ancestors.
type ancestry struct {
	near      string // nearest id
	inSession bool   // its text is from a session
	prose     bool   // its text is Markdown of a session, which may have headings
	hidden    bool   // by aria-hidden
	label     bool   // inside a <label> that has a text
}

func readPage(name string, data []byte, o Options) (*page, error) {
	root, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	p := &page{name: name, options: o, ids: map[string]int{}, labelled: map[string]bool{}}
	if o.ForeignMarkup {
		p.findings = foreignIn(name, root, false)
	}
	p.walk(root, ancestry{})
	p.finish()
	p.nesting(data)
	return p, nil
}

func (p *page) find(near, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if near != "" {
		text += " (near #" + near + ")"
	}
	p.findings = append(p.findings, p.name+": "+text)
}

func (p *page) walk(n *html.Node, in ancestry) {
	switch n.Type {
	case html.TextNode:
		p.text(n.Data, in)
	case html.ElementNode:
		if id, ok := attr(n, "id"); ok {
			p.ids[id]++
			in.near = id
		}
		in.inSession = in.inSession || saysTranscript(n)
		in.prose = in.prose || hasClass(n, "prose")
		if v, _ := attr(n, "aria-hidden"); v == "true" {
			in.hidden = true
		}
		in.label = in.label || n.Data == "label" && accessibleText(n) != ""
		p.element(n, in)
		p.attributes(n, in)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		p.walk(c, in)
	}
}

func (p *page) element(n *html.Node, in ancestry) {
	at := place{n, in.near}
	switch n.Data {
	case "html":
		if lang, _ := attr(n, "lang"); strings.TrimSpace(lang) == "" {
			p.find("", "<html> has no lang: say which language the page is in")
		}
	case "title":
		if n.Namespace == "" {
			p.title = p.title || Text(n) != ""
		}
	case "meta":
		p.meta(n)
	case "h1", "h2", "h3", "h4", "h5", "h6":
		p.headingAt(n, int(n.Data[1]-'0'), in)
	case "script":
		p.loads = true
		if _, ok := attr(n, "src"); !ok || n.FirstChild != nil {
			p.find(in.near, "inline <script>: the policy forbids it; put it into the script file")
		}
	case "style":
		p.find(in.near, "inline <style>: the policy forbids it; put it into the stylesheet")
	case "link":
		p.loads = true
	case "base", "iframe", "frame", "object", "embed", "applet":
		p.find(in.near, "%s: the policy forbids this element", tag(n))
	case "label":
		if id, ok := attr(n, "for"); ok && accessibleText(n) != "" {
			p.labelled[id] = true
		}
	case "input":
		if kind, _ := attr(n, "type"); kind != "hidden" && !in.label {
			p.controls = append(p.controls, at)
		}
	case "select", "textarea":
		if !in.label {
			p.controls = append(p.controls, at)
		}
	case "button", "summary":
		p.controls = append(p.controls, at)
	case "a":
		if _, ok := attr(n, "href"); ok && !in.hidden {
			p.controls = append(p.controls, at)
		}
	case "img":
		if _, ok := attr(n, "alt"); !ok {
			p.find(in.near, "%s has no alt", tag(n))
		}
	case "svg":
		p.svg(n, in)
	}
}

func (p *page) meta(n *html.Node) {
	if _, ok := attr(n, "charset"); ok {
		p.charset = true
	}
	kind, _ := attr(n, "http-equiv")
	switch content, _ := attr(n, "content"); {
	case strings.EqualFold(kind, "content-security-policy"):
		p.policies++
		if content != Policy {
			p.find("", "the content policy is\n\t%s\nwant\n\t%s", content, Policy)
		}
		if p.loads {
			p.find("", "the content policy comes after something that is loaded: it must be before all <script> and <link>")
		}
	case strings.EqualFold(kind, "refresh"):
		p.find("", "%s: a page does not move by itself", tag(n))
	}
}

func (p *page) headingAt(n *html.Node, level int, in ancestry) {
	if level == 1 {
		p.h1++
	}
	if p.options.TranscriptText && in.prose {
		return // headings in Markdown of a session may have any level
	}
	if level > p.heading+1 {
		before := "no heading"
		if p.heading > 0 {
			before = fmt.Sprintf("<h%d>", p.heading)
		}
		p.find(in.near, "<h%d> %q follows %s: a level is skipped", level, brief(Text(n)), before)
	}
	p.heading = level
}

func (p *page) svg(n *html.Node, in ancestry) {
	if in.hidden {
		return
	}
	role, _ := attr(n, "role")
	named := false
	for c := range n.ChildNodes() {
		named = named || c.Data == "title" && Text(c) != ""
	}
	if role != "img" && role != "group" || !named {
		p.find(in.near, `%s: wants aria-hidden="true", or role="img" (role="group" with links inside) and a <title>`, tag(n))
	}
}

// finish makes the checks that need the whole page.
func (p *page) finish() {
	for _, id := range slices.Sorted(maps.Keys(p.ids)) {
		if n := p.ids[id]; n > 1 {
			p.find("", "the id %s is there %d times", id, n)
		}
	}
	for _, r := range p.refs {
		if p.ids[r.id] == 0 {
			p.find(r.at.near, "%s: %s names %s, which no element has as its id", tag(r.at.n), r.attr, r.id)
		}
	}
	for _, c := range p.controls {
		if !p.named(c.n) {
			p.find(c.near, "%s has no accessible name: give it a text, a <label> or an aria-label", tag(c.n))
		}
	}
	if p.h1 != 1 {
		p.find("", "the page has %d <h1>, want 1", p.h1)
	}
	if p.policies != 1 {
		p.find("", "the page has %d content policies, want 1: <meta http-equiv=\"Content-Security-Policy\" content=\"%s\">", p.policies, Policy)
	}
	if !p.charset {
		p.find("", "the page has no <meta charset>: from disk, a browser would guess")
	}
	if !p.title {
		p.find("", "the page has no <title>")
	}
}

// named reports whether a control has an accessible name. A placeholder does not count.
func (p *page) named(n *html.Node) bool {
	for _, name := range []string{"aria-label", "aria-labelledby", "title"} {
		if v, _ := attr(n, name); strings.TrimSpace(v) != "" {
			return true
		}
	}
	if id, ok := attr(n, "id"); ok && p.labelled[id] {
		return true
	}
	switch n.Data {
	case "input":
		kind, _ := attr(n, "type")
		value, _ := attr(n, "value")
		return (kind == "submit" || kind == "button" || kind == "reset") && value != ""
	case "select", "textarea":
		return false
	}
	return accessibleText(n) != ""
}

// accessibleText returns the text below n that assistive technology reads, including names of pictures.
func accessibleText(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode {
			if v, _ := attr(n, "aria-hidden"); v == "true" {
				return
			}
			if v, _ := attr(n, "aria-label"); v != "" {
				b.WriteString(v)
			}
			if v, _ := attr(n, "alt"); v != "" {
				b.WriteString(v)
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		walk(c)
	}
	return strings.TrimSpace(b.String())
}

// tag returns the start tag of an element, as findings show it.
func tag(n *html.Node) string {
	var b strings.Builder
	b.WriteString("<" + n.Data)
	for _, a := range n.Attr {
		fmt.Fprintf(&b, " %s=%q", a.Key, brief(a.Val))
	}
	return b.String() + ">"
}

func brief(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
