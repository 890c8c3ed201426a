package sitedata

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/search"
)

// A Session is a session in sessions.json, see docs/schema/sessions.json.
type Session struct {
	ID           string    `json:"id"`
	Title        string    `json:"title"`
	Project      string    `json:"project"`
	Agent        string    `json:"agent"`
	Page         string    `json:"page"` // below the top of the site
	Start        time.Time `json:"start"`
	WorkSeconds  int64     `json:"workSeconds"`
	Branch       string    `json:"branch"`
	Models       []string  `json:"models"`
	Prompts      int       `json:"prompts"`
	Calls        int       `json:"calls"`
	Failed       int       `json:"failed"`
	Cost         float64   `json:"costUSD"`
	Mark         string    `json:"mark"`
	Asked        string    `json:"asked"`
	Ending       string    `json:"ending"`
	Commits      int       `json:"commits"`
	PullRequests []string  `json:"pullRequests"`
	Files        int       `json:"netFiles"`
	Added        int       `json:"netAdded"`
	Removed      int       `json:"netRemoved"`
}

// A View is a snapshot of a site: its sessions, and the index over them, whose files are read on demand.
type View struct {
	Index *search.Index
	facts facts
}

// A Reader reads a site that may be built again meanwhile. It is safe for concurrent use.
type Reader struct {
	dir string

	mu     sync.Mutex
	stamps [2]fingerprint.Stamp // stamps of the files that view was read from, see stampsOf
	view   *View                // nil if the files may have changed without changing their stamps
}

// NewReader returns a reader for the site in a folder.
func NewReader(dir string) *Reader { return &Reader{dir: dir} }

// Read calls do with the current site. If the site is built meanwhile, do may see files that do not match and fail.
// Then it is called once more with the new site.
func (r *Reader) Read(do func(*View) error) error {
	view, err := r.current(false)
	if err == nil {
		err = do(view)
	}
	if err == nil {
		return nil
	}
	if view, again := r.current(true); again == nil {
		err = do(view)
	}
	return err
}

// current returns the current site. It is read again when it has changed or when anew is set.
func (r *Reader) current(anew bool) (*View, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	stamps, err := r.stampsOf()
	if err != nil {
		return nil, err
	}
	if r.view != nil && stamps == r.stamps && !anew {
		return r.view, nil
	}
	view, now := &View{}, time.Now()
	if view.facts, err = readFacts(r.dir); err != nil {
		return nil, err
	}
	if view.Index, err = Index(r.dir); err != nil {
		return nil, err
	}
	r.view, r.stamps = view, stamps
	if stamps[0].Racy(now) || stamps[1].Racy(now) {
		r.view = nil
	}
	return view, nil
}

// stampsOf returns the stamps of sessions.json and of the folder of the index. Replacing a file there changes the
// folder.
func (r *Reader) stampsOf() (stamps [2]fingerprint.Stamp, err error) {
	for i, name := range []string{FactsName, search.Folder} {
		info, err := os.Stat(filepath.Join(r.dir, name))
		if err != nil && (i == 0 || !errors.Is(err, fs.ErrNotExist)) {
			return stamps, fmt.Errorf("reading %s: %w", filepath.Join(r.dir, name), failure.Cause(err))
		}
		if err == nil {
			stamps[i] = fingerprint.StampOf(info)
		}
	}
	return stamps, nil
}
