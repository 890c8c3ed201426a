package render

import (
	"strings"

	"viewer/assets"
	"viewer/internal/markup"
	"viewer/render/page"
)

// Outlines returns the outlines for the later pages of the session and of its agents, where a script shows them. Each
// is a block of lines that ends in an empty line:
//
//	the name of the first page, and how many pages there are: "agents/ab12.html 3"
//	the contents of the outline in one line
//	the outline as HTML with addresses as on the first page, preceded by the outcome of a session
//
// It returns "" if nothing has more than one page. It must be called after page 0 is drawn.
func (b *Pages) Outlines() string {
	var all []string
	for i := range b.b.pageResults {
		if outline := b.b.pageResults[i].outline; outline != "" {
			all = append(all, b.b.jobs[i].name+" "+count(b.b.jobs[i].last+1)+"\n"+outline)
		}
	}
	return strings.Join(all, "\n\n")
}

// wholeOutline keeps the outline of the first of several pages.
func (d *pageDrawing) wholeOutline(v *sessionView) {
	if d.index > 0 || d.last == 0 || d.single {
		return
	}
	html := assets.Icons // those that are used: pages drop unused icons
	if v.Story != nil {
		html += "<div hidden>" + string(page.Execute("partial/story", v.Story.short())) + "</div>\n"
	}
	html += string(page.Execute("partial/outline", &v.Outline))
	html = string(page.UsedIcons(markup.Reveal([]byte(html))))
	d.outlineHTML = v.Outline.Summary + "\n" + strings.ReplaceAll(html, "\n\n", "\n")
}
