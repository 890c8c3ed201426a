package changes

import (
	"slices"
	"strings"

	"viewer/internal/tools"
)

// opTexts are the texts of an operation, with the lines of its patch.
type opTexts struct {
	tools.FileTexts
	patch []Hunk
}

// load loads the texts of an operation, if it has any. The result is not cached.
func load(op *tools.FileOp) opTexts {
	if op.Load == nil {
		return opTexts{}
	}
	t := opTexts{FileTexts: op.Load()}
	for _, h := range t.Hunks {
		t.patch = append(t.patch, parseHunk(h.OldStart, h.NewStart, h.Lines))
	}
	return t
}

// derive computes the text before a call from the one after it by undoing its patch.
func (t *opTexts) derive() {
	if t.Before != nil || t.Absent || t.After == nil || len(t.patch) == 0 {
		return
	}
	plain, f := formOf(*t.After)
	if lines, ok := exchange(split(plain), t.patch, true); ok {
		before := f.in(strings.Join(lines, ""))
		t.Before = &before
	}
}

// all yields the texts, whole and in parts.
func (t *opTexts) all(yield func(string) bool) {
	for _, s := range []*string{t.Before, t.After, t.Part} {
		if s != nil && !yield(*s) {
			return
		}
	}
	for _, e := range t.Edits {
		if !yield(e.Old) || !yield(e.New) {
			return
		}
	}
}

// size returns the size of the largest text in bytes, and the number of lines of the longest.
func (t *opTexts) size() (bytes, lines int) {
	for s := range t.all {
		bytes, lines = max(bytes, len(s)), max(lines, strings.Count(s, "\n"))
	}
	return bytes, lines
}

func (t *opTexts) binary() bool {
	for s := range t.all {
		if isBinary(s) {
			return true
		}
	}
	return false
}

// own returns the lines that the call wrote, nil for all.
func (t *opTexts) own() map[string]bool {
	if t.Proposed == nil {
		return nil
	}
	lines := make(map[string]bool)
	for _, text := range t.Proposed {
		for l := range strings.Lines(text) {
			lines[strings.TrimSpace(l)] = true
		}
	}
	return lines
}

// hunks returns the hunks in the log, or else those made from the edits.
func (t *opTexts) hunks(by Writer) []Hunk {
	all := slices.Clone(t.patch)
	if all == nil {
		for _, e := range t.Edits {
			old, new := split(e.Old), split(e.New)
			if len(old) > 0 && len(new) > 0 && !strings.HasSuffix(e.Old, "\n") && !strings.HasSuffix(e.New, "\n") {
				old[len(old)-1] += "\n" // parts of lines
				new[len(new)-1] += "\n"
			}
			hunks := hunksOf(entries(old, by), entries(new, by), compare(old, new), nil)
			for i := range hunks {
				hunks[i].OldStart, hunks[i].NewStart = 0, 0
			}
			all = append(all, hunks...)
		}
	}
	for i := range all {
		all[i].Lines = slices.Clone(all[i].Lines)
		for j := range all[i].Lines {
			if l := &all[i].Lines[j]; l.Sign != ' ' {
				l.By, l.Cause = by, by
			}
		}
	}
	own(all)
	return all
}

func entries(lines []string, by Writer) []entry {
	all := make([]entry, len(lines))
	for i, l := range lines {
		all[i] = entry{text: l, by: by, words: by, put: by}
	}
	return all
}

// A stage is a text after one of the edits of a call.
type stage struct {
	text     string
	from, to int // the replaced part of the text before, in bytes
}

// after returns the texts from one edit to the next, up to the one that the call left. sure is false if the patch in
// the log shows that the call changed a different text.
func (r *replayer) after(t opTexts) (stages []stage, sure, ok bool) {
	text := r.text
	whole := func(after string) []stage { return []stage{{after, 0, len(text)}} }
	if t.After != nil {
		after, f := formOf(*t.After)
		if r.what == Absent && r.begin.what == Absent { // no line of another form is in the patch
			r.form = f
		}
		return whole(after), true, true
	}
	if r.what == Unclear || r.stale {
		return nil, false, false
	}
	patched, fits := r.patched(t.patch)
	candidates := edited(text, t.Edits)
	same := slices.IndexFunc(candidates, func(c []stage) bool { return isJoined(c[len(c)-1].text, patched) })
	switch {
	case fits && same >= 0:
		return candidates[same], true, true
	case fits && (len(candidates) == 0 || t.Proposed != nil):
		return whole(strings.Join(patched, "")), true, true
	case len(candidates) == 0:
		return nil, false, false
	}
	// The white space of a patch may differ from the file, but its place is right.
	return candidates[0], len(t.patch) == 0 || fits || r.patchedLoosely(t.patch), true
}

// patched applies the patch in the log.
func (r *replayer) patched(hunks []Hunk) ([]string, bool) {
	if len(hunks) == 0 {
		return nil, false
	}
	return exchange(r.texts, hunks, false)
}

// isJoined reports whether a text consists of lines.
func isJoined(text string, lines []string) bool {
	for _, l := range lines {
		rest, ok := strings.CutPrefix(text, l)
		if !ok {
			return false
		}
		text = rest
	}
	return text == ""
}

// patchedLoosely reports whether the patch fits the text if white space at line ends is ignored.
func (r *replayer) patchedLoosely(hunks []Hunk) bool {
	lines := slices.Clone(r.texts)
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	loose := slices.Clone(hunks)
	for i := range loose {
		loose[i].Lines = slices.Clone(loose[i].Lines)
		for j := range loose[i].Lines {
			l := &loose[i].Lines[j]
			l.Text, l.NoEnd = strings.TrimSpace(l.Text), true
		}
	}
	_, ok := exchange(lines, loose, false)
	return ok
}

// edited applies edits one after the other. There are two possible results, the likelier first: some programs also
// remove the end of a line whose text they remove.
func edited(text string, edits []tools.Replacement) [][]stage {
	if len(edits) == 0 {
		return nil
	}
	var all [][]stage
	takes := slices.ContainsFunc(edits, func(e tools.Replacement) bool { return e.New == "" })
	for _, whole := range []bool{true, false} {
		if !whole && !takes {
			break // both are the same
		}
		if stages, ok := editAll(text, edits, whole); ok {
			all = append(all, stages)
		}
	}
	return all
}

func editAll(text string, edits []tools.Replacement, whole bool) ([]stage, bool) {
	var stages []stage
	for _, e := range edits {
		next, ok := apply(e, text, whole)
		if !ok {
			return nil, false
		}
		stages = append(stages, next)
		text = next.text
	}
	return stages, true
}

// indexOf is strings.Index for long parts: for more than 63 bytes strings.Index is slow, so indexOf searches for the
// beginning of the part.
func indexOf(text, part string) int {
	const beginning, maxMisses = 48, 64
	if len(part) < 64 {
		return strings.Index(text, part)
	}
	at := 0
	for range maxMisses {
		n := strings.Index(text[at:], part[:beginning])
		if n < 0 {
			return -1
		}
		if at += n; strings.HasPrefix(text[at:], part) {
			return at
		}
		at++
	}
	n := strings.Index(text[at:], part)
	if n < 0 {
		return -1
	}
	return at + n
}

// countOf is strings.Count based on indexOf.
func countOf(text, part string) int {
	for n := 0; ; n++ {
		at := indexOf(text, part)
		if at < 0 {
			return n
		}
		text = text[at+len(part):]
	}
}

// apply applies an edit. With whole it also removes the line end after the replaced text.
func apply(e tools.Replacement, text string, whole bool) (stage, bool) {
	from, to := e.Old, e.New
	if from == "" {
		return stage{to, 0, 0}, text == ""
	}
	at := indexOf(text, from)
	if at < 0 {
		from, to = strings.ReplaceAll(from, "\r\n", "\n"), strings.ReplaceAll(to, "\r\n", "\n")
		if at = indexOf(text, from); at < 0 {
			return stage{}, false
		}
	}
	n := 1 + countOf(text[at+len(from):], from)
	if n > 1 && !e.All || len(text)+n*(len(to)-len(from)) > maxText ||
		strings.Count(text, "\n")+n*strings.Count(to, "\n") > MaxLines {
		return stage{}, false
	}
	if whole && to == "" && !strings.HasSuffix(from, "\n") && strings.Contains(text[at:], from+"\n") {
		from += "\n"
		at = indexOf(text, from)
	}
	if n == 1 {
		return stage{text[:at] + to + text[at+len(from):], at, at + len(from)}, true
	}
	return stage{strings.ReplaceAll(text, from, to), at, strings.LastIndex(text, from) + len(from)}, true
}

// around returns the number of lines before and after the replaced part.
func (s stage) around(before string) (head, tail int) {
	rest := before[s.to:]
	ends := func(text string, at int) bool { return at == 0 || text[at-1] == '\n' }
	if !ends(before, s.to) || !ends(s.text, len(s.text)-len(rest)) {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	tail = strings.Count(rest, "\n")
	if rest != "" && !strings.HasSuffix(rest, "\n") {
		tail++
	}
	return strings.Count(before[:s.from], "\n"), tail
}
