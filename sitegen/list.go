package sitegen

import (
	"cmp"
	"context"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"viewer/render"
	"viewer/stats"
)

// A Listed is one session in a list.
type Listed struct {
	ID      string
	Title   string
	Project string
	CWD     string
	File    string // in its source
	Branch  string
	Models  []string

	Start, End time.Time
	Totals     stats.Totals
}

// List reads the sessions that the filter chooses and gives the newest limit of
// them, or all where limit is 0: newest first, those without a time last.
func List(ctx context.Context, o Options, limit int) ([]Listed, error) {
	var b builder
	b.bind(0) // until more is known
	defer b.unbind()
	v, projects, err := o.chosen(ctx)
	if err != nil {
		return nil, err
	}
	defer v.close()
	b.bind(v.largest())
	type candidate struct {
		p     *project
		s     *session
		start time.Time
	}
	var all []candidate
	for _, p := range projects {
		for _, s := range p.sessions {
			all = append(all, candidate{p, s, s.main.facts().Start})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return b.start.Compare(a.start) })

	var listed []Listed
	for len(all) > 0 && (limit == 0 || len(listed) < limit) {
		n := len(all) // some may hold nothing to list
		if limit > 0 {
			n = min(n, limit-len(listed)+runtime.GOMAXPROCS(0))
		}
		found := make([]*Listed, n)
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(runtime.GOMAXPROCS(0))
		for i, c := range all[:n] {
			group.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				in, err := o.read(c.p, c.s)
				switch {
				case asFault(err) != nil:
					if !o.skip(c.s, err) {
						return err
					}
				case err == nil && !isEmpty(in): // a file that cannot be read any more has nothing to list
					found[i] = newListed(in, c.s.main.path)
				}
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			return nil, err
		}
		for _, l := range found {
			if l != nil {
				listed = append(listed, *l)
			}
		}
		all = all[n:]
	}
	slices.SortStableFunc(listed, func(a, b Listed) int { return cmp.Or(b.Start.Compare(a.Start), cmp.Compare(a.File, b.File)) })
	if limit > 0 {
		listed = listed[:min(len(listed), limit)]
	}
	return listed, nil
}

// newListed shares no memory with the session, which is let go.
func newListed(s render.Session, file string) *Listed {
	c := s.Conversation
	l := &Listed{
		ID: strings.Clone(c.ID), Title: strings.Clone(render.Title(c)), Project: s.Project.Name, CWD: strings.Clone(c.Facts.CWD), File: file,
		Start: c.Facts.Start, End: c.Facts.End, Totals: stats.Of(c, s.Prices),
	}
	for _, m := range c.Facts.Models {
		l.Models = append(l.Models, strings.Clone(m))
	}
	for i := range l.Totals.Models {
		l.Totals.Models[i].Name = strings.Clone(l.Totals.Models[i].Name)
	}
	if n := len(c.Facts.Branches); n > 0 {
		l.Branch = strings.Clone(c.Facts.Branches[n-1])
	}
	return l
}

// IDs are the sessions of the sources by their names, each with its folder,
// without reading any: what a shell completes.
func IDs(ctx context.Context, sources []string) [][2]string {
	v, err := look(ctx, Options{Sources: sources})
	if err != nil {
		return nil
	}
	defer v.close()
	var all [][2]string
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			if s.main.Size > 0 {
				all = append(all, [2]string{s.main.stem(), path.Base(fo.name)})
			}
		}
	}
	return all
}
