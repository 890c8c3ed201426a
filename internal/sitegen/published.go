package sitegen

import (
	"context"
	"strings"
	"sync"

	"viewer/internal/redact"
	"viewer/internal/sitedata"
	"viewer/internal/sitegen/output"
	"viewer/render"
	"viewer/render/single"
)

// A Published is a site that was built to be copied elsewhere.
type Published struct {
	Report
	Files    []string // of the site, without those of its state
	Sessions []sitedata.Session
}

// BuildPublished updates the site in a folder, as Build does, and lists its files. It leaves out other files of the
// folder and those of the state.
func BuildPublished(ctx context.Context, o Options) (Published, error) {
	return once(o, func(s *Site) (p Published, err error) {
		if p.Report, err = s.Build(ctx); err != nil {
			return p, err
		}
		for _, name := range s.out.Names("") {
			if !strings.HasPrefix(name, output.StateDir+"/") {
				p.Files = append(p.Files, name)
			}
		}
		p.Sessions, err = sitedata.Sessions(o.Out)
		return p, err
	})
}

// A ListedPage is an entry of a list of published pages.
type ListedPage = single.Published

// A PublishedPage is a session as one self-contained file.
type PublishedPage struct {
	ID string
	single.Published
	HTML []byte
}

// EachPublishedPage draws each session that the filter chooses, and calls do with it, on all cores. The report has the
// sums of all ledgers.
func EachPublishedPage(ctx context.Context, o Options, do func(PublishedPage) error) (r Report, err error) {
	o.Originals = true // for net changes
	var mu sync.Mutex
	err = o.EachSession(ctx, false, func(s Chosen) error {
		if s.Empty {
			return nil
		}
		s.Relations = nil // they contain titles of other sessions, which may be revoked or for other readers
		d := single.Draw([]render.Session{s.Session})
		mu.Lock()
		r.Ledger.Redacted = addCounts(r.Ledger.Redacted, d.Ledger.Redacted)
		r.Ledger.Sure += d.Ledger.Sure
		mu.Unlock()
		return do(PublishedPage{
			ID: d.Summary.ID, HTML: d.Pages[0].HTML,
			Published: single.Published{
				Title:   strings.Clone(d.Summary.Title), // which may be a piece of the session
				Project: strings.Clone(d.Summary.Project.Name), Start: d.Summary.Start,
			},
		})
	})
	return r, err
}

func addCounts(all, more map[string]int) map[string]int {
	if all == nil {
		all = make(map[string]int)
	}
	for name, n := range more {
		all[name] += n
	}
	return all
}

// PublishedList draws the list of sessions as one self-contained file.
func PublishedList(sessions []single.Published, version string) []byte {
	return single.DrawPublished(sessions, "viewer "+version)
}

// Unsure counts the replaced texts that only look like secrets.
func (r *Report) Unsure() int {
	n := -r.Ledger.Sure
	for rule, count := range r.Ledger.Redacted {
		if !redact.IsPersonal(rule) {
			n += count
		}
	}
	return max(n, 0)
}
