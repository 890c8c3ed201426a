package changes

import (
	"strings"

	"viewer/internal/tools"
)

// meet sets the first known text of the file.
func (r *replayer) meet(what Presence, text string) {
	text, r.form = formOf(text)
	r.what, r.version = what, version{}
	r.set(text, Begin)
	r.begin = r.now()
	r.begin.path, r.sparse = r.File.From, nil
	r.Late = len(r.Alone) > 0 || r.early == tools.DeleteFile || what == Present && (r.early != 0 || r.altered)
	r.altered = false
	for i := range r.Alone {
		r.Alone[i].Early = true
	}
	if r.turn.what == Unclear {
		r.turn.what, r.turn.path, r.turn.version = r.what, r.path, r.version
	}
}

// observe is called when the log has the text of the file.
func (r *replayer) observe(step int, text string) {
	defer func() { r.knew, r.sure, r.altered = step, len(r.Alone), false }()
	if r.begin.what == Unclear {
		r.meet(Present, text)
		return
	}
	text, _ = formOf(text)
	if r.what == Present && r.text == text {
		r.settle()
		return
	}
	r.foreign(step, text)
	r.what = Present
	r.settle()
}

// maxWholeLine is the length from which programs cut off lines that they read.
const maxWholeLine = 2000

// observePart is called when the log has the lines of the file from one on, counted from 1. If they are not those that
// are known, somebody else changed the file, and its text is unknown until the log has all of it.
func (r *replayer) observePart(first int, part string) {
	part, _ = formOf(part)
	if r.sparse != nil {
		r.sparse.read(first, part)
	}
	if r.what != Present || r.stale {
		return
	}
	for i, line := range split(part) {
		known := ""
		if at := first - 1 + i; at < len(r.texts) {
			known = r.texts[at]
		}
		if len(line) < maxWholeLine && strings.TrimRight(line, "\r\n") != strings.TrimRight(known, "\r\n") {
			r.stale = true
			return
		}
	}
}

// observeAbsent is called when the log says that the file does not exist.
func (r *replayer) observeAbsent(step int) {
	switch {
	case r.begin.what == Unclear:
		r.meet(Absent, "")
	case r.what == Present:
		r.foreign(step, "")
	}
	r.what = Absent
	r.settle()
	r.knew, r.sure, r.altered = step, len(r.Alone), false
}

// settle ends a period in which the text was unknown. The changes of calls in it are part of the text known now.
func (r *replayer) settle() {
	if r.stale {
		r.stale, r.Alone = false, r.Alone[:min(r.sure, len(r.Alone))]
	}
}

// foreign sets the text that somebody else wrote.
func (r *replayer) foreign(step int, text string) {
	f := Foreign{After: r.knew, Before: step}
	for _, s := range r.set(text, Unknown) {
		f.Added += s.to1 - s.from1
		f.Removed += s.to0 - s.from0
	}
	r.Foreign = append(r.Foreign, f)
}

// withEnd returns a text of which the log does not tell whether its last line has an end. It ends like the known text,
// or like the next one in the log if that is empty.
func withEnd(text, known string, later []touch) string {
	const most = 100 // of as many reads and removals as a log can have
	for i := 0; known == "" && i < min(len(later), most); i++ {
		switch t := load(later[i].op); {
		case t.Before != nil && !t.EndUnknown:
			known = *t.Before
		case t.After != nil:
			known = *t.After
		}
	}
	if known != "" && !strings.HasSuffix(known, "\n") {
		return text
	}
	return text + "\n"
}
