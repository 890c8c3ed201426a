package sitegen

import (
	"cmp"
	"iter"

	"viewer/internal/sources"
)

// A place is the facts about the working directory of a session that determine its project.
type place struct {
	cwd      string // the working directory, or its main work tree
	hash     string // hash of it, "" for none
	name     string // the name of the repository if cwd does not end in it, else ""
	worktree string // the name of the work tree, "" for the main one and outside of repositories
}

// places finds out which working directories are one project: those of the work trees of one repository. Two
// repositories are never merged. A path counts as a work tree only if it has a name that only programs for work trees
// use, if there are sessions in the main work tree that the path names, or if the logs name the same repository.
type places struct {
	worked  map[string]bool      // hashes of working directories that are in no work tree
	cloned  map[string]mainPlace // the main folder of a repository, by the hash of its address
	present bool                 // there is a work tree
}

// A mainPlace is a working directory in which a repository was found.
type mainPlace struct {
	place
	several bool
}

// newPlaces collects the facts of all sessions.
func newPlaces(folders []*folder) *places {
	p := &places{worked: make(map[string]bool), cloned: make(map[string]mainPlace)}
	for _, fo := range folders {
		last := new(sources.Facts) // most sessions of a folder have the same place
		for f := range fo.logs() {
			facts := f.facts()
			if facts.CWD == last.CWD && facts.CWDHash == last.CWDHash && facts.Repository == last.Repository {
				continue
			}
			last = facts
			if _, ok := sources.WorktreeOf(facts.CWD); ok {
				p.present = true
				continue
			}
			p.worked[facts.CWDHash] = true
			if facts.Repository == "" || facts.CWD == "" {
				continue
			}
			found := mainPlace{place: place{cwd: facts.CWD, hash: facts.CWDHash}}
			if known, again := p.cloned[facts.Repository]; again && known.hash != found.hash {
				found.several = true
			} else if again {
				found = known
			}
			p.cloned[facts.Repository] = found
		}
	}
	return p
}

// of returns the place of a session.
func (p *places) of(facts *sources.Facts) place {
	own := place{cwd: facts.CWD, hash: facts.CWDHash}
	if !p.present {
		return own
	}
	w, ok := sources.WorktreeOf(facts.CWD)
	if !ok {
		return own
	}
	if w.Main != "" {
		if facts.MainHash != "" && (w.Sure || p.worked[facts.MainHash]) {
			return place{cwd: w.Main, hash: facts.MainHash, worktree: w.Name}
		}
		return own
	}
	own.worktree, own.name = w.Name, w.Repository
	if facts.Repository == "" {
		return own
	}
	if main, found := p.cloned[facts.Repository]; found && !main.several {
		return place{cwd: main.cwd, hash: main.hash, worktree: w.Name}
	}
	own.hash = cmp.Or("repository "+facts.Repository, own.hash)
	return own
}

// settlePlaces sets the places of all sessions.
func (v *survey) settlePlaces() {
	p := newPlaces(v.folders)
	for _, fo := range v.folders {
		for f := range fo.logs() {
			f.scanned.place = p.of(f.facts())
		}
	}
}

// logs returns the files of the sessions of a folder and of the agents next to them.
func (fo *folder) logs() iter.Seq[file] {
	return func(yield func(file) bool) {
		for _, s := range fo.sessions {
			if !yield(s.main) {
				return
			}
		}
		for _, a := range fo.loose {
			if !yield(a.file) {
				return
			}
		}
	}
}
