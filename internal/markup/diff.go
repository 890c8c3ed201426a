package markup

import (
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"

	"viewer/internal/markup/highlight"
)

// A Hunk is one hunk of a unified diff.
type Hunk struct {
	OldStart, NewStart int      // of the first line on either side, from 1
	Lines              []string // without newline; each starts with ' ', '+', '-' or '\\'
}

const context = 3 // equal lines around a change

// noNewline follows the last line of a text without newline.
const noNewline = `\ No newline at end of file`

// Edits returns the hunks from old to new text with three lines of context, for logs without a patch. The search is
// limited, so that very different texts cost no more than similar ones: the result is always correct but not always the
// shortest. If both texts lack the last newline, as parts of a file do, the result does not say so.
func Edits(old, new string) []Hunk {
	a, b := splitLines(old), splitLines(new)
	if len(a) > 0 && len(b) > 0 && !strings.HasSuffix(old, "\n") && !strings.HasSuffix(new, "\n") {
		a[len(a)-1] += "\n"
		b[len(b)-1] += "\n"
	}
	var hunks []Hunk
	var h *Hunk
	var w hunkWriter
	done := 0 // lines of a that are in a hunk or skipped
	for _, d := range lcs.DiffLines(a, b) {
		if h == nil || d.Start-done > 2*context {
			if h != nil {
				w.end(h, a[done:min(done+context, len(a))])
			}
			from := max(d.Start-context, done)
			hunks = append(hunks, Hunk{OldStart: from + 1, NewStart: d.ReplStart - (d.Start - from) + 1})
			h = &hunks[len(hunks)-1]
			done = from
		}
		w.add(' ', a[done:d.Start])
		w.add('-', a[d.Start:d.End])
		w.add('+', b[d.ReplStart:d.ReplEnd])
		done = d.End
	}
	if h != nil {
		w.end(h, a[done:min(done+context, len(a))])
	}
	return hunks
}

// A hunkWriter collects the parts of a hunk, so that its lines are written to one string: a diff may have a million.
type hunkWriter struct {
	parts []hunkPart
	size  int // bytes of the lines, with a sign each and their newlines
	lines int
}

type hunkPart struct {
	sign  byte
	lines []string
}

func (w *hunkWriter) add(sign byte, lines []string) {
	if len(lines) == 0 {
		return
	}
	w.parts = append(w.parts, hunkPart{sign, lines})
	w.lines += len(lines)
	for _, l := range lines {
		w.size += 1 + len(l)
	}
}

// end writes the hunk, which ends with equal lines.
func (w *hunkWriter) end(h *Hunk, equal []string) {
	w.add(' ', equal)
	h.Lines = make([]string, 0, w.lines)
	var b strings.Builder
	b.Grow(w.size)
	for _, p := range w.parts {
		for _, l := range p.lines {
			start := b.Len()
			b.WriteByte(p.sign)
			line, ended := strings.CutSuffix(l, "\n")
			b.WriteString(line)
			h.Lines = append(h.Lines, b.String()[start:])
			if !ended {
				h.Lines = append(h.Lines, noNewline)
			}
		}
	}
	*w = hunkWriter{parts: w.parts[:0]}
}

// splitLines keeps the newlines.
func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// writePatch draws a patch from a chat, which has headers, and sometimes lacks the blank before equal lines. It is not
// highlighted, because it seldom contains whole constructs.
func writePatch(b *strings.Builder, patch string) {
	highlight.Lookup("diff").Spans(patch, func(class byte, start, end int) {
		for line := range strings.Lines(patch[start:end]) {
			writePatchLine(b, class, line)
		}
	})
}

func writePatchLine(b *strings.Builder, class byte, line string) {
	l, ended := strings.CutSuffix(line, "\n")
	switch class {
	case 'i':
		b.WriteString("<ins>")
		escape(b, l[1:], false)
		b.WriteString("</ins>")
	case 'd':
		b.WriteString("<del>")
		escape(b, l[1:], false)
		b.WriteString("</del>")
	case 0:
		escape(b, rest(l), false)
	default:
		open, shut := element(class)
		b.WriteString(open)
		escape(b, l, false)
		b.WriteString(shut)
	}
	if ended {
		b.WriteByte('\n')
	}
}
