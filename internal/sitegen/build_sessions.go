package sitegen

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// changedRank returns 1 for a session that was written to since the last build, else 0.
func (b *builder) changedRank(s *session) int {
	same := b.old.Files[s.main.id].Content == s.main.scanned.content
	for _, a := range s.agents {
		if same {
			_, same = b.old.Unchanged(a.id, a.Stamp)
		}
	}
	if same {
		return 0
	}
	return 1
}

// countChanged estimates how many sessions have changed.
func (b *builder) countChanged() int {
	n := 0
	for _, fo := range b.folders {
		for _, s := range fo.sessions {
			n += b.changedRank(s)
		}
	}
	return n
}

// A sessionTask is a session to build.
type sessionTask struct {
	s     *session
	p     *project
	at    int // in the order of the sessions
	size  int64
	fresh int // see changedRank
}

// sessionTasks returns the sessions in the order of building: first those that have changed, then those that probably
// have not. In each group, larger ones come first, so that no worker has a large one left at the end. Smaller ones keep
// their order, because they are next to each other in an archive.
func (b *builder) sessionTasks() (tasks []sessionTask, bytes int64) {
	const smallSession = 1 << 20
	for _, p := range b.projects {
		for _, s := range p.sessions {
			t := sessionTask{s, p, len(tasks), s.size(), b.changedRank(s)}
			bytes += t.size
			tasks = append(tasks, t)
		}
	}
	slices.SortFunc(tasks, func(a, b sessionTask) int {
		large := cmp.Compare(max(b.size, smallSession), max(a.size, smallSession))
		return cmp.Or(cmp.Compare(b.fresh, a.fresh), large, cmp.Compare(a.at, b.at))
	})
	return tasks, bytes
}

// sessions draws and writes the sessions on all cores. The results are in the order of the sessions.
func (b *builder) sessions(ctx context.Context) ([]result, error) {
	tasks, all := b.sessionTasks()
	results := make([]result, len(tasks))
	group, ctx := errgroup.WithContext(ctx)
	var next, done, bytes atomic.Int64
	build := func(t sessionTask) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := (&sessionBuild{builder: b, session: t.s, project: t.p}).run()
		if err != nil {
			return err
		}
		results[t.at] = r
		if b.builtSession != nil {
			if err := b.builtSession(t.s, r); err != nil {
				return err
			}
		}
		n := done.Add(1)
		size := bytes.Add(t.size)
		if t.s.family == nil && b.cache == nil {
			t.s.main, t.s.agents, t.s.beside = file{}, nil, nil // so that their memory can be freed
		}
		if b.Progress != nil {
			b.Progress(Progress{Sessions: int(n), AllSessions: len(tasks), Bytes: size, AllBytes: all})
		}
		return nil
	}
	for range min(runtime.GOMAXPROCS(0), len(tasks)) { // not one for each session: fewer stacks grow
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(tasks) {
					return nil
				}
				if err := build(tasks[i]); err != nil {
					return err
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return results, nil
}
