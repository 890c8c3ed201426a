package render

import (
	"html/template"
	"strings"
	"unsafe"

	"viewer/internal/markup"
	"viewer/normalize"
	"viewer/render/page"
	"viewer/render/prose"
)

// Pages end by estimates from the sizes of records (weigh), but a byte of a hostile text can become thirty of HTML. To
// keep pages small enough to open, a text is drawn as far as the quota allows, and a file next to the page has all of
// it.
const (
	maxText      = 64 << 10  // maximum bytes of a text on the page
	excerptText  = 16 << 10  // bytes of a longer text on the page
	minText      = 1 << 10   // minimum bytes of any text on the page
	maxBlockHTML = 192 << 10 // bytes of HTML of one text
	maxTextHTML  = 420 << 10 // and of all texts of a page
)

// A quota is the used part of the size limits of a page.
type quota struct {
	textBytes int                  // bytes of HTML of the texts on the page
	turnBytes int                  // and of all that is in its turns
	unlimited bool                 // the page has no limits
	overflow  []*normalize.Message // messages that do not fit on the page, see overflow.go
}

// A fullText is the file with all of a long text, of which the page shows the beginning.
type fullText struct{ Href, Size string }

func (p *pageState) fullText(s string) *fullText {
	// A text of megabytes should not be copied, and nobody writes to media.
	data := unsafe.Slice(unsafe.StringData(s), len(s))
	return &fullText{p.root + p.media.add(data, ".txt"), size(len(s)) + ", " + plural(markup.Lines(s), "line", "lines")}
}

// textQuota returns the maximum bytes of HTML for the next text.
func (p *pageState) textQuota() int {
	if p.quota.unlimited {
		return maxBlockHTML
	}
	return max(0, min(maxBlockHTML, maxTextHTML-p.quota.textBytes))
}

// fit draws something of size bytes, or as much of its beginning as the quota allows. draw draws at most so many bytes
// and returns the bytes of HTML; its last call counts.
func (p *pageState) fit(size int, draw func(most int) int) (all bool) {
	last := -1
	for _, most := range []int{maxText, excerptText, 4 * minText, minText} {
		if size > most && most == maxText || min(size, most) == last {
			continue
		}
		last = min(size, most)
		if n := draw(last); n <= p.textQuota() || last <= minText {
			p.quota.textBytes += n
			break
		}
	}
	return last == size
}

// fitText is fit for a text.
func (p *pageState) fitText(s string, draw func(part string) int) *fullText {
	if p.fit(len(s), func(most int) int { return draw(cutBytes(s, most)) }) {
		return nil
	}
	return p.fullText(s)
}

// cutBytes keeps whole lines, or whole characters of a very long line.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if i := strings.LastIndexByte(s[:n], '\n'); i > n/2 {
		return s[:i]
	}
	return strings.ToValidUTF8(s[:n], "")
}

// markdown draws Markdown of the log.
func (p *pageState) markdown(text, anchor string) template.HTML {
	return p.prose(text, anchor, markup.Markdown)
}

// answerText draws the text of a model.
func (p *pageState) answerText(text, anchor string) template.HTML {
	draw := markup.Answer
	if p.directs {
		draw = prose.Answer
	}
	return p.prose(text, anchor, draw)
}

func (p *pageState) prose(text, anchor string, draw func(text, anchor string) template.HTML) template.HTML {
	var html template.HTML
	if w := p.fitText(text, func(part string) int {
		html = draw(part, anchor)
		return len(html)
	}); w != nil {
		html += page.Execute("partial/fulltext", w)
	}
	return html
}
