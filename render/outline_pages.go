package render

import (
	"strings"

	"viewer/assets"
)

// Outline is the outline of all pages of the session, for the others than the first one, where a script shows it: what
// it holds in a line, and its HTML with addresses as on the first page. "" where there is one page. It is there when
// page 0 is drawn.
func (b *Book) Outline() string { return b.b.outline }

func (d *pageDrawing) wholeOutline(v *outlineView) {
	if d.last > 0 && !d.single {
		d.book.outline = v.Summary + "\n" + outlineHTML(v)
	}
}

// outlineHTML has the icons that it uses: a page drops those that it does not use itself.
func outlineHTML(v *outlineView) string {
	html := usedIcons([]byte(assets.Icons + string(execute("partial/outline", v))))
	return strings.ReplaceAll(string(html), "\n\n", "\n")
}
