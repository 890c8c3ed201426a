package single

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"viewer/render"
)

// Draw draws sessions as one self-contained file: the style sheet and the script are inside the page, the media in its
// links. Its policy allows only these, by hash, so that nothing else can run or load.
func Draw(sessions []render.Session) render.Drawing {
	var all render.Drawing
	parts := make([]Part, len(sessions))
	pages := make([][]byte, len(sessions))
	for i, s := range sessions {
		d := render.DrawOnePage(s)
		parts[i], pages[i] = newPart(d, i, nil)
		all.Ledger = all.Ledger.Add(d.Ledger)
		all.Summary = d.Summary
	}
	var page bytes.Buffer
	err := Bind(&page, parts, nil, func(i, from, to int) ([]byte, error) { return pages[i][from:to], nil })
	if err != nil {
		panic(err) // there is no I/O
	}
	all.Pages = []render.Page{{Name: "report.html", HTML: page.Bytes()}}
	return all
}

// A Part locates the outline and the contents in the HTML of a session, for a file of several sessions.
type Part struct {
	title         string
	size          int
	outline, main [2]int // from and to
}

// DrawPart draws session i of a file. The HTML is for Bind. Above the transcript it lists the work of the run, unless w
// is nil.
func DrawPart(s render.Session, i int, w *Work) (Part, []byte) {
	return newPart(render.DrawOnePage(s), i, w)
}

func newPart(d render.Drawing, i int, w *Work) (Part, []byte) {
	media := make(map[string][]byte)
	for _, m := range d.Media {
		media[m.Name] = m.Data
	}
	page := withWork(embed(d.Pages[0].HTML, media), w)
	if i > 0 {
		page = prefixIDs(page, Prefix(i))
	} else { // only the first one keeps its head
		page = inlineAssets(page)
	}
	p := Part{title: strings.Clone(d.Summary.Title)} // the title may share memory with the session
	outline := between(page, 0, outlineStart, outlineEnd)
	main := between(page, outline[1], mainStart, mainEnd)
	main[0] += bytes.IndexByte(page[main[0]:], '>') + 1
	if i > 0 {
		start := outline[0] + bytes.Index(page[outline[0]:outline[1]], []byte(summaryEnd))
		kept := append(slices.Clone(page[start:outline[1]]), page[main[0]:main[1]]...)
		n := outline[1] - start
		outline, main, page = [2]int{0, n}, [2]int{n, len(kept)}, kept
	}
	p.outline, p.main, p.size = outline, main, len(page)
	return p, page
}

// Marks around outline and contents in templates.
const (
	outlineStart, outlineEnd = `<nav class="out"`, `</details></nav>`
	mainStart, mainEnd       = `<main `, `</main>`
	summaryEnd               = "</summary>"
)

// between returns the range between two marks.
func between(page []byte, from int, start, end string) [2]int {
	at := from + bytes.Index(page[from:], []byte(start)) + len(start)
	return [2]int{at, at + bytes.Index(page[at:], []byte(end))}
}

// Prefix returns the prefix of ids in session i of a file of several.
func Prefix(i int) string {
	if i == 0 {
		return ""
	}
	return "s" + strconv.Itoa(i+1) + "-"
}
