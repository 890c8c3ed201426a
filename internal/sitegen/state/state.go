package state

import (
	"time"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

// A State is what a build leaves for the next one: the files it read, its results, and the problems it found. A build
// that draws nothing can so report the same as the one that drew everything.
type State struct {
	Base       fingerprint.Digest              // hash of the program and the options
	Report     string                          // of the build, as JSON
	Listing    fingerprint.Digest              // of the list of the files of the sources, zero if it is unknown
	Files      map[fingerprint.Digest]File     // of the sources, by id
	Outputs    *output.Manifest                // the files of the site
	Sessions   map[fingerprint.Digest]*Session // by the id of the main file
	LooseFacts map[fingerprint.Digest]string   // encoded facts of agents next to sessions, by the id of the file
	Lookups    map[fingerprint.Digest]Lookup   // which records of compactions a file has, by its id
	NewLookups map[fingerprint.Digest]Lookup   // those of this build
	IndexKeys  map[string]fingerprint.Digest   // keys of index pages
	RowSizes   map[string]int                  // bytes of the rows of search blocks, by directory
	// InsightSums are the insights of some sessions, by a hash of those of each. Updates of the state do not have them:
	// they are large, and the next build adds up again what is missing.
	InsightSums map[fingerprint.Digest]InsightSum

	Segments map[string][]byte // segments of this build without files, see SegmentsDir
	Unusable string            // why it cannot be used, "" if it can or if there is none
	Lost     bool              // its sessions are unknown

	disk      *diskState           // the stored part of it, nil if unknown or incomplete
	outdated  bool                 // the sessions are from other options or another program
	overlays  bool                 // Sessions contains only those in updates, nil for removed ones
	restamped []fingerprint.Digest // files that SetFile has changed since it was read or written
}

// A File is a source file as it was read.
type File struct {
	fingerprint.Stamp
	Content fingerprint.Digest
}

// New returns the state of a new site.
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

		InsightSums: make(map[fingerprint.Digest]InsightSum),
	}
}

// The files of the state. The small one is all that a build reads when nothing
// has changed.
const (
	FilesName    = output.StateDir + "/files"
	SessionsName = output.StateDir + "/sessions"
)

// Unchanged returns the entry of a file, and whether the file still has the same stamp.
func (s *State) Unchanged(id fingerprint.Digest, stamp fingerprint.Stamp) (File, bool) {
	f, ok := s.Files[id]
	return f, ok && f.Stamp == stamp
}

// SetFile records a file as it was read. The time is left out if a later change could leave the same stamp.
func (s *State) SetFile(id fingerprint.Digest, stamp fingerprint.Stamp, content fingerprint.Digest, now time.Time) {
	if stamp.Racy(now) {
		stamp.Mod = -1
	}
	s.Files[id] = File{stamp, content}
	if s.disk != nil {
		s.restamped = append(s.restamped, id)
	}
}
