package markup

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// This file draws the inline parts of Markdown that are not just an element:
// links, pictures, escapes.

// target returns the destination of a link by the rules of Markdown: without backslashes, with entities resolved, and
// percent-encoded as a URL needs it.
func target(destination []byte) string {
	return string(util.URLEscape([]byte(unescape(string(destination))), false))
}

// open starts a link to a destination, or a span with the target as its title if it is not allowed, and returns the
// closing tag.
func (p *prose) open(destination, title []byte) (end string) {
	// Checked first: one definition of half a megabyte may be used by a hundred thousand links.
	if p.targets -= len(destination) + len(title); p.targets < 0 {
		return ""
	}
	target := target(destination)
	href := Link(target)
	if p.inLink {
		href = ""
	}
	if href == "" {
		if target == "" {
			return ""
		}
		p.b.WriteString("<span")
		attribute(&p.b, "title", target)
		p.b.WriteByte('>')
		return "</span>"
	}
	p.b.WriteString("<a")
	attribute(&p.b, "href", href)
	if len(title) > 0 {
		attribute(&p.b, "title", unescape(string(title)))
	}
	p.b.WriteString(linkAttributes + ">")
	p.inLink = true
	return "</a>"
}

// shut ends a link or span that open started.
func (p *prose) shut(end string) {
	p.b.WriteString(end)
	if end == "</a>" {
		p.inLink = false
	}
}

// image draws the description of a picture. Nothing is loaded: a picture from elsewhere would tell its server who
// reads.
func (p *prose) image(n *ast.Image) {
	end := p.open(n.Destination, n.Title)
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
	url := n.URL(p.src)
	if n.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(url), []byte("mailto:")) {
		url = append([]byte("mailto:"), url...)
	}
	label := string(n.Label(p.src))
	if Link(target(url)) == "" {
		// It is the target itself, or an XML name: <soap:Body>.
		if !strings.HasPrefix(label, "ftp:") {
			label = "<" + label + ">"
		}
		p.text(label)
		return
	}
	end := p.open(url, nil)
	p.text(label)
	p.shut(end)
}

// unescape resolves the backslashes and character references of Markdown.
func unescape(s string) string {
	i := strings.IndexByte(s, '\\')
	if n := strings.IndexByte(s, '&'); n >= 0 && (i < 0 || n < i) {
		i = n
	}
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
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

// reference reads the character reference that s starts with, such as "&lt;" or "&#x3c;", and returns its length, 0 if
// there is none.
func reference(s string) (n int, chars string) {
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
	name := s[start:n]
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
	return n, string(r) // U+FFFD for a noncharacter
}
