package htmlcheck

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// void elements have no end tag.
var void = setOf("area base br col embed hr img input link meta source track wbr")

// blocks are the elements whose start tag closes an open <p>. A block inside a <p> becomes its sibling, and the </p>
// after it creates an empty paragraph.
var blocks = setOf("address article aside blockquote details dialog div dl fieldset figcaption figure " +
	"footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul")

// nesting finds end tags that do not match. Browsers repair them silently, which can put the rest of the page into a
// folded section, or text into the wrong call.
func (p *page) nesting(data []byte) {
	var open []string
	z := html.NewTokenizer(bytes.NewReader(data))
	for {
		switch z.Next() {
		case html.ErrorToken:
			for _, name := range open {
				p.find("", "<%s> is never closed", name)
			}
			return
		case html.StartTagToken:
			name := tagName(z)
			if blocks[name] && slices.Contains(open, "p") && !slices.Contains(open, "svg") {
				p.find("", "<%s> inside <p>: a browser closes the <p> before it; in %s", name, chain(open))
				return
			}
			if !void[name] {
				open = append(open, name)
			}
		case html.EndTagToken:
			name := tagName(z)
			if last := len(open) - 1; last >= 0 && open[last] == name {
				open = open[:last]
				continue
			}
			// Stop after the first one, because all following tags are affected.
			p.find("", "</%s> closes nothing that is open: %s", name, chain(open))
			return
		}
	}
}

func tagName(z *html.Tokenizer) string {
	name, _ := z.TagName()
	return string(name)
}

func chain(open []string) string { return strings.Join(open, " > ") }

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}
