package sitegen

import (
	"context"
	"strings"

	"viewer/internal/redact"
	"viewer/internal/sitegen/output"
)

// A Published is a site that was built to be copied elsewhere.
type Published struct {
	Report
	Files    []string // of the site, without those of its state
	Sessions []SiteSession
}

// BuildPublished updates the site in a folder, as Build does, and lists what it consists of. Other files of the folder,
// and those of the state, are not among it.
func BuildPublished(ctx context.Context, o Options) (p Published, err error) {
	s := NewSite(o)
	s.oneShot = true
	p.Report, err = s.Build(ctx)
	if err == nil {
		for _, name := range s.out.Names("") {
			if !strings.HasPrefix(name, output.StateDir+"/") {
				p.Files = append(p.Files, name)
			}
		}
		var facts siteFacts
		if facts, err = readFacts(o.Out); err == nil {
			p.Sessions, err = facts.all()
		}
	}
	if closing := s.Close(); err == nil {
		err = closing
	}
	return p, err
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
