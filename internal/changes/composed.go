package changes

import "strings"

// maxKnown limits the lines that a sparse text knows. A patch takes time in proportion to them.
const maxKnown = 20_000

// A sparse is a text of which the log has only some lines: those of patches, and those that were read.
type sparse struct {
	parts  []sparsePart
	next   int32 // serial
	left   map[int32]Writer
	failed bool // a patch did not fit: somebody else wrote to the file, or its place is unknown
	work   *budget
}

// A sparsePart is a known line, or several unknown ones, which are those of the text at the beginning.
type sparsePart struct {
	entry
	lines int  // number of unknown lines, 0 for a known one
	first bool // the line was there at the beginning
	gone  bool // the line was removed
}

// partCost is what a part costs whenever a place is looked up.
const partCost = 32

// endless is the length of the unknown rest of a text.
const endless = 1 << 30

func newSparse(work *budget) *sparse {
	return &sparse{parts: []sparsePart{{lines: endless}}, left: make(map[int32]Writer), work: work}
}

// compose returns the net diff of changes one after the other. It returns false if one has no place in the file, or
// does not fit to what another one left.
func compose(all []Alone, work *budget) (Diff, bool) {
	s := newSparse(work)
	for i := range all {
		s.patch(all[i].Hunks, Writer(all[i].Step))
	}
	return s.diff()
}

// patch applies the hunks of a call.
func (s *sparse) patch(hunks []Hunk, by Writer) {
	if len(hunks) == 0 {
		s.failed = true
	}
	for i := len(hunks) - 1; i >= 0 && !s.failed; i-- { // the first ones keep their places
		h := &hunks[i]
		start := h.OldStart - 1
		if h.OldLines == 0 {
			start++
		}
		overlaps := i > 0 && start < hunks[i-1].OldStart-1+hunks[i-1].OldLines
		if overlaps || start < 0 || start > MaxLines || h.onlyIndents() || len(s.parts) > maxKnown ||
			!s.work.take(partCost*len(s.parts)) {
			s.failed = true
			return
		}
		s.hunk(start, h.Lines, by)
	}
}

// read checks lines of the text from one on, counted from 1, and keeps them.
func (s *sparse) read(first int, part string) {
	lines := split(part)
	for i, text := range lines {
		if len(text) >= maxWholeLine || !strings.HasSuffix(text, "\n") { // it may have been cut off
			lines = lines[:i]
			break
		}
	}
	known := make([]Line, len(lines))
	for i, text := range lines {
		known[i] = Line{Sign: ' ', Text: strings.TrimSuffix(text, "\n")}
	}
	if !s.failed && first > 0 && first < MaxLines && len(s.parts)+len(lines) <= maxKnown &&
		s.work.take(partCost*len(s.parts)) {
		s.hunk(first-1, known, Unknown)
	}
}

// hunk applies the lines of a hunk from a line on, counted from 0.
func (s *sparse) hunk(start int, lines []Line, by Writer) {
	at := s.seek(start)
	for _, l := range lines {
		text := l.ended()
		if l.Sign == '+' {
			s.next++
			s.insert(at, sparsePart{entry: entry{text: text, by: by, words: by, put: by, serial: s.next}})
			at++
			continue
		}
		for at < len(s.parts) && s.parts[at].gone {
			at++
		}
		if at == len(s.parts) {
			s.failed = true
			return
		}
		if s.parts[at].lines > 0 {
			s.parts[at].lines--
			s.next++
			known := sparsePart{first: true}
			known.entry = entry{text: text, by: Begin, words: Begin, put: Begin, serial: s.next}
			if s.parts[at].lines == 0 {
				s.parts[at] = known
			} else {
				s.insert(at, known)
			}
		}
		p := &s.parts[at]
		if untabbed(p.text) != untabbed(text) {
			s.failed = true
			return
		}
		switch {
		case l.Sign == ' ':
			at++
		case p.first:
			p.gone = true
			s.left[p.serial] = by
			at++
		default:
			s.parts = append(s.parts[:at], s.parts[at+1:]...)
		}
	}
}

func (s *sparse) insert(at int, p sparsePart) {
	s.parts = append(s.parts, sparsePart{})
	copy(s.parts[at+1:], s.parts[at:])
	s.parts[at] = p
}

// seek returns the index of the part that begins with a line, and cuts unknown lines there.
func (s *sparse) seek(line int) int {
	for i := range s.parts {
		p := &s.parts[i]
		switch n := p.height(); {
		case line == 0:
			return i
		case line < n: // unknown lines
			s.insert(i, sparsePart{lines: line})
			s.parts[i+1].lines -= line
			return i + 1
		default:
			line -= n
		}
	}
	return len(s.parts)
}

// height returns the number of lines of a part in the text as it is now.
func (p *sparsePart) height() int {
	switch {
	case p.lines > 0:
		return p.lines
	case p.gone:
		return 0
	}
	return 1
}

// diff returns the difference to the text at the beginning.
func (s *sparse) diff() (Diff, bool) {
	var d Diff
	if s.failed {
		return d, false
	}
	from, to := 0, 0 // lines before
	for i := 0; i < len(s.parts); {
		if n := s.parts[i].lines; n > 0 {
			from, to = from+n, to+n
			i++
			continue
		}
		var old, new []entry
		for ; i < len(s.parts) && s.parts[i].lines == 0; i++ {
			p := &s.parts[i]
			if p.first {
				old = append(old, p.entry)
			}
			if !p.gone {
				new = append(new, p.entry)
			}
		}
		spans := compare(textsOf(old), textsOf(new))
		for _, s := range spans {
			d.Removed, d.Added = d.Removed+s.to0-s.from0, d.Added+s.to1-s.from1
		}
		hunks := hunksOf(old, new, spans, s.left)
		for j := range hunks {
			hunks[j].OldStart += from
			hunks[j].NewStart += to
		}
		d.Hunks = append(d.Hunks, hunks...)
		from, to = from+len(old), to+len(new)
	}
	own(d.Hunks)
	return d, true
}

func textsOf(lines []entry) []string {
	texts := make([]string, len(lines))
	for i := range lines {
		texts[i] = untabbed(lines[i].text)
	}
	return texts
}

// untabbed returns a line with two blanks for each tab at its beginning, as Claude Code writes patches but not files.
func untabbed(line string) string {
	rest := strings.TrimLeft(line, "\t")
	return strings.Repeat("  ", len(line)-len(rest)) + rest
}

// onlyIndents reports whether a hunk replaces a line by one that may differ in tabs only.
func (h *Hunk) onlyIndents() bool {
	gone := make(map[string]bool)
	for _, l := range h.Lines {
		switch text := untabbed(l.Text); {
		case l.Sign == ' ':
			clear(gone)
		case l.Sign == '-':
			gone[text] = true
		case gone[text] && !l.NoEnd:
			return true
		}
	}
	return false
}
