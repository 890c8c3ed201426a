package sitegen

import (
	"slices"
	"time"

	"viewer/internal/sitegen/output"
)

// A state is what a build leaves for the next one: what it has read, what it
// has made of it, and the problems it met, so that a build that draws nothing
// says the same as the one that drew everything.
//
// Three rules. What is kept of a session depends on its own files and on
// what its key names, and on nothing else. It is used again only under the same
// program and the same options. A state that cannot be read is no error: it
// means a full build, with a reason.
//
// It names no folder or file of the machine that it was made on, since a site
// is published with all that lies in it.
type state struct {
	base     digest                   // of the program and the options
	report   string                   // of the build, as JSON
	files    map[digest]knownFile     // by file.id
	outputs  *output.Manifest         // by name below the top of the site
	sessions map[digest]*knownSession // by the id of the main file
	loose    map[digest]string        // facts of agent files beside sessions, recorded, by the id of the file
	found    map[digest]foundIDs      // which of the records that compactions go on from a file holds, by its id
	looked   map[digest]foundIDs      // the same as this build has looked for it
	indexes  map[string]digest        // keys of index pages
	sizes    map[string]int           // of the rows in the blocks of the search index, by the name of the directory
	why      string                   // nothing of it can be used, "" when it can or when there is none
	lost     bool                     // it is not known which sessions there were
}

type knownFile struct {
	stamp
	content digest
}

func newState(base digest) *state {
	return &state{
		base: base, files: make(map[digest]knownFile), outputs: new(output.Manifest), sessions: make(map[digest]*knownSession),
		loose: make(map[digest]string), found: make(map[digest]foundIDs), looked: make(map[digest]foundIDs), indexes: make(map[string]digest), sizes: make(map[string]int),
	}
}

// The files of the state. The small one is all that a build reads when nothing
// has changed.
const (
	filesName    = output.StateDir + "/files"
	sessionsName = output.StateDir + "/sessions"
)

// trusted is what is known of a file that has not changed since.
func (s *state) trusted(f file) (knownFile, bool) {
	k, ok := s.files[f.id]
	return k, ok && k.stamp == f.stamp
}

// same says that these are the files of the last build, and as they were then.
func (s *state) same(files []file) bool {
	return len(files) == len(s.files) && !slices.ContainsFunc(files, func(f file) bool {
		_, ok := s.trusted(f)
		return !ok
	})
}

// remember notes a file as it was read, unless a later change could not be told
// from what was read.
func (s *state) remember(f file, content digest, now time.Time) {
	if f.stamp.Racy(now) {
		f.stamp.Mod = -1
	}
	s.files[f.id] = knownFile{f.stamp, content}
}
