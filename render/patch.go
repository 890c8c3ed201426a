package render

import (
	"fmt"
	"strings"

	"viewer/internal/fields"
	"viewer/internal/markup"
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

// overlong says that texts have more lines than are compared: what a diff is made of takes ten times their size.
func overlong(texts ...string) bool {
	n := 0
	for _, t := range texts {
		n += strings.Count(t, "\n")
	}
	return n > fields.Most
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

// patchSize is how long hunks are as text, without their heads.
func patchSize(hunks []markup.Hunk) int {
	n := 0
	for _, h := range hunks {
		for _, l := range h.Lines {
			n += len(l) + 1
		}
	}
	return n
}

// cutPatch keeps the first hunks, as far as they have no more than most bytes, and
// the beginning of the next.
func cutPatch(hunks []markup.Hunk, most int) []markup.Hunk {
	for i, h := range hunks {
		for j, l := range h.Lines {
			if most -= len(l) + 1; most >= 0 {
				continue
			}
			cut := append([]markup.Hunk(nil), hunks[:i+1]...)
			cut[i].Lines = h.Lines[:j:j]
			if i == 0 && j == 0 {
				cut[i].Lines = []string{cutBytes(l, len(l)+most+1)}
			}
			return cut
		}
	}
	return hunks
}

// patchText is hunks as a file of them.
func patchText(hunks []markup.Hunk) string {
	var b strings.Builder
	for _, h := range hunks {
		old, new := len(h.Lines), len(h.Lines)
		for _, l := range h.Lines {
			switch {
			case strings.HasPrefix(l, "+"):
				old--
			case strings.HasPrefix(l, "-"):
				new--
			case strings.HasPrefix(l, `\`):
				old--
				new--
			}
		}
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", h.OldStart, old, h.NewStart, new)
		for _, l := range h.Lines {
			b.WriteString(l)
			b.WriteByte('\n')
		}
	}
	return b.String()
}
