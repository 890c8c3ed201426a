package sitegen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"viewer/internal/fingerprint"
	"viewer/internal/search"
)

// A SiteSession is a session in sessions.json, see docs/schema/sessions.json.
type SiteSession struct {
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

// A SiteView is a snapshot of a site: its sessions, and the index over them, whose files are read on demand.
type SiteView struct {
	Index *search.Index
	facts siteFacts
}

// A SiteReader reads a site that may be built again meanwhile. It is safe for concurrent use.
type SiteReader struct {
	dir string

	mu     sync.Mutex
	stamps [2]fingerprint.Stamp // stamps of the files that view was read from, see stampsOf
	view   *SiteView            // nil if the files may have changed without changing their stamps
}

// NewSiteReader returns a reader for the site in a folder.
func NewSiteReader(dir string) *SiteReader { return &SiteReader{dir: dir} }

// Read calls do with the current site. If the site is built meanwhile, do may see files that do not match and fail.
// Then it is called once more with the new site.
func (r *SiteReader) Read(do func(*SiteView) error) error {
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
func (r *SiteReader) current(anew bool) (*SiteView, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	stamps, err := r.stampsOf()
	if err != nil {
		return nil, err
	}
	if r.view != nil && stamps == r.stamps && !anew {
		return r.view, nil
	}
	view, now := &SiteView{}, time.Now()
	if view.facts, err = readFacts(r.dir); err != nil {
		return nil, err
	}
	if view.Index, err = SiteIndex(r.dir); err != nil {
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
func (r *SiteReader) stampsOf() (stamps [2]fingerprint.Stamp, err error) {
	for i, name := range []string{factsName, search.Folder} {
		info, err := os.Stat(filepath.Join(r.dir, name))
		if err != nil && (i == 0 || !errors.Is(err, fs.ErrNotExist)) {
			return stamps, fmt.Errorf("reading %s: %w", filepath.Join(r.dir, name), Cause(err))
		}
		if err == nil {
			stamps[i] = fingerprint.StampOf(info)
		}
	}
	return stamps, nil
}
