package changes

import (
	"slices"
	"strings"
)

// A Hunk is one hunk of a patch.
type Hunk struct {
	OldStart, OldLines int // first line from 1, and number of lines; with none, the line before
	NewStart, NewLines int
	Lines              []Line
}

// A Line is one line of a hunk.
type Line struct {
	Sign  byte   // ' ', '+' or '-'
	Text  string // without its end
	NoEnd bool   // it is the last line of the file and has no line end
	By    Writer // who wrote it, or for '-' who removed it
	Cause Writer // like By, for '+' also who moved the line or put an equal one there
}

// ended returns the line with its end.
func (l Line) ended() string {
	if l.NoEnd {
		return l.Text
	}
	return l.Text + "\n"
}

// parseHunk parses the lines of a patch, each of which starts with ' ', '+', '-' or '\'. Some programs omit the blank
// before an empty line.
func parseHunk(oldStart, newStart int, lines []string) Hunk {
	h := Hunk{OldStart: oldStart, NewStart: newStart, Lines: make([]Line, 0, len(lines))}
	for _, l := range lines {
		if strings.HasPrefix(l, `\`) {
			if n := len(h.Lines); n > 0 {
				h.Lines[n-1].NoEnd = true
			}
			continue
		}
		line := Line{Sign: ' ', By: Unknown, Cause: Unknown}
		if l != "" {
			line.Text = strings.TrimSuffix(l[1:], "\r")
			if l[0] == '+' || l[0] == '-' {
				line.Sign = l[0]
			}
		}
		if line.Sign != '+' {
			h.OldLines++
		}
		if line.Sign != '-' {
			h.NewLines++
		}
		h.Lines = append(h.Lines, line)
	}
	return h
}

// side returns the lines of a hunk on one side: those without the other side's sign.
func (h *Hunk) side(without byte) []string {
	var lines []string
	for _, l := range h.Lines {
		if l.Sign != without {
			lines = append(lines, l.ended())
		}
	}
	return lines
}

// exchange applies hunks to a text, or undoes them if backwards is set. It returns false if they do not fit the text.
func exchange(text []string, hunks []Hunk, backwards bool) ([]string, bool) {
	var out []string
	at := 0
	for i := range hunks {
		h := &hunks[i]
		start, from, to := h.OldStart, h.side('+'), h.side('-')
		if backwards {
			start, from, to = h.NewStart, to, from
		}
		switch {
		case len(from) > 0:
			start--
		case len(text) == 0: // some programs count it from 1
			start = 0
		}
		if start < at || start+len(from) > len(text) || !slices.Equal(text[start:start+len(from)], from) {
			return nil, false
		}
		out = append(append(out, text[at:start]...), to...)
		at = start + len(from)
	}
	return append(out, text[at:]...), true
}

// context is the number of unchanged lines around a change.
const context = 3

// hunksOf returns the hunks for the spans in which two texts differ.
func hunksOf(old, new []entry, spans []span, removed map[int32]Writer) []Hunk {
	var hunks []Hunk
	for i := 0; i < len(spans); {
		last := i
		for last+1 < len(spans) && spans[last+1].from0-spans[last].to0 <= 2*context {
			last++
		}
		from := max(spans[i].from0-context, 0)
		to := min(spans[last].to0+context, len(old))
		h := Hunk{OldStart: from + 1, NewStart: spans[i].from1 - (spans[i].from0 - from) + 1}
		at := from
		for _, s := range spans[i : last+1] {
			h.equal(old[at:s.from0])
			gone, added := s.causes(old, new, removed)
			for i, e := range old[s.from0:s.to0] {
				h.add('-', e.text, gone[i], gone[i])
			}
			for i, e := range new[s.from1:s.to1] {
				h.add('+', e.text, e.by, added[i])
			}
			at = s.to0
		}
		h.equal(old[at:to])
		if h.OldLines == 0 {
			h.OldStart--
		}
		if h.NewLines == 0 {
			h.NewStart--
		}
		hunks = append(hunks, h)
		i = last + 1
	}
	return hunks
}

// causes returns who removed and who added the lines of a span. A diff may match other lines than the calls left alone:
// then it removes or adds lines, mostly short ones, that nobody touched. They count for whoever changed the lines next
// to them.
func (s span) causes(old, new []entry, removed map[int32]Writer) (gone, added []Writer) {
	all := make([]Writer, 0, s.to0-s.from0+s.to1-s.from1)
	for _, e := range old[s.from0:s.to0] {
		by, known := removed[e.serial]
		if !known {
			by = Begin
		}
		all = append(all, by)
	}
	for i := s.from1; i < s.to1; i++ {
		all = append(all, new[i].cause())
	}
	gone, added = all[:s.to0-s.from0], all[s.to0-s.from0:]
	fillCauses(gone, added)
	fillCauses(added, gone)
	return gone, added
}

// fillCauses replaces Begin by the cause before it, or else by the next one, by one of the other side, or by Unknown.
func fillCauses(causes, other []Writer) {
	last := firstCause(causes)
	if last == Begin {
		last = firstCause(other)
	}
	if last == Begin {
		last = Unknown
	}
	for i, by := range causes {
		if by == Begin {
			causes[i] = last
		}
		last = causes[i]
	}
}

func firstCause(causes []Writer) Writer {
	for _, by := range causes {
		if by != Begin {
			return by
		}
	}
	return Begin
}

func (h *Hunk) equal(lines []entry) {
	for _, e := range lines {
		h.add(' ', e.text, e.by, e.by)
	}
}

func (h *Hunk) add(sign byte, text string, by, cause Writer) {
	line := Line{Sign: sign, Text: text, By: by, Cause: cause}
	if s, ended := strings.CutSuffix(text, "\n"); ended {
		line.Text = s
	} else {
		line.NoEnd = true
	}
	if sign != '+' {
		h.OldLines++
	}
	if sign != '-' {
		h.NewLines++
	}
	h.Lines = append(h.Lines, line)
}

// own copies the lines of hunks, so that they do not keep whole texts in memory.
func own(hunks []Hunk) {
	for i := range hunks {
		size := 0
		for _, l := range hunks[i].Lines {
			size += len(l.Text)
		}
		var b strings.Builder
		b.Grow(size)
		for _, l := range hunks[i].Lines {
			b.WriteString(l.Text)
		}
		all, at := b.String(), 0
		for j := range hunks[i].Lines {
			l := &hunks[i].Lines[j]
			l.Text, at = all[at:at+len(l.Text)], at+len(l.Text)
		}
	}
}
