package sitegen

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"viewer/internal/outcome"
	"viewer/internal/search"
	"viewer/internal/sitegen/output"
	"viewer/internal/stats"
	"viewer/render"
)

// SearchIndex reads the sessions that the filter chooses and builds the index of a site of them. Its texts and terms
// are in a spool until done is called.
func SearchIndex(ctx context.Context, o Options) (x *search.Index, done func(), err error) {
	var memory memoryLimit
	memory.set(0) // until the largest session is known
	defer memory.reset()
	v, projects, err := o.chosen(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer v.close()
	memory.set(v.largest())
	spool := new(output.Spool)
	var all []*found
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range projects {
		for _, s := range p.sessions {
			f := new(found)
			all = append(all, f)
			group.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				in, err := o.read(p, s)
				// A file that is no longer readable has nothing to find.
				if asFault(err) == nil && (err != nil || isUnlisted(in)) {
					return nil
				}
				if err == nil {
					err = o.withName(s, o.contain(func() error { return f.addUnits(in, spool) }))
				}
				if o.skip(s, err) {
					f.Units = nil
					return nil
				}
				return err
			})
		}
	}
	if err := group.Wait(); err != nil {
		spool.Close()
		return nil, nil, err
	}
	all = slices.DeleteFunc(all, func(f *found) bool { return f.Units == nil })
	slices.SortFunc(all, func(a, b *found) int {
		return cmp.Or(a.start.Compare(b.start), cmp.Compare(a.Folder, b.Folder))
	})
	entries := make([]search.Entry, len(all))
	var texts []output.Span
	for i, f := range all {
		entries[i] = f.Entry
		texts = append(texts, f.texts...)
	}
	return search.NewStoredIndex(entries, search.UnitStore{
		Segment: func(session int) ([]byte, error) { return spool.Get(all[session].part) },
		Text:    func(unit int) ([]byte, error) { return spool.Get(texts[unit]) },
	}), spool.Close, nil
}

// found is a session that can be searched. It shares no memory with the session.
type found struct {
	search.Entry
	start time.Time
	part  output.Span
	texts []output.Span // of the units
}

// addUnits adds the units of a session. Texts are written to the spool, the rest stays in memory.
func (f *found) addUnits(s render.Session, spool *output.Spool) error {
	c, title := s.Conversation, strings.Clone(outcome.Title(s.Conversation))
	f.start = c.Facts.Start
	f.Entry = search.Entry{
		Folder: s.Folder, ID: strings.Clone(c.ID), Title: title, Project: s.Project.Name, Agent: c.Writer.ID(),
	}
	for _, m := range stats.ModelNames(c, stats.Of(c, stats.Prices{})) {
		f.Models = append(f.Models, strings.Clone(m))
	}
	var units []search.Unit
	of := search.Session{Conversation: c, Title: title, Spilled: s.Spilled, Page: render.Open(s).PageOf}
	for u := range search.Units(of) {
		text, err := spool.Put([]byte(u.Text))
		if err != nil {
			return err
		}
		f.texts = append(f.texts, text)
		u.Text = ""
		units = append(units, u)
		f.Units = append(f.Units, u.WithoutText())
	}
	var err error
	f.part, err = spool.Put(search.Segment(units))
	return err
}
