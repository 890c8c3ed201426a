package publication

import (
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"viewer/internal/failure"
	"viewer/internal/publish"
	"viewer/internal/sitedata"
	"viewer/internal/sitegen"
)

// buildSite builds the site in the user's cache folder and finds the files to publish.
func (p *Publication) buildSite(ctx context.Context) (err error) {
	o := p.Build
	o.Narrow = true
	o.Notes = sitegen.NoteFiles{Off: !p.Notes, Placed: true, Folders: []string{"."}}
	o.Filter.Without = p.without(ctx)
	if p.Staging, err = stagingFolder(p.Place); err != nil {
		return err
	}
	o.Out = p.Staging
	o.Accept = p.checkOthersStay // before the staging folder loses the pages of sessions whose files are missing
	site, err := p.updateSite(ctx, o)
	if others := p.notPublished(site.Sessions); err == nil && len(others) > 0 {
		o.Filter.Without = append(o.Filter.Without, others...)
		site, err = p.updateSite(ctx, o)
	}
	none := errors.Is(err, sitegen.ErrNone) && len(p.Next.Out) > 0 // all sessions were removed
	if err != nil && !none {
		return err
	}
	var ids []string
	for _, s := range site.Sessions {
		p.sessions = append(p.sessions, publish.Session{ID: s.ID, Page: s.Page, Title: s.Title})
		ids = append(ids, s.ID)
	}
	if err := p.checkOthersStay(ids); err != nil || none {
		return err
	}
	p.Report = site.Report
	p.files, err = p.siteFiles(site.Files)
	return err
}

func (p *Publication) updateSite(ctx context.Context, o sitegen.Options) (sitegen.Published, error) {
	update, done := p.Progress()
	defer done()
	o.Progress = update
	return sitegen.BuildPublished(ctx, o)
}

// notPublished returns the sessions that are not published yet: a revocation must not publish them.
func (p *Publication) notPublished(sessions []sitedata.Session) (ids []string) {
	for _, s := range sessions {
		if len(p.Revoke) > 0 && p.Old.Published(s.ID) == nil {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// checkOthersStay returns an error if a revocation would remove other sessions than those that stay: their sources were
// probably forgotten.
func (p *Publication) checkOthersStay(stay []string) error {
	if len(p.Revoke) == 0 || p.Build.Prune {
		return nil
	}
	stays := make(map[string]bool, len(stay))
	for _, id := range stay {
		stays[id] = true
	}
	for _, s := range p.Old.Sessions {
		if !stays[s.ID] && !p.Next.IsOut(s.ID) {
			return failure.New(fmt.Errorf("revoking would also remove %s from %s, which the sources and filters leave out",
				s.ID, p.Place.Name),
				"name the sources that were published, or use --prune to remove what they leave out, too")
		}
	}
	return nil
}

// stagingFolder returns the folder where the site of a place is built. It is kept, so that a site that was published
// from this machine is updated and keeps sessions whose files are missing.
func stagingFolder(place *publish.Place) (string, error) {
	cache, err := os.UserCacheDir()
	var id, folder string
	if err == nil {
		id, err = place.ID()
	}
	if err == nil {
		folder = filepath.Join(cache, "viewer", fmt.Sprintf("publish-%x", md5.Sum([]byte(id))))
		err = os.MkdirAll(folder, 0o700)
	}
	if err != nil {
		return "", failure.New(fmt.Errorf("finding a cache folder: %w", failure.Cause(err)),
			"set HOME, or XDG_CACHE_HOME, to a folder that can be written to")
	}
	return folder, nil
}
