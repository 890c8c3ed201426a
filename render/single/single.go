package single

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"viewer/render"
)

// Draw draws sessions as one file that needs no other: the stylesheet and
// the script stand in the page, the media in its links. Its policy allows just
// that, by hash, so that nothing else in it could run or load.
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
		panic(err) // memory can be read and written
	}
	all.Pages = []render.Page{{Name: "report.html", HTML: page.Bytes()}}
	return all
}

// A Part says where in the HTML of a session that is part of one file its outline and
// its contents stand.
type Part struct {
	title         string
	size          int
	outline, main [2]int // from and to
}

// DrawPart draws session i of a file, and gives HTML for Bind to ask for. Above the transcript
// it lists the work of the run, unless that is nil.
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
	} else { // the others lose their heads
		page = inlineAssets(page)
	}
	p := Part{title: strings.Clone(d.Summary.Title)} // which may be a piece of the session
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

// Templates write the marks between which outline and contents stand.
const (
	outlineStart, outlineEnd = `<nav class="out"`, `</details></nav>`
	mainStart, mainEnd       = `<main `, `</main>`
	summaryEnd               = "</summary>"
)

// between returns what is between two marks.
func between(page []byte, from int, start, end string) [2]int {
	at := from + bytes.Index(page[from:], []byte(start)) + len(start)
	return [2]int{at, at + bytes.Index(page[at:], []byte(end))}
}

// Prefix returns what the names of places begin with in session i of a file
// that holds several.
func Prefix(i int) string {
	if i == 0 {
		return ""
	}
	return "s" + strconv.Itoa(i+1) + "-"
}
