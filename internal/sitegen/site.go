package sitegen

import (
	"context"
	"time"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
	"viewer/internal/storage"
)

// A Site is a folder of pages that is built once, or again and again while its
// sources change. Between builds it has what the next one needs: the state,
// and the sessions that changed last. Its folder is locked from the first build to
// Close.
type Site struct {
	o         Options
	out       *output.Writer // nil before the first build
	release   func()
	last      *state.State       // of the last build, nil before the first
	stored    *state.State       // as it was read or saved last, nil when that is not known
	base      fingerprint.Digest // see Options.base
	cache     sessionCache
	unsaved   bool
	restamped *state.State // the last state when only stamps in it have changed since it was saved; else nil
	oneShot   bool         // it is not built again: nothing is cached
	prefetch  bool         // see Prefetch
	shared    bool         // others may build into the folder at the same time: it is one shard
}

// NewSite is a site to build. Nothing happens before the first build.
func NewSite(o Options) *Site { return &Site{o: o} }

// Build makes the site what its sources say. What is wrong with the data is in
// the report; an error means that the machine failed or that there is nothing
// to build, and leaves what was there.
//
// It draws what has changed since the last build, and ends in
// the same bytes as a build into an empty folder.
func (s *Site) Build(ctx context.Context) (Report, error) {
	b, err := newBuilder(s.o, time.Now())
	if err != nil {
		return Report{}, err
	}
	b.site, b.builtBefore = s, s.last != nil
	if !s.oneShot {
		b.cache = &s.cache
	}
	report, err := b.build(ctx)
	report.Elapsed, report.Stages = time.Since(b.start), b.stages.Times()
	return report, err
}

// Prefetch has the next build read the session that changed last into the cache, when that was a
// short time ago, though its pages may be up to date. So its next change costs little.
func (s *Site) Prefetch() { s.prefetch = true }

// open makes the folder ready to be built into, once.
func (s *Site) open(ctx context.Context) error {
	if s.out != nil {
		return nil
	}
	out, err := s.openOutput(ctx)
	if err != nil {
		return err
	}
	lock := out.Lock
	if s.shared {
		lock = out.LockShared
	}
	release, err := lock()
	if err != nil {
		out.Close()
		return err
	}
	s.out, s.release = out, release
	s.cache.sessions, s.cache.scans.all = make(map[fingerprint.Digest]*cachedSession),
		make(map[fingerprint.Digest]*scanState)
	return nil
}

// openOutput opens a folder, or the bucket that an address names.
func (s *Site) openOutput(ctx context.Context) (*output.Writer, error) {
	if storage.IsAddress(s.o.Out) {
		return output.OpenBucket(ctx, s.o.Out, s.o.Force)
	}
	s.o.Out = storage.Folder(s.o.Out)
	if err := output.CheckDir(s.o.Out, s.o.Force); err != nil {
		return nil, err
	}
	return output.Open(s.o.Out)
}

// Save writes the state, which another process needs for its next build. A site
// without it is as whole; building it again takes longer.
func (s *Site) Save() error {
	seen, write := s.restamped, s.unsaved
	s.restamped, s.unsaved = nil, false
	switch {
	case write:
		stored := s.stored
		s.stored = nil // when it fails
		err := s.out.Finish(func(o *output.Writer) error { return s.last.Write(o, stored) })
		if err == nil {
			s.stored = s.last
		}
		return err
	case seen != nil:
		return s.out.Finish(seen.WriteFiles)
	}
	return nil
}

// Close saves the site and lets others build into its folder.
func (s *Site) Close() error {
	if s.out == nil {
		return nil
	}
	err := s.Save()
	s.release()
	s.out.Close()
	s.out, s.last, s.stored = nil, nil, nil
	return err
}

// Build makes a site once. See Site.Build.
func Build(ctx context.Context, o Options) (Report, error) {
	s := NewSite(o)
	s.oneShot = true
	report, err := s.Build(ctx)
	if closing := s.Close(); err == nil {
		err = closing
	}
	return report, err
}
