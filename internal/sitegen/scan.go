package sitegen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/state"
	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// scan reads the session files for their facts. Files that cannot be read are left out and reported as problems. Only
// if none can be read does scan return an error.
func (v *survey) scan(ctx context.Context, s *state.State) error {
	if err := v.scanAll(ctx, s); err != nil {
		return err
	}
	left, closed := 0, len(v.problems)
	failed := func(f file) bool {
		fault := asFault(f.scanned.err)
		switch {
		case f.scanned.err == nil:
			return false
		case fault != nil:
			v.problems = append(v.problems, v.options.problem(f, fault))
			return false
		}
		v.problems = append(v.problems, v.options.unreadable(f, f.scanned.err))
		return true
	}
	for _, fo := range v.folders {
		fo.sessions = slices.DeleteFunc(fo.sessions, func(s *session) bool { return failed(s.main) })
		fo.loose = slices.DeleteFunc(fo.loose, func(a agentFile) bool { return failed(a.file) })
		left += len(fo.sessions) + len(fo.loose)
	}
	if left == 0 && len(v.problems) > 0 {
		p := v.problems[min(closed, len(v.problems)-1)]
		return failure.New(fmt.Errorf("reading %s: %s", p.Pos, p.Text),
			"give a file that can be read, or a folder with one")
	}
	v.byWriter()
	if err := v.keepParts(); err != nil {
		return err
	}
	v.settlePlaces()
	v.folders = joinByCWD(v.folders)
	return nil
}

// unreadable returns a problem for a file that cannot be read.
func (o Options) unreadable(f file, err error) transcript.Problem {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = failure.Cause(at)
	} else if inner := errors.Unwrap(err); inner != nil {
		err = inner // the problem names the file
	}
	return transcript.Problem{Pos: transcript.Pos{File: o.nameOf(o.newRedactor(), f)}, Text: err.Error()}
}

// scanFile scans a file. It returns its facts, the digest of its bytes, and how many of them were read.
func (v *survey) scanFile(f file) (sources.Facts, fingerprint.Digest, int64, error) {
	if v.scans != nil {
		return v.scans.of(f)
	}
	s := newScanState(f)
	s.mark = f.scanned.oldSize
	facts, err := s.read(f)
	f.scanned.begins = s.marked
	return facts, s.content(), s.size, err
}

// scanAll scans all main files and loose agents that the state does not know, on all cores.
func (v *survey) scanAll(ctx context.Context, s *state.State) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	scan := func(f file, by scanner, facts string, known bool) {
		if !v.reuseScan(f, s, facts, known) {
			group.Go(func() error {
				if err := v.scanContained(f, by); err != nil {
					return err
				}
				return ctx.Err()
			})
		}
	}
	for _, fo := range v.folders {
		for _, one := range fo.sessions {
			if one.given != "" {
				one.main.scanned.given = v.factsOf(one.given)
			}
			by := v.scanFile
			if one.logMissing {
				by = func(file) (sources.Facts, fingerprint.Digest, int64, error) {
					facts, err := v.scanAgents(one)
					return facts, fingerprint.Digest{}, 0, err
				}
			}
			if k := s.Sessions[one.main.id]; k != nil {
				scan(one.main, by, k.EncodedFacts, true)
			} else {
				scan(one.main, by, "", false)
			}
		}
		for _, a := range fo.loose {
			facts, known := s.LooseFacts[a.id]
			scan(a.file, v.scanFile, facts, known)
		}
	}
	return group.Wait()
}

// factsOf returns the facts of a working directory.
func (v *survey) factsOf(folder string) sources.Facts {
	facts := sources.Facts{CWD: folder, CWDHash: sources.HashCWD(folder)}
	hashMain(&facts)
	return v.redactFacts(facts)
}

// A scanner scans a file, see survey.scanFile.
type scanner func(file) (sources.Facts, fingerprint.Digest, int64, error)

// reuseScan takes the facts of a file from the last build if it has not changed, and reports whether it did. known says
// whether that build had facts of it.
func (v *survey) reuseScan(f file, s *state.State, facts string, known bool) bool {
	if v.planned != nil && v.planned.scanned(f) {
		return true
	}
	last, same := s.Unchanged(f.id, f.Stamp)
	if same && known {
		f.scanned.setFacts(facts)
		f.scanned.content = last.Content
		if one := s.Sessions[f.id]; one != nil { // an agent may be a session of its own
			f.scanned.safe = one.SafeName
		}
		return true
	}
	if last.Size <= f.Size {
		f.scanned.oldSize = last.Size
	}
	return false
}

// scanContained scans a file and keeps the result. It returns an error only if the system is exhausted.
func (v *survey) scanContained(f file, scan scanner) error {
	f.scanned.err = v.options.contain(func() (err error) {
		var facts sources.Facts
		if facts, f.scanned.content, f.scanned.size, err = scan(f); err == nil {
			f.scanned.setFacts(state.EncodeFacts(v.redactFacts(facts)))
		}
		return err
	})
	switch {
	case asFault(f.scanned.err) != nil: // the file is read despite the fault
		f.scanned.setFacts(state.EncodeFacts(sources.Facts{}))
	case failure.Exhausted(f.scanned.err):
		return failure.New(f.scanned.err, "")
	}
	return nil
}

// freeFacts frees the decoded facts of all files. Few sessions have changed and need theirs again.
func (v *survey) freeFacts() {
	for _, fo := range v.folders {
		for f := range fo.logs() {
			f.scanned.facts = nil
		}
	}
}
