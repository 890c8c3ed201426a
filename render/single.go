package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"viewer/assets"
	"viewer/normalize"
)

// DrawSingle draws sessions as one file that needs no other: the stylesheet and
// the script stand in the page, the media in its links. Its policy allows just
// that, by hash, so that nothing else in it could run or load.
func DrawSingle(sessions []Session) Drawing {
	var all Drawing
	parts := make([]SinglePart, len(sessions))
	pages := make([][]byte, len(sessions))
	for i, s := range sessions {
		d := drawSession(s, true)
		parts[i], pages[i] = newSinglePart(d, i, nil)
		all.Ledger = all.Ledger.add(d.Ledger)
		all.Summary = d.Summary
	}
	var page bytes.Buffer
	err := BindSingle(&page, parts, nil, func(i, from, to int) ([]byte, error) { return pages[i][from:to], nil })
	if err != nil {
		panic(err) // memory can be read and written
	}
	all.Pages = []Page{{Name: "report.html", HTML: page.Bytes()}}
	return all
}

// A SinglePart says where in the HTML of a session that is part of one file its outline and
// its contents stand.
type SinglePart struct {
	title         string
	size          int
	outline, main [2]int // from and to
}

// DrawSinglePart draws session i of a file, and gives HTML for BindSingle to ask for. Above the transcript
// it lists the work of the run, unless that is nil.
func DrawSinglePart(s Session, i int, w *Work) (SinglePart, []byte) {
	return newSinglePart(drawSession(s, true), i, w)
}

func newSinglePart(d Drawing, i int, w *Work) (SinglePart, []byte) {
	media := make(map[string][]byte)
	for _, m := range d.Media {
		media[m.Name] = m.Data
	}
	page := withWork(embed(d.Pages[0].HTML, media), w)
	if i > 0 {
		page = prefixIDs(page, SinglePrefix(i))
	} else { // the others lose their heads
		page = inlineAssets(page)
	}
	p := SinglePart{title: strings.Clone(d.Summary.Title)} // which may be a piece of the session
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

// SinglePrefix returns what the names of places begin with in session i of a file
// that holds several.
func SinglePrefix(i int) string {
	if i == 0 {
		return ""
	}
	return "s" + strconv.Itoa(i+1) + "-"
}

// Places returns the pages of a session, below its folder, by the anchors that
// stand on them.
func (b *Book) Places() map[string]string { return b.b.data.anchorPages }

// singlePolicy lets just our style, our script and the pictures inside.
func singlePolicy() string {
	return "default-src 'none'; script-src " + hashOf(assets.Script().Text) + "; style-src " +
		hashOf(assets.Stylesheet().Text) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
}

// hashOf names a text for a policy.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// onePage puts all turns of a conversation on one page.
func onePage(c *normalize.Conversation) []turnPart {
	var page []turnPart
	number := 0
	for _, t := range c.Turns {
		l := turnPart{turn: t, items: t.Items, first: true, last: true}
		if number += t.Skipped; t.Asked() {
			number++
			l.number = number
		}
		if len(t.Prompt) > 0 || len(t.Items) > 0 {
			page = append(page, l)
		}
	}
	return page
}
