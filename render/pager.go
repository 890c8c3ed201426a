package render

import (
	"cmp"

	"viewer/render/page"
)

func (d *pageDrawing) pager() *page.Pager {
	v := &page.Pager{Label: "Pages", Number: d.index + 1}
	if d.index == 0 {
		v.Of = d.last + 1
	}
	if d.index > 0 {
		v.Prev = &page.Link{Href: d.base + pageName(d.inner, d.index-1), Note: prompts(d.parts[d.index-1])}
	}
	if d.index < d.last {
		v.Next = &page.Link{Href: d.base + pageName(d.inner, d.index+1)}
	}
	return v
}

// prompts returns the prompts of a page in words: "prompts 3–7".
func prompts(parts []turnPart) string {
	from, to := 0, 0
	for _, l := range parts {
		if l.number > 0 {
			from = cmp.Or(from, l.number)
			to = l.number
		}
	}
	switch {
	case from == 0:
		return ""
	case from == to:
		return "prompt " + count(from)
	}
	return "prompts " + count(from) + "–" + count(to)
}
