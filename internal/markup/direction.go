package markup

import (
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// directed draws a list, a quote or a table. It has a dir attribute if its text does not run in the direction of the
// text around it. Paragraphs and cells need none: the style sheet aligns each of them by its letters, but not the
// bullets of a list, the line of a quote or the order of columns.
func (p *prose) directed(n ast.Node, draw func(attribute string)) {
	if !p.hasRightToLeft {
		draw("")
		return
	}
	around, attribute := p.rightToLeft, ""
	if own, ok := p.runsRightToLeft(n); ok && own != around {
		p.rightToLeft = own
		attribute = ` dir="ltr"`
		if own {
			attribute = ` dir="rtl"`
		}
	}
	draw(attribute)
	p.rightToLeft = around
}

// runsRightToLeft returns the direction of the first letter in a block that is not code, if one of its first nodes has
// a letter.
func (p *prose) runsRightToLeft(n ast.Node) (rightToLeft, ok bool) {
	left := maxDirectionNodes
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if left--; left < 0 || ok {
			return ast.WalkStop, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			s := p.segment(&n.Segment)
			if i := strings.IndexFunc(s, unicode.IsLetter); i >= 0 {
				ok = true
				rightToLeft = strings.IndexFunc(s[i:], isRightToLeft) == 0
			}
		}
		return ast.WalkContinue, nil
	})
	return rightToLeft, ok
}

// maxDirectionNodes limits the time for blocks that begin with many others.
const maxDirectionNodes = 200

// isRightToLeft reports whether r is in a block of Unicode for scripts that are written from right to left, such as
// Hebrew and Arabic.
func isRightToLeft(r rune) bool {
	return r >= 0x590 && (r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff)
}
