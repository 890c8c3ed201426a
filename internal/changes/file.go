package changes

import (
	"cmp"
	"strings"

	"viewer/internal/tools"
)

// Limits of a text that is replayed: larger ones cost too much.
const (
	maxText  = 64 << 20
	MaxLines = 1 << 20
)

// maxWork limits how many bytes of text a replay processes. A log of a few megabytes could require any number.
const maxWork = 16 << 30

// UsualWork is a limit for Options.Work when many sessions are replayed.
const UsualWork = 2 << 30

type budget int64

// take takes n bytes from the budget, and reports whether they were left.
func (b *budget) take(n int) bool {
	*b -= budget(n)
	return *b > 0
}

// An entry is one line of a file.
type entry struct {
	text   string
	by     Writer
	words  Writer // who wrote its text, ignoring white space and line ends
	put    Writer // who put it at its place
	serial int32  // stays the same as long as the line does
}

// A version is the lines of a file at some time. They are never modified, because versions and snapshots share them.
type version struct {
	lines []entry
	texts []string // of the lines
}

// without returns the version without its last lines.
func (v version) without(tail int) version {
	return version{v.lines[:len(v.lines)-tail], v.texts[:len(v.texts)-tail]}
}

// A replayer holds a file at some time of the session.
type replayer struct {
	File
	path  string
	what  Presence
	stale bool // something could not be followed: the version is the one from before
	version
	text  string // all lines as one text
	form  form
	next  int32            // serial
	left  map[int32]Writer // who took a line away, by its serial
	cut   []block          // removed since the turn began
	known compared         // the last diff; most files change in one turn only
	knew  int              // the last step at which the text was known, -1 before the first
	sure  int              // how many changes stood alone when the text was last known

	sparse  *sparse        // what is known of a file whose text is not, nil for nothing
	early   tools.FileKind // what a command may have done to it before the first touch, 0 for nothing
	altered bool           // a command may have changed it since its text was last known

	skipped bool // it is too large or binary, and is not replayed
	begin   snapshot
	turn    snapshot   // at the beginning of the turn
	at      int        // the current turn, -1 before the first
	chosen  []snapshot // before and after the turn that was asked for

	turns   []int       // of each step
	prompts map[int]int // of each turn
	options Options
	work    *budget
}

// A snapshot is a file at one time.
type snapshot struct {
	version
	what  Presence
	path  string
	alone int // number of changes that stood alone by then
}

func (r *replayer) now() snapshot {
	return snapshot{r.version, r.what, r.path, len(r.Alone)}
}

// touch replays one operation, before later ones. Its texts may have been loaded already.
func (r *replayer) touch(t touch, loaded *opTexts, later []touch) {
	op := t.op
	if op.Kind == tools.AlterFile {
		r.alter(op)
		return
	}
	if loaded == nil {
		texts := load(op)
		loaded = &texts
	}
	texts := *loaded
	texts.derive()
	binary := texts.binary()
	size, lines := texts.size()
	if !r.skipped && (binary || size > maxText || lines > MaxLines || !r.work.take(size+len(r.text))) {
		r.skipped, r.Binary, r.Large = true, binary, !binary
		r.what, r.stale = Unclear, false
		r.version, r.text = version{}, ""
	}
	if !r.skipped {
		switch {
		case texts.Before != nil:
			text := *texts.Before
			if texts.EndUnknown {
				text = withEnd(text, r.text, later)
			}
			r.observe(t.step, text)
		case texts.Absent:
			r.observeAbsent(t.step)
		case texts.Part != nil:
			r.observePart(texts.First, *texts.Part)
		}
	}
	if op.Kind == tools.ReadFile {
		return
	}
	r.enter(r.turns[t.step])
	if n := len(r.Steps); n == 0 || r.Steps[n-1] != t.step {
		r.Steps = append(r.Steps, t.step)
	}
	switch {
	case op.Kind == tools.RenameFile:
		r.path = t.path
		return
	case op.Kind == tools.DeleteFile:
		if r.sparse != nil {
			r.sparse.failed = true
		}
		r.set("", Writer(t.step))
		r.what, r.stale, r.altered = Absent, false, false
	case op.Kind == tools.RestoreFile:
		r.restore(t.step)
	case r.skipped:
	default:
		r.change(t.step, texts)
	}
	r.knew = t.step
}

// enter takes a snapshot at the beginning of a turn.
func (r *replayer) enter(turn int) {
	if turn == r.at {
		return
	}
	r.leave()
	r.at, r.turn, r.cut = turn, r.now(), nil
}

// leave counts the changes of a turn.
func (r *replayer) leave() {
	if r.at < 0 {
		return
	}
	end := r.now()
	p := Part{Turn: r.at}
	if prompt := r.options.Prompt; prompt != nil && r.prompts[r.at] == *prompt {
		if r.chosen == nil {
			r.chosen = []snapshot{r.turn, end}
		}
		r.chosen[1] = end
	}
	d := r.diff(r.turn, end, false)
	p.Added, p.Removed = d.Added-d.ForeignAdded, d.Removed-d.ForeignRemoved
	alone := r.Alone[r.turn.alone:max(r.turn.alone, end.alone)]
	for _, a := range alone {
		p.Added += a.Added
		p.Removed += a.Removed
		p.LinesUnknown = p.LinesUnknown || a.LinesUnknown()
	}
	if len(alone) > 1 {
		if net, ok := compose(alone, r.work); ok {
			p.Added, p.Removed = net.Added, net.Removed
		}
	}
	r.Turns = append(r.Turns, p)
}

// set replaces the text by one of which a writer wrote all new lines.
func (r *replayer) set(text string, by Writer) []span { return r.setBetween(0, 0, text, by, nil) }

// setBetween replaces the text by one whose first and last lines are known to be unchanged. Of the new lines, those in
// own were written by that writer; nil means all.
func (r *replayer) setBetween(head, tail int, text string, by Writer, own map[string]bool) []span {
	lines := split(text)
	spans := compare(r.texts[head:len(r.texts)-tail], lines[head:len(lines)-tail])
	for i, s := range spans {
		spans[i] = span{s.from0 + head, s.to0 + head, s.from1 + head, s.to1 + head}
	}
	moves, shorts := r.cutAndMoved(spans, lines, by)
	next := make([]entry, 0, len(lines))
	i := 0
	for _, s := range append(spans, span{len(r.lines), len(r.lines), len(lines), len(lines)}) {
		for ; i < s.from0; i++ {
			e := r.lines[i]
			e.text = lines[len(next)] // the same text in the memory of the new one
			next = append(next, e)
		}
		for ; i < s.to0; i++ {
			r.left[r.lines[i].serial] = by
		}
		for len(next) < s.to1 {
			e := r.line(moves, len(next), lines[len(next)], by, own)
			if was, known := shorts[e.text]; known && was != e.by {
				e.by, e.words = Unknown, Unknown
			}
			next = append(next, e)
		}
		if by == Unknown {
			keepWords(r.lines[s.from0:s.to0], next[s.from1:s.to1])
		}
	}
	v := version{next, lines}
	markAmbiguous(r.without(tail), v.without(tail), head, spans, by)
	r.version, r.text = v, text
	return spans
}

// cutAndMoved keeps the lines that spans remove until the turn ends, and finds those that they add again elsewhere.
// shorts are removed lines that are too short to tell whether they moved, with their writer.
func (r *replayer) cutAndMoved(spans []span, lines []string, by Writer) (m moves, shorts map[string]Writer) {
	var gone []block
	shorts = make(map[string]Writer)
	for _, s := range spans {
		if s.from0 < s.to0 {
			gone = append(gone, r.lines[s.from0:s.to0])
		}
		for _, e := range r.lines[s.from0:s.to0] {
			if letters(e.text) >= enoughOfCall {
				continue
			}
			if was, twice := shorts[e.text]; twice && was != e.by {
				e.by = Unknown
			}
			shorts[e.text] = e.by
		}
	}
	least := enough
	if by != Unknown {
		least = enoughOfCall
	}
	r.cut = append(recent(r.cut, maxCut), gone...)
	m = moved(r.cut, lines, spans, least)
	if len(m) > 0 {
		r.cut = m.without(r.cut)
	}
	return m, shorts
}

// line returns an entry for a new or moved line.
func (r *replayer) line(m moves, at int, text string, by Writer, own map[string]bool) entry {
	if e, ok := m[at]; ok {
		e.text, e.put = text, by
		return e
	}
	if own != nil && !own[strings.TrimSpace(text)] {
		by = Unknown
	}
	r.next++
	return entry{text: text, by: by, words: by, put: by, serial: r.next}
}

// change replays a change by a call.
func (r *replayer) change(step int, t opTexts) {
	if t.After != nil && r.begin.what == Unclear {
		// It is unknown which of its lines were there before.
		r.Alone = append(r.Alone, Alone{Step: step, Path: r.path, Whole: true})
		r.meet(Present, *t.After)
		return
	}
	stages, sure, ok := r.after(t)
	if !ok {
		r.alone(step, t)
		return
	}
	mine, before := t.own(), r.text
	if r.options.Proven && t.After != nil && t.Before == nil && !t.Absent {
		mine = map[string]bool{}
	}
	for _, s := range stages {
		head, tail := s.around(before)
		r.setBetween(head, tail, s.text, Writer(step), mine)
		before = s.text
	}
	r.what = Present
	if t.After != nil {
		r.settle()
		r.altered = false
	}
	if !sure {
		r.stale = true
	}
}

// alter is called when a command may have changed the file.
func (r *replayer) alter(op *tools.FileOp) {
	made := r.begin.what == Absent || len(r.Alone) > 0 && r.Alone[0].Whole
	switch {
	case r.what != Absent:
	case op.IfKnown && (made || op.Formats):
		return // a file that the session made does not come back by itself, and programs that format make none
	default:
		r.what = Unclear
	}
	r.altered = true
}

// restore sets the text to that at the beginning, which was most likely the committed one. If it is unknown, the file
// is like one that no call has touched.
func (r *replayer) restore(step int) {
	switch {
	case r.begin.what == Absent || r.skipped:
		return // a new file has no committed text
	case r.path != r.File.From: // git may know it by either name
		r.altered = true
		return
	case r.begin.what == Present && !r.Late:
		r.set(strings.Join(r.begin.texts, ""), Writer(step))
		r.what = Present
	default:
		r.begin, r.what, r.Late = snapshot{}, Unclear, false
		r.version, r.text = version{}, ""
	}
	r.stale, r.altered, r.Alone, r.sparse = false, false, r.Alone[:0], nil
}

// alone keeps a change of a text that is not known.
func (r *replayer) alone(step int, t opTexts) {
	a := Alone{Step: step, Path: r.path, Hunks: t.hunks(Writer(step))}
	for _, h := range a.Hunks {
		for _, l := range h.Lines {
			switch l.Sign {
			case '+':
				a.Added++
			case '-':
				a.Removed++
			}
		}
	}
	r.Alone = append(r.Alone, a)
	if r.stale = r.begin.what != Unclear; r.stale {
		return
	}
	if r.sparse == nil {
		r.sparse = newSparse(r.work)
	}
	r.sparse.patch(a.Hunks, Writer(step))
}

// finish returns the result for the file.
func (r *replayer) finish() *File {
	if len(r.Steps) == 0 {
		return nil
	}
	r.leave()
	from, to := r.begin, r.now()
	if r.options.Prompt != nil {
		if r.chosen == nil {
			return nil
		}
		from, to = r.chosen[0], r.chosen[1]
		r.Alone = r.Alone[min(from.alone, len(r.Alone)):min(to.alone, len(r.Alone))]
	}
	f := &r.File
	f.Path, f.Begin, f.End = to.path, from.what, to.what
	f.CRLF, f.BOM = r.form.crlf, r.form.bom
	f.From = cmp.Or(from.path, f.From)
	if f.From == f.Path {
		f.From = ""
	}
	if r.Late && r.options.Prompt == nil {
		f.Begin = Unclear
	}
	f.Altered = r.altered
	if r.stale {
		f.End = Unclear
	}
	f.Net = r.diff(from, to, true)
	r.compose(from, to)
	if f.End == Present && !r.options.NoWriters {
		for _, e := range to.lines {
			f.Writers, f.Words = append(f.Writers, e.by), append(f.Words, e.words)
		}
	}
	if r.options.Texts {
		f.Before, f.After = r.join(from), r.join(to)
	}
	return f
}

// compose replaces changes of a text that is not known by their net diff, if that is certain.
func (r *replayer) compose(from, to snapshot) {
	if len(r.Alone) < 2 || r.Late || from.what != Unclear || to.what != Unclear {
		return
	}
	net, ok := Diff{}, false
	if r.options.Prompt != nil {
		net, ok = compose(r.Alone, r.work)
	} else if r.sparse != nil {
		net, ok = r.sparse.diff()
	}
	if ok {
		r.Net, r.Alone = net, nil
	}
}

// join returns the text of a snapshot.
func (r *replayer) join(s snapshot) string {
	if s.what != Present {
		return ""
	}
	return r.form.in(strings.Join(s.texts, ""))
}
