package sitegen

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/state"
	"viewer/internal/transcript"
	"viewer/render"
)

// OpenSession reads one session with its agents and all files next to it, ready to be drawn or exported. The name is a
// file, or an id or a prefix of one in a source. Copied history is included if no other session draws it.
func OpenSession(ctx context.Context, o Options, name string) (render.Session, error) {
	if err := o.ready(); err != nil {
		return render.Session{}, err
	}
	f, v, err := locate(ctx, o, name)
	if err != nil {
		return render.Session{}, err
	}
	defer v.close()
	own := slices.IndexFunc(v.folders, func(fo *folder) bool {
		return slices.ContainsFunc(fo.sessions, func(s *session) bool { return s.main == f })
	})
	if own >= 0 {
		name := v.folders[own].name
		// The session depends on its project, and the project's name on other projects.
		v.folders = slices.DeleteFunc(v.folders, func(fo *folder) bool {
			return len(fo.sessions) > 0 && !fo.sessions[0].writer.MayShareName(fo.name, name)
		})
	}
	projects, err := v.projects(ctx, state.New(fingerprint.Digest{}))
	if err != nil {
		return render.Session{}, err
	}
	for _, p := range projects {
		for _, s := range p.sessions {
			if s.main == f {
				return o.read(p, s)
			}
		}
	}
	return render.Session{}, errors.New("the session disappeared") // its file was there when it was located
}

// A Chosen is a session that the filter chooses.
type Chosen struct {
	render.Session
	At     int    // its index in the order of files
	Source string // as given
	File   string // absolute path of the main file
	Empty  bool   // it has nothing to show
}

// EachSession reads the sessions that the filter chooses on all cores, and calls do with each. It keeps none
// afterwards, so that memory depends on the largest session and not on their number. With exact, a session waits until
// those before it were read, so that At does not count empty ones.
func (o Options) EachSession(ctx context.Context, exact bool, do func(Chosen) error) error {
	var memory memoryLimit
	memory.set(0) // until the largest session is known
	defer memory.reset()
	v, projects, err := o.chosen(ctx)
	if err != nil {
		return err
	}
	defer v.close()
	memory.set(v.largest())
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	n := 0
	next := make(chan int, 1) // number of sessions before this one
	next <- 0
	for _, p := range projects {
		for _, s := range p.sessions {
			at, before, after := n, next, make(chan int, 1)
			group.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				in, err := o.read(p, s)
				skipped := o.skip(s, err) || o.skipGone(s, err)
				if err != nil && !skipped {
					return err
				}
				one := Chosen{in, at, s.main.source.Name, s.main.absolute(), skipped || isEmpty(in)}
				if exact {
					select {
					case one.At = <-before:
					case <-ctx.Done():
						return ctx.Err()
					}
					if one.Empty {
						after <- one.At
					} else {
						after <- one.At + 1
					}
				}
				if skipped {
					return nil
				}
				if err = o.withName(s, o.contain(func() error { return do(one) })); o.skip(s, err) {
					return nil
				}
				return err
			})
			n++
			next = after
		}
	}
	return group.Wait()
}

// chosen finds the sessions that the filter chooses and their relations: a copied history counts once. They can be read
// until the survey is closed.
func (o *Options) chosen(ctx context.Context) (*survey, []*project, error) {
	if err := o.ready(); err != nil {
		return nil, nil, err
	}
	v, err := findSessions(ctx, *o)
	if err != nil {
		return nil, nil, err
	}
	old := state.New(fingerprint.Digest{})
	projects, err := v.projects(ctx, old)
	if err == nil {
		projects, err = o.choose(projects, old)
	}
	if err != nil {
		v.close()
		return nil, nil, err
	}
	o.tellUnread(v.problems)
	return v, projects, nil
}

// maxUnread is the maximum number of files that tellUnread names.
const maxUnread = 3

// tellUnread reports files and folders that could not be read. Nothing else tells that their sessions are missing.
func (o *Options) tellUnread(problems []transcript.Problem) {
	if o.Unread == nil {
		return
	}
	for i, p := range problems {
		if i == maxUnread {
			o.Unread(fmt.Errorf("%d more could not be read: viewer check lists them", len(problems)-i))
			return
		}
		if !p.Fault { // Options.Fault reports it
			o.Unread(errors.New(p.String()))
		}
	}
}

// choose keeps the sessions that the filter chooses, and finds their relations.
func (o *Options) choose(projects []*project, old *state.State) ([]*project, error) {
	projects, err := o.Filter.choose(projects)
	if err != nil {
		return nil, err
	}
	for _, p := range projects {
		if err := relate(p, old); err != nil {
			return nil, err
		}
		if later, err := o.removeLater(p); err != nil {
			return nil, err
		} else if !later {
			continue
		}
		if err := relate(p, old); err != nil { // to those that are left
			return nil, err
		}
	}
	return projects, nil
}

// removeLater removes sessions that began after Filter.Until, but with the history of one that began before. Their
// first records tell only the latter, so the sessions that share a history are read. It reports whether there were any.
func (o *Options) removeLater(p *project) (bool, error) {
	until, n := o.Filter.Until, len(p.sessions)
	if until.IsZero() {
		return false, nil
	}
	later := make(map[*session]bool)
	r := &reader{Options: *o}
	for _, s := range p.sessions {
		if s.family == nil || !s.main.facts().End.After(until) {
			continue
		}
		if err := s.family.readAll(r); err != nil {
			return false, err
		}
		later[s] = s.family.begun[s].After(until)
	}
	p.sessions = slices.DeleteFunc(p.sessions, func(s *session) bool { return later[s] })
	return len(p.sessions) < n, nil
}

// projects scans all files that the state does not know and chooses names.
func (v *survey) projects(ctx context.Context, old *state.State) ([]*project, error) {
	if err := v.scan(ctx, old); err != nil {
		return nil, err
	}
	var taken []string // by sessions whose files are missing
	present := make(map[fingerprint.Digest]bool)
	for _, f := range v.files() {
		present[f.id] = true
	}
	for _, id := range fingerprint.SortedKeys(old.Sessions) {
		if !present[id] {
			taken = append(taken, old.Sessions[id].Folder)
		}
	}
	return v.options.plan(v.folders, taken), nil
}

// read decodes a session. A panic becomes an error.
func (o Options) read(p *project, s *session) (in render.Session, err error) {
	err = o.contain(func() error {
		r := &reader{Options: o, old: state.New(fingerprint.Digest{})}
		r.probeStage(StageRead, s.folder)
		files, err := r.open(s, p, false)
		if err != nil {
			return err
		}
		in, err = files.read(nil)
		in.Generator, in.Prices = "viewer "+o.Version, o.prices
		return err
	})
	return in, o.withName(s, err)
}

// withName adds to a fault the name of the session in which it happened.
func (o Options) withName(s *session, err error) error {
	if f := asFault(err); f != nil {
		return failure.New(fmt.Errorf("reading %s: %w", s.main.path, f), "viewer build shows the other sessions")
	}
	return err
}

// skip reports a fault to Options.Fault, if that is set. It returns true to continue with the other sessions.
func (o Options) skip(s *session, err error) bool {
	f := asFault(err)
	if f == nil || o.Fault == nil {
		return false
	}
	o.Fault(o.problem(s.main, f))
	return true
}

// skipGone reports that a log of a folder was there a moment ago. It returns true to continue with the other sessions.
// A log that was named is an error.
func (o Options) skipGone(s *session, err error) bool {
	if !failure.Missing(err) || s.main.source.Only != "" || o.Unread == nil {
		return false
	}
	o.Unread(errors.New(o.unreadable(s.main, err).String()))
	return true
}

// isEmpty reports whether a session has nothing to show.
func isEmpty(s render.Session) bool {
	c := s.Conversation
	for _, t := range c.Turns {
		if len(t.Prompt)+len(t.Items) > 0 {
			return false
		}
	}
	return len(c.Agents) == 0
}

// isUnlisted reports whether lists leave a session out: it is empty, and no other session links to it because it has
// the same records. The index of a site uses the same rule, see render.Summary.
func isUnlisted(s render.Session) bool { return isEmpty(s) && len(s.Relations) == 0 }
