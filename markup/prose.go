package markup

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// This file draws the inline parts of Markdown that are not just an element:
// links, pictures, escapes.

// target is the destination of a link as Markdown means it: without
// backslashes, entities resolved, and percent-encoded where a URL needs it.
func target(destination []byte) string {
	return string(util.URLEscape([]byte(unescape(destination)), false))
}

// open starts a link to target, or a span with the target as its title when it
// is none, and returns what closes it.
func (p *prose) open(target, title string) (end string) {
	if p.targets -= len(target) + len(title); p.targets < 0 {
		return ""
	}
	href := Link(target)
	if p.inLink {
		href = ""
	}
	if href == "" {
		if title = target; title == "" {
			return ""
		}
		p.b.WriteString("<span")
		attribute(&p.b, "title", title)
		p.b.WriteByte('>')
		return "</span>"
	}
	p.b.WriteString("<a")
	attribute(&p.b, "href", href)
	if title != "" {
		attribute(&p.b, "title", title)
	}
	p.b.WriteString(linkAttributes + ">")
	p.inLink = true
	return "</a>"
}

// shut ends what open started.
func (p *prose) shut(end string) {
	p.b.WriteString(end)
	if end == "</a>" {
		p.inLink = false
	}
}

func (p *prose) link(n ast.Node, target, title string) {
	end := p.open(target, title)
	p.children(n)
	p.shut(end)
}

// image draws a picture as what it is called. Nothing is loaded: a picture
// from elsewhere tells its server who reads.
func (p *prose) image(n *ast.Image) {
	end := p.open(target(n.Destination), unescape(n.Title))
	if n.FirstChild() == nil {
		p.text("image")
	} else {
		p.text("image: ")
		outer := p.inLink
		p.inLink = true // no link in a description
		p.children(n)
		p.inLink = outer
	}
	p.shut(end)
}

func (p *prose) autolink(n *ast.AutoLink) {
	url := string(util.URLEscape(n.URL(p.src), false))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(url), "mailto:") {
		url = "mailto:" + url
	}
	if Link(url) == "" {
		// The text is the target.
		p.text(string(n.Label(p.src)))
		return
	}
	end := p.open(url, "")
	p.text(string(n.Label(p.src)))
	p.shut(end)
}

// unescape resolves the backslashes and character references of Markdown.
func unescape(s []byte) string {
	i := 0
	for i < len(s) && s[i] != '\\' && s[i] != '&' {
		i++
	}
	if i == len(s) {
		return string(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	b.Write(s[:i])
	for i < len(s) {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			b.WriteByte(s[i+1])
			i += 2
		case c == '&':
			n, chars := reference(s[i:])
			if n == 0 {
				b.WriteByte('&')
				i++
				continue
			}
			b.WriteString(chars)
			i += n
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// reference reads the character reference that s starts with, as "&lt;" or
// "&#x3c;", and returns its length, 0 if there is none.
func reference(s []byte) (n int, chars string) {
	const longest = 33 // of the names of HTML
	numeric := len(s) > 2 && s[1] == '#'
	n = 1
	if numeric {
		n = 2
	}
	start := n
	for n < len(s) && n-start < longest && util.IsAlphaNumeric(s[n]) {
		n++
	}
	if n == len(s) || s[n] != ';' || n == start {
		return 0, ""
	}
	name := string(s[start:n])
	n++
	if !numeric {
		e, ok := util.LookUpHTML5EntityByName(name)
		if !ok {
			return 0, ""
		}
		return n, string(e.Characters)
	}
	base, most := rune(10), 7
	if name[0] == 'x' || name[0] == 'X' {
		base, most, name = 16, 6, name[1:]
	}
	if name == "" || len(name) > most {
		return 0, ""
	}
	r := rune(0)
	for _, c := range strings.ToLower(name) {
		d := strings.IndexRune("0123456789abcdef", c)
		if d < 0 || rune(d) >= base {
			return 0, ""
		}
		r = r*base + rune(d)
	}
	return n, string(r) // U+FFFD for what is no character
}
