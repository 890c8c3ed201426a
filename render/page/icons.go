package page

import (
	"bytes"
	"strings"
	"sync"

	"viewer/assets"
)

// iconIDs are the ids of the icons, with their lines.
var iconIDs = sync.OnceValue(func() (all [][2]string) {
	for line := range strings.Lines(assets.Icons) {
		if _, rest, ok := strings.Cut(line, `<symbol id="`); ok {
			id, _, _ := strings.Cut(rest, `"`)
			all = append(all, [2]string{id, line})
		}
	}
	return all
})

// UsedIcons removes unused icons from a page, in place: in a short session they are half of the page. Rows that a page
// loads from elsewhere have no icons.
func UsedIcons(page []byte) []byte {
	at := bytes.Index(page, []byte(assets.Icons))
	if at < 0 {
		return page
	}
	end := at + len(assets.Icons)
	used := make(map[string]bool)
	const link = `href="`
	for rest := page[end:]; ; {
		i := bytes.Index(rest, []byte("#i-")) // pages have fewer number signs than letters h
		if i < 0 {
			break
		}
		linked := bytes.HasSuffix(rest[:i], []byte(link))
		rest = rest[i+1:]
		if !linked {
			continue
		}
		id, _, _ := bytes.Cut(rest[:min(len(rest), 40)], []byte(`"`))
		used[string(id)] = true
	}
	if len(used) == 0 {
		return append(page[:at], page[end:]...)
	}
	kept := page[:at+strings.Index(assets.Icons, "<symbol")]
	for _, icon := range iconIDs() {
		if used[icon[0]] {
			kept = append(kept, icon[1]...) // never overtakes the reader
		}
	}
	kept = append(kept, "</svg>\n"...)
	return append(kept, page[end:]...)
}
