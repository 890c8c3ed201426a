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

// A SiteSession is what sessions.json says of a session: see docs/schema/sessions.json.
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

// A SiteView is a site as it was at one moment: its sessions, and the index over them, whose files are read as they
// are asked for.
type SiteView struct {
	Index *search.Index
	facts siteFacts
}

// A SiteReader reads a site that may be built again meanwhile. It can be used by several goroutines.
type SiteReader struct {
	dir string

	mu     sync.Mutex
	stamps [2]fingerprint.Stamp // of what view was read from, see stampsOf
	view   *SiteView            // nil when it may have changed with the same stamps
}

// NewSiteReader reads the site in a folder.
func NewSiteReader(dir string) *SiteReader { return &SiteReader{dir: dir} }

// Read calls do with the site as it is. When the site is built meanwhile, do may meet files that do not fit together
// and fail: then it is called once more, with the site as it is by then.
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

// current is the site as it is; it is read again when it changed, or when anew is set.
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

// stampsOf are those of sessions.json and of the folder of the index: each file there is replaced as a whole, which
// changes the folder.
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
