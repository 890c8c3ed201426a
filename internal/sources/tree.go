package sources

import (
	"path"
	"slices"
	"strings"
)

// A Tree holds the files below a folder of sessions, or one session file and its neighbours.
type Tree struct {
	Base  string   // the name of the folder
	Only  string   // the path of the only session file to read, "" for all
	Paths []string // of the files, with forward slashes, sorted by bytes
	// Head returns the beginning of a file, see ReadHead, or nil if it cannot be read.
	Head func(path string) []byte
	// Parts has the sources of sessions that share a file with others, by their paths.
	Parts map[string]Source

	taken []bool // by index of Paths: a source has taken the file
	named nameIndex
}

// A nameIndex finds the files of a tree by their names. Files of one name are a list.
type nameIndex struct {
	first map[string]int
	next  []int // by index of Paths, -1 at the end of a list
}

// A Folder is a folder with sessions. Files are given as indexes of Tree.Paths.
type Folder struct {
	Name string // name of the folder
	// OfPath reports that the name encodes a working directory, so that folders of this name are one project.
	OfPath   bool
	Sessions []Session
	Loose    []Agent // agents next to the sessions, which name their session in Facts.SessionID
	About    []int   // files about sessions that Arrange has read
}

// A Session is the files of one session.
type Session struct {
	ID     string
	Log    int    // the file of the main conversation, -1 if it is gone
	Path   string // the path of that file, even if it is gone
	Folder string // the working directory if a file around the log has it, for logs that do not name it
	Agents []Agent
	Beside []int // other files of the session, see Source.Role
}

// An Agent is the file of a conversation that another one started.
type Agent struct {
	ID   string
	Run  string // the workflow run that it belongs to, "" for none
	Log  int
	Meta int // the file that describes it, -1 for none
}

// A Role is what a file next to a session is for.
type Role int

const (
	RoleOther  Role = iota
	RoleTitle       // the title that the user gave the session
	RoleRun         // a workflow run, named by its id
	RoleOutput      // output of a tool that was too long for the log, named by its file
)

// Matches reports whether a source recognizes a file by its beginning.
func (t *Tree) Matches(s Source, path string) bool { return s.Match(NewHead(t.Head(path))) }

// Unpacked returns a path without the extension of a compressed file. The content tells whether it is one.
func Unpacked(p string) string { return strings.TrimSuffix(strings.TrimSuffix(p, ".gz"), ".zst") }

// WithoutExt returns a path without its extension, and without a second one if the last is that of a compressed file.
func WithoutExt(p string) string {
	p = Unpacked(p)
	return strings.TrimSuffix(p, path.Ext(p))
}

// IsLog reports whether a path has the extension of JSONL, or of compressed JSONL.
func IsLog(p string) bool { return path.Ext(Unpacked(p)) == ".jsonl" }

// Stem returns the name of a file without folder and extension.
func Stem(p string) string { return WithoutExt(path.Base(p)) }

// Place returns the index of a path in Paths, and whether it is there.
func (t *Tree) Place(path string) (int, bool) { return slices.BinarySearch(t.Paths, path) }

// Named returns the indexes of the files that have one of some names, in whatever folder. Most sources look for a few
// names among thousands of files.
func (t *Tree) Named(names ...string) []int {
	if t.named.first == nil {
		t.named = nameIndex{make(map[string]int, len(t.Paths)), make([]int, len(t.Paths))}
		for i, p := range t.Paths {
			name := p[strings.LastIndexByte(p, '/')+1:]
			next, ok := t.named.first[name]
			if !ok {
				next = -1
			}
			t.named.next[i], t.named.first[name] = next, i
		}
	}
	var all []int
	for _, name := range names {
		if i, ok := t.named.first[name]; ok {
			for ; i >= 0; i = t.named.next[i] {
				all = append(all, i)
			}
		}
	}
	slices.Sort(all)
	return all
}

// LeaveNamed calls Leave for the files that have one of some names.
func (t *Tree) LeaveNamed(names ...string) {
	for _, i := range t.Named(names...) {
		t.Leave(i)
	}
}

// NameOf returns the name of a folder in the tree, given its path. "" and "." are the tree itself.
func (t *Tree) NameOf(dir string) string {
	if name := path.Base(dir); name != "." {
		return name
	}
	return t.Base
}

// take marks the files of a folder as taken.
func (t *Tree) take(fo *Folder) {
	if t.taken == nil {
		t.taken = make([]bool, len(t.Paths))
	}
	take := func(i int) {
		if i >= 0 {
			t.taken[i] = true
		}
	}
	agents := func(all []Agent) {
		for _, a := range all {
			take(a.Log)
			take(a.Meta)
		}
	}
	for _, s := range fo.Sessions {
		take(s.Log)
		agents(s.Agents)
		for _, i := range s.Beside {
			take(i)
		}
	}
	agents(fo.Loose)
	for _, i := range fo.About {
		take(i)
	}
}

// Leave marks a file as not being a session, so that no source reads it.
func (t *Tree) Leave(i int) {
	if t.taken == nil {
		t.taken = make([]bool, len(t.Paths))
	}
	t.taken[i] = true
}

// leavePacked marks each compressed file next to the same file uncompressed.
func (t *Tree) leavePacked() {
	for i, p := range t.Paths {
		if plain := Unpacked(p); plain != p && t.Only == "" {
			if _, both := t.Place(plain); both {
				t.Leave(i)
			}
		}
	}
}

// Taken reports whether an earlier source of the list has a file.
func (t *Tree) Taken(i int) bool { return t.taken != nil && t.taken[i] }
