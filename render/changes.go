package render

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"viewer/internal/changes"
	"viewer/normalize"
	"viewer/render/page"
)

// A ChangedFile is the net change of one file by a session.
type ChangedFile struct {
	Path string // relative to the folder of the session if inside, else absolute
	From string // its former path if a call renamed it, else ""

	Created, Gone, Binary bool
	Undone                bool // nothing is left of its changes by calls

	Added, Removed               int // lines that calls added and removed, net
	UnknownAdded, UnknownRemoved int // lines that others added and removed, net

	Calls int       // number of calls that changed it
	Last  time.Time // time of the last of these, zero if unknown
	Page  string    // address of its changes relative to the folder of the session, with a fragment
}

// A netChange is the net change of the calls of a session: the difference between the files before and after.
type netChange struct {
	steps  []changes.Step
	files  []changes.File // those with a net change, in the order of pages
	undone []changes.File
	turns  map[int]partialChange // by index of the turn

	outside partialChange // the part of it outside of the folder of the session

	edits                        int // calls that changed these files
	added, removed               int // lines, by calls
	unknownAdded, unknownRemoved int
	changesPlan
}

// A partialChange is a part of a net change: that of one turn, or that outside of the project.
type partialChange struct{ files, added, removed int }

// newNetChange replays the session. Files that memory has from a shorter version of the log are not replayed again.
func (b *pagesData) newNetChange(memory *changes.Memory) *netChange {
	n := &netChange{turns: make(map[int]partialChange)}
	if b.Fault || b.Rows {
		return n
	}
	c := b.Conversation
	n.steps = changes.Steps(c)
	folder := c.Facts.CWD
	all := changes.Replay(n.steps, changes.Options{Folder: folder, NoWriters: true, Memory: memory,
		Work: changes.UsualWork}).Files
	slices.SortStableFunc(all, func(a, b changes.File) int { // those of the project come first
		return cmp.Or(cmp.Compare(outsideOf(a.Path, folder), outsideOf(b.Path, folder)), cmp.Compare(a.Path, b.Path))
	})
	calls := make(map[int]bool)
	for i := range all {
		f := &all[i]
		for _, part := range f.Turns {
			if part.Added+part.Removed > 0 || part.LinesUnknown {
				t := n.turns[part.Turn]
				n.turns[part.Turn] = partialChange{t.files + 1, t.added + part.Added, t.removed + part.Removed}
			}
		}
		for _, step := range f.Steps {
			calls[step] = true
		}
		if !f.Left() {
			n.undone = append(n.undone, *f)
			continue
		}
		added, removed := f.ByCalls()
		n.added, n.removed = n.added+added, n.removed+removed
		if folder != "" && outsideOf(f.Path, folder) > 0 {
			n.outside = partialChange{n.outside.files + 1, n.outside.added + added, n.outside.removed + removed}
		}
		n.unknownAdded += f.Net.ForeignAdded
		n.unknownRemoved += f.Net.ForeignRemoved
		f.Redact(b.Redact)
		n.files = append(n.files, *f)
	}
	n.edits = len(calls)
	n.changesPlan = b.planChanges(n)
	return n
}

func outsideOf(name, folder string) int {
	if _, ok := changes.Below(name, folder); ok {
		return 0
	}
	return 1
}

// listed returns the files for pages outside of the session.
func (n *netChange) listed(s *sessionData) []ChangedFile {
	all := make([]ChangedFile, 0, len(n.files)+len(n.undone))
	for i, files := range [][]changes.File{n.files, n.undone} {
		for j := range files {
			f := &files[j]
			c := ChangedFile{
				Path: strings.Clone(s.below(f.Path)), Created: f.Created(), Gone: f.Gone(), Binary: f.Binary,
				Undone: i > 0, UnknownAdded: f.Net.ForeignAdded, UnknownRemoved: f.Net.ForeignRemoved,
				Calls: len(f.Steps),
			}
			if f.From != "" {
				c.From = strings.Clone(s.below(f.From))
			}
			c.Added, c.Removed = f.ByCalls()
			last := &n.steps[f.Steps[len(f.Steps)-1]]
			c.Last, c.Page = last.Time, s.place(last.Anchor)
			if !c.Undone {
				c.Page = n.places[j]
			}
			all = append(all, c)
		}
	}
	return all
}

// changeOf returns the net change of a turn of the session itself.
func (s *sessionData) changeOf(t *normalize.Turn) partialChange {
	if s.turns[t] {
		return s.net().turns[t.Index]
	}
	return partialChange{}
}

// turnLines returns the lines of the net change of a turn: "+116 −17".
func (s *sessionData) turnLines(t *normalize.Turn) string {
	n := s.changeOf(t)
	var words []string
	for _, f := range page.LineFacts(n.added, n.removed) {
		words = append(words, f.Text)
	}
	return strings.Join(words, " ")
}

// netWords describes a net change: "3 files +116 −17".
func netWords(files, added, removed int) string {
	words, space := plural(files, "file", "files"), " "
	if added > 0 {
		words += " +" + count(added)
		space = "\u00a0" // keep both on one line
	}
	if removed > 0 {
		words += space + "−" + count(removed)
	}
	return words
}

// below shortens the path of a file that the session changed.
func (s *sessionData) below(name string) string {
	if short, ok := changes.Below(name, s.cwd); ok {
		return short
	}
	return name
}
