package sitegen

import (
	"context"
	"errors"
	"time"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
	"viewer/internal/storage"
)

// A Site is a folder of pages that is built once, or repeatedly while its sources change. Between builds it keeps the
// state, and the sessions that changed last. Its folder is locked from the first build to Close.
type Site struct {
	o         Options
	out       *output.Writer // nil before the first build
	release   func()
	last      *state.State       // of the last build, nil before the first
	stored    *state.State       // as it was last read or saved, nil if unknown
	base      fingerprint.Digest // see Options.base
	cache     sessionCache
	details   output.Spool // most of the stored state, and of sessions that were drawn by the first build
	unsaved   bool
	restamped *state.State // the last state, if only stamps in it have changed since it was saved
	oneShot   bool         // it is built only once: nothing is cached
	prefetch  bool         // see Prefetch
	shared    bool         // other shards may write to the folder at the same time
}

// NewSite returns a site to build. It does no I/O.
func NewSite(o Options) *Site { return &Site{o: o} }

// Build updates the site to match its sources. Problems with the data are in the report. An error means that the
// machine failed or that there is nothing to build; the site is then unchanged.
//
// Build draws what has changed since the last build. The result is the same, byte for byte, as that of a build into an
// empty folder.
func (s *Site) Build(ctx context.Context) (Report, error) {
	return withBuilder(s.o, s, func(b *builder) (Report, error) {
		if !s.oneShot {
			b.cache = &s.cache
		}
		report, err := b.build(ctx)
		if err != nil && b.out != nil {
			b.out.ForgetChanged()
		}
		report.Elapsed, report.Stages = time.Since(b.start), b.stages.Times()
		return report, err
	})
}

// Prefetch makes the next build read the session that changed last into the cache, if it changed recently, even if its
// pages are up to date. Its next change is then cheap.
func (s *Site) Prefetch() { s.prefetch = true }

// open prepares the folder for building, once.
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

// openOutput opens a folder, or the bucket at an address.
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

// Save writes the state, which the next build by another process needs. A site without it is complete but takes longer
// to build again.
func (s *Site) Save() error {
	seen, write := s.restamped, s.unsaved
	s.restamped, s.unsaved = nil, false
	switch {
	case write:
		stored := s.stored
		s.stored = nil // when it fails
		err := s.out.Finish(func(o *output.Writer) error {
			return errors.Join(s.last.Write(o, stored), s.details.Err())
		})
		if err == nil {
			s.stored = s.last
		}
		return err
	case seen != nil:
		return s.out.Finish(seen.WriteFiles)
	}
	return nil
}

// Close saves the site and unlocks its folder.
func (s *Site) Close() error {
	if s.out == nil {
		return nil
	}
	err := s.Save()
	s.release()
	s.out.Close()
	s.details.Close()
	s.out, s.last, s.stored = nil, nil, nil
	return err
}

// Build builds a site once. See Site.Build.
func Build(ctx context.Context, o Options) (Report, error) {
	return once(o, func(s *Site) (Report, error) { return s.Build(ctx) })
}

// once does something with a site, caches nothing for later builds, and closes it.
func once[R any](o Options, do func(*Site) (R, error)) (R, error) {
	s := NewSite(o)
	s.oneShot = true
	result, err := do(s)
	if closing := s.Close(); err == nil {
		err = closing
	}
	return result, err
}
