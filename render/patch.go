package render

import (
	"strings"

	"viewer/markup"
)

// A patchHunk is a hunk of structuredPatch (format, section 10).
type patchHunk struct {
	OldStart, NewStart number
	Lines              []text
}

// hunks takes the patch of the log, which has the real line numbers; without
// one it compares the texts.
func hunks(patch []patchHunk, edits ...[2]string) []markup.Hunk {
	var all []markup.Hunk
	for _, p := range patch {
		h := markup.Hunk{OldStart: int(p.OldStart), NewStart: int(p.NewStart)}
		for _, l := range p.Lines {
			h.Lines = append(h.Lines, string(l))
		}
		all = append(all, h)
	}
	if len(all) > 0 {
		return all
	}
	for _, e := range edits {
		all = append(all, markup.Edits(e[0], e[1])...)
	}
	return all
}

// changed counts the lines that hunks add and remove.
func changed(hunks []markup.Hunk) (added, removed int) {
	for _, h := range hunks {
		for _, l := range h.Lines {
			switch {
			case strings.HasPrefix(l, "+"):
				added++
			case strings.HasPrefix(l, "-"):
				removed++
			}
		}
	}
	return added, removed
}
