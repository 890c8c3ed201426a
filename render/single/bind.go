package single

import (
	"bytes"
	"html/template"
	"io"
	"strconv"

	"viewer/internal/words"
	"viewer/render/page"
)

// Bind writes the file of all parts: the head of the first, the outlines and the contents of
// all, and the end of the first. The verdict of a report, nil for none, is above the contents. html gives a
// range of the HTML of a part.
func Bind(w io.Writer, parts []Part, verdict *Verdict, html func(i, from, to int) ([]byte, error)) error {
	b := binder{w: w, html: html}
	if len(parts) == 1 {
		head := b.read(0, 0, parts[0].main[0])
		if verdict != nil {
			head = verdict.titled(head, parts[0].title)
		}
		b.write(head)
		b.write(page.Draw(nil, "partial/verdict", verdict))
		b.copy(0, parts[0].main[0], parts[0].size)
		return b.err
	}
	title := words.Plural(len(parts), "session", "sessions")
	if len(parts) > 0 {
		head := b.read(0, 0, parts[0].outline[0]-len(outlineStart))
		if len(parts) > 1 {
			head = pageDescription().ReplaceAllLiteral(head, nil)
		}
		b.write(verdict.titled(head, title))
	}
	b.text(outlineStart + ` aria-label="On this page"><details><summary>` + title + "</summary>\n")
	for i, p := range parts {
		if i > 0 {
			b.text("\n")
		}
		b.text(`<p class="cap"><a href="#` + sessionID(i) + `">` + template.HTMLEscapeString(p.title) + "</a></p>\n")
		_, outline, _ := bytes.Cut(b.read(i, p.outline[0], p.outline[1]), []byte(summaryEnd))
		b.write(outline)
	}
	b.text(outlineEnd + "\n" + mainStart + `id="main" tabindex="-1">` + "\n")
	b.write(page.Draw(nil, "partial/verdict", verdict))
	for i, p := range parts {
		b.text(`<div class="session" id="` + sessionID(i) + `">`)
		b.copy(i, p.main[0], p.main[1])
		b.text("</div>\n")
	}
	b.text(mainEnd)
	if len(parts) > 0 {
		b.copy(0, parts[0].main[1]+len(mainEnd), parts[0].size)
	}
	return b.err
}

func sessionID(i int) string { return "session-" + strconv.Itoa(i+1) }

// A binder writes until an error.
type binder struct {
	w    io.Writer
	html func(i, from, to int) ([]byte, error)
	err  error
}

func (b *binder) read(i, from, to int) []byte {
	if b.err != nil {
		return nil
	}
	var data []byte
	data, b.err = b.html(i, from, to)
	return data
}

func (b *binder) copy(i, from, to int) { b.write(b.read(i, from, to)) }

func (b *binder) text(s string) { b.write([]byte(s)) }

func (b *binder) write(data []byte) {
	if b.err == nil {
		_, b.err = b.w.Write(data)
	}
}

// pageDescription is the description in the head of a page.
var pageDescription = page.Expression(`<meta name="description"[^>]*>\n`)
