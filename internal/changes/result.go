package changes

import "slices"

// A Writer is who wrote a line: the index of a step, or one of the constants.
type Writer int32

const (
	Begin   Writer = -1 // the line was there when the session first saw the file
	Unknown Writer = -2 // written while the session ran, but by no call in the log
)

// A Presence is what is known about a file at some time.
type Presence uint8

const (
	Unclear Presence = iota // the file may exist, and its text is unknown
	Absent                  // the file does not exist
	Present                 // the file exists, and its text is known
)

// A File is the result of a replay for one file.
type File struct {
	Path string // at the end
	From string // at the beginning, if a tool has renamed it since; else ""

	Begin, End Presence
	Binary     bool // it has a zero byte, and no diff
	Large      bool // it is too large to be replayed, and has no diff
	// The text at the beginning is unknown: Net starts from the first text in the log, and Alone has the changes of
	// calls before it.
	Late bool
	// A command may have changed the file since its text was last known.
	Altered bool

	Net     Diff
	Alone   []Alone   // changes by calls whose surroundings are unknown, unless Net has them
	Foreign []Foreign // changes by others
	Turns   []Part    // net diff of each turn that touched the file, in order
	Steps   []int     // the steps that changed it

	Writers []Writer // of each line of the text at the end; nil if unknown
	Words   []Writer // like Writers, but ignoring white space: who wrote a line that was only formatted later

	// CRLF and BOM describe the file. The lines of Net and Alone have neither line ends nor a byte order mark.
	CRLF, BOM bool

	// Set with Options.Texts.
	Before, After string
}

// A Diff is the difference between two texts of a file.
type Diff struct {
	Hunks          []Hunk
	Added, Removed int // number of lines

	// the part of these that no call added or removed
	ForeignAdded, ForeignRemoved int
}

// An Alone is a change by a call whose surroundings are unknown.
type Alone struct {
	Step           int
	Early          bool // it came before the text from which the net diff starts
	Whole          bool // it wrote the whole file
	Path           string
	Hunks          []Hunk // without line numbers if the log has none
	Added, Removed int
}

// LinesUnknown reports whether the log does not tell which lines changed: the call wrote a whole file, of which the log
// has no earlier text, or no text of it is in the log.
func (a Alone) LinesUnknown() bool { return len(a.Hunks) == 0 }

// A Foreign is a change between two calls that no call made.
type Foreign struct {
	// indexes of the last step at which the text was known, which may be -1, and of the step that found another text
	After, Before  int
	Added, Removed int // number of lines
}

// A Part is the net diff of one turn, without lines of unknown writers.
type Part struct {
	Turn           int
	Added, Removed int
	LinesUnknown   bool // of at least one change
}

// ByCalls returns how many lines of the net diff calls added and removed.
func (f *File) ByCalls() (added, removed int) {
	added, removed = f.Lines()
	return added - f.Net.ForeignAdded, removed - f.Net.ForeignRemoved
}

// Left reports whether any change of the session is left at the end, as far as the log tells.
func (f *File) Left() bool {
	added, removed := f.Lines()
	return !f.temporary() && (added+removed > 0 || f.From != "" || f.Binary || f.Large ||
		f.Created() || f.Gone() || f.Altered && f.End == Unclear || slices.ContainsFunc(f.Alone, Alone.LinesUnknown))
}

// temporary reports whether the session made the file and removed it. A file that is first written as a whole, and is
// gone in the end, was most likely not there before.
func (f *File) temporary() bool {
	return f.Gone() && (f.Begin == Absent || f.Late && len(f.Alone) > 0 && f.Alone[0].Whole)
}

// Created reports whether the session created the file.
func (f *File) Created() bool { return f.Begin == Absent && f.End != Absent }

// Gone reports whether the file does not exist at the end.
func (f *File) Gone() bool { return f.End == Absent }

// Lines returns how many lines were added and removed, as far as the log tells.
func (f *File) Lines() (added, removed int) {
	added, removed = f.Net.Added, f.Net.Removed
	for _, a := range f.Alone {
		added, removed = added+a.Added, removed+a.Removed
	}
	return added, removed
}

// A Net is the size of what a session changed: the number of files that differ at the end, and of their lines.
type Net struct {
	Files                        int
	Added, Removed               int // by calls
	UnknownAdded, UnknownRemoved int // by nobody known
}

// Net returns the sum over all files.
func (r *Result) Net() Net {
	var n Net
	for i := range r.Files {
		f := &r.Files[i]
		if !f.Left() {
			continue
		}
		added, removed := f.ByCalls()
		n.Files++
		n.Added, n.Removed = n.Added+added, n.Removed+removed
		n.UnknownAdded += f.Net.ForeignAdded
		n.UnknownRemoved += f.Net.ForeignRemoved
	}
	return n
}
