package changes

import (
	"slices"
	"strings"
)

// Redact redacts the changed lines of a file again, because two edits together may form a secret. It does nothing if
// redact is nil.
func (f *File) Redact(redact func(string) string) {
	if redact == nil || len(f.Steps) == 1 && f.Begin == Absent { // all text is from one record
		return
	}
	f.Net.Hunks = redactHunks(f.Net.Hunks, redact)
	f.Alone = slices.Clone(f.Alone)
	for i := range f.Alone {
		f.Alone[i].Hunks = redactHunks(f.Alone[i].Hunks, redact)
	}
}

// redactHunks redacts each side of a hunk as one text, because a secret may span lines.
func redactHunks(hunks []Hunk, redact func(string) string) []Hunk {
	hunks = slices.Clone(hunks)
	for i := range hunks {
		for _, without := range []byte{'-', '+'} {
			redactSide(&hunks[i], without, redact)
		}
	}
	return hunks
}

// hiddenLine replaces each line of a secret that spans more lines than its replacement.
const hiddenLine = "[redacted]"

func redactSide(h *Hunk, without byte, redact func(string) string) {
	var at []int
	size := 0
	for _, l := range h.Lines {
		size += len(l.Text) + 1
	}
	var b strings.Builder
	b.Grow(size)
	for i, l := range h.Lines {
		if l.Sign != without {
			at = append(at, i)
			b.WriteString(l.Text)
			b.WriteByte('\n')
		}
	}
	text := b.String()
	shown := redact(text)
	if shown == text {
		return
	}
	h.Lines = slices.Clone(h.Lines)
	lines := strings.Split(strings.TrimSuffix(shown, "\n"), "\n")
	for n, i := range at {
		switch {
		case len(lines) == len(at):
			h.Lines[i].Text = lines[n]
		case !slices.Contains(lines, h.Lines[i].Text):
			h.Lines[i].Text = hiddenLine
		}
	}
}
