package render

import (
	"html/template"
	"strings"
	"unsafe"

	"viewer/internal/markup"
	"viewer/normalize"
	"viewer/render/page"
)

// Where a page ends is guessed from the sizes of records (weigh), and a byte of a
// hostile text can become thirty of HTML. So that every page can be opened, a
// text is drawn as far as the quota allows, and a file next to the page has all of it.
const (
	maxText      = 64 << 10  // bytes of a text that stay on the page
	excerptText  = 16 << 10  // bytes that stay of a longer one
	minText      = 1 << 10   // bytes that stay of any
	maxBlockHTML = 192 << 10 // bytes of HTML of one text
	maxTextHTML  = 420 << 10 // and of all texts of a page
)

// A quota is how much of a page is used up.
type quota struct {
	textBytes int                  // bytes of HTML of the texts on the page
	turnBytes int                  // and of all that is in its turns
	unlimited bool                 // the page may be as long as it gets
	overflow  []*normalize.Message // that do not fit on the page, see overflow.go
}

// A fullText is the file that holds all of a long text, while the page shows the
// beginning.
type fullText struct{ Href, Size string }

func (p *pageState) fullText(s string) *fullText {
	// A text of megabytes is in memory often enough already; nobody writes to media.
	data := unsafe.Slice(unsafe.StringData(s), len(s))
	return &fullText{p.root + p.media.add(data, ".txt"), size(len(s)) + ", " + plural(markup.Lines(s), "line", "lines")}
}

// textQuota returns how many bytes of HTML a text may become here.
func (p *pageState) textQuota() int {
	if p.quota.unlimited {
		return maxBlockHTML
	}
	return max(0, min(maxBlockHTML, maxTextHTML-p.quota.textBytes))
}

// fit draws something of size bytes: all of it, or so much of its beginning as
// the quota allows. draw takes at most so many bytes and returns how many of HTML
// they became; what it drew last is what stays.
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

// fitText does the same for a text.
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

// answerText draws what a model said.
func (p *pageState) answerText(text, anchor string) template.HTML {
	return p.prose(text, anchor, markup.Answer)
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
