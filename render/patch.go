package render

import (
	"fmt"
	"strings"

	"viewer/internal/markup"
)

// patchSize returns the length of hunks as text, without their heads.
func patchSize(hunks []markup.Hunk) int {
	n := 0
	for _, h := range hunks {
		for _, l := range h.Lines {
			n += len(l) + 1
		}
	}
	return n
}

// cutPatch cuts hunks after most bytes.
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

// patchText returns hunks as a patch.
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
