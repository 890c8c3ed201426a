package state

import (
	"time"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

// A State is what a build leaves for the next one: what it read, what it made of it, and the problems it found. So a
// build that draws nothing reports the same as the one that drew everything.
type State struct {
	Base       fingerprint.Digest              // hash of the program and the options
	Report     string                          // of the build, as JSON
	Files      map[fingerprint.Digest]File     // of the sources, by id
	Outputs    *output.Manifest                // the files of the site
	Sessions   map[fingerprint.Digest]*Session // by the id of the main file
	LooseFacts map[fingerprint.Digest]string   // encoded facts of agents next to sessions, by the id of the file
	Lookups    map[fingerprint.Digest]Lookup   // which records of compactions a file has, by its id
	NewLookups map[fingerprint.Digest]Lookup   // the same, of this build
	IndexKeys  map[string]fingerprint.Digest   // keys of index pages
	RowSizes   map[string]int                  // bytes of the rows of search blocks, by directory
	Segments   map[string][]byte               // of this build that have no files of their own, see SegmentsDir
	Unusable   string                          // why it cannot be used, "" if it can or if there is none
	Lost       bool                            // it is not known which sessions there were

	disk      *diskState           // what the folder holds of it, nil where that is not known or is not all of it
	outdated  bool                 // the sessions are of other options or another program
	overlays  bool                 // Sessions are only those that updates tell of, nil for those that are gone
	restamped []fingerprint.Digest // files that SetFile has changed since it was read or written
}

// A File is a source file as it was read.
type File struct {
	fingerprint.Stamp
	Content fingerprint.Digest
}

// New returns the state of a site that was not built yet.
func New(base fingerprint.Digest) *State {
	return &State{
		Base:       base,
		Files:      make(map[fingerprint.Digest]File),
		Outputs:    new(output.Manifest),
		Sessions:   make(map[fingerprint.Digest]*Session),
		LooseFacts: make(map[fingerprint.Digest]string),
		Lookups:    make(map[fingerprint.Digest]Lookup),
		NewLookups: make(map[fingerprint.Digest]Lookup),
		IndexKeys:  make(map[string]fingerprint.Digest),
		RowSizes:   make(map[string]int),
	}
}

// The files of the state. The small one is all that a build reads when nothing
// has changed.
const (
	FilesName    = output.StateDir + "/files"
	SessionsName = output.StateDir + "/sessions"
)

// Unchanged returns what the state knows of a file, and whether the file still has the same stamp.
func (s *State) Unchanged(id fingerprint.Digest, stamp fingerprint.Stamp) (File, bool) {
	f, ok := s.Files[id]
	return f, ok && f.Stamp == stamp
}

// SetFile notes a file as it was read. The time is left out if a later change could leave the same stamp.
func (s *State) SetFile(id fingerprint.Digest, stamp fingerprint.Stamp, content fingerprint.Digest, now time.Time) {
	if stamp.Racy(now) {
		stamp.Mod = -1
	}
	s.Files[id] = File{stamp, content}
	if s.disk != nil {
		s.restamped = append(s.restamped, id)
	}
}
