package sitegen

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"viewer/render"
	"viewer/search"
)

// SearchIndex reads the sessions that the filter chooses, and makes the index
// that a site of them would have.
func SearchIndex(ctx context.Context, o Options) (*search.Index, error) {
	if err := o.ready(); err != nil {
		return nil, err
	}
	v, err := look(ctx, o)
	if err != nil {
		return nil, err
	}
	defer v.close()
	projects, err := v.projects(ctx)
	if err != nil {
		return nil, err
	}
	if projects, err = o.Filter.choose(projects); err != nil {
		return nil, err
	}
	type entry struct {
		search.Entry
		start time.Time
	}
	var all []*entry
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range projects {
		if err := relate(p, newState(digest{})); err != nil { // a copied history is found once
			return nil, err
		}
		for _, s := range p.sessions {
			e := new(entry)
			all = append(all, e)
			group.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				in, err := o.read(p, s)
				if err != nil || isEmpty(in) { // a file that cannot be read any more has nothing to find
					return nil
				}
				c, title := in.Conversation, render.Title(in.Conversation)
				e.start = c.Facts.Start
				e.Entry = search.Entry{Folder: s.folder, Title: title, Project: in.Project.Name, Models: c.Facts.Models}
				e.Units = slices.Collect(search.Units(search.Session{Conversation: c, Title: title, Spilled: in.Spilled, Page: render.Open(in).PageOf}))
				return nil
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(e *entry) bool { return e.Units == nil })
	slices.SortFunc(all, func(a, b *entry) int { return cmp.Or(a.start.Compare(b.start), cmp.Compare(a.Folder, b.Folder)) })
	entries := make([]search.Entry, len(all))
	for i, e := range all {
		entries[i] = e.Entry
	}
	return search.NewIndex(entries), nil
}
