package sitegen

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/state"
)

// A reader reads sessions, for one build or for a command that builds nothing.
type reader struct {
	Options
	start       time.Time
	old         *state.State  // the state of the last build
	cache       *sessionCache // nil when nothing is cached
	builtBefore bool          // the site was built before: a session that has changed is probably still being written
	prefetched  *session      // read even if its pages are up to date, see Site.Prefetch
	bytesRead   atomic.Int64  // of sources
	unfinished  atomic.Int64  // transcripts whose last line is incomplete
	kept        atomic.Int64  // bytes of transcripts, see family.keep
}

// maxHashedSide is the largest size of files next to a session that are hashed. Larger ones are compared by their
// stamps, because most spilled outputs are never drawn.
const maxHashedSide = 256 << 10

// open finds the digests of the files of a session, most of them in the state. If the session is in the cache, it reads
// what was appended to its transcripts.
func (r *reader) open(s *session, p *project, useCache bool) (*sessionReader, error) {
	sr := &sessionReader{reader: r, session: s, project: p, files: s.files()}
	sr.contents = make([]fingerprint.Digest, len(sr.files))
	sr.unchanged = true
	transcripts := 1 + len(s.agents)
	var changed []int // indexes of the transcripts
	for i, f := range sr.files {
		known, same := r.old.Unchanged(f.id, f.Stamp)
		sr.unchanged = sr.unchanged && same
		switch {
		case same:
			sr.contents[i] = known.Content
		case i < transcripts:
			changed = append(changed, i)
		case f.Size > maxHashedSide:
			sr.contents[i] = fingerprint.Of(fmt.Append(nil, f.Stamp))
		default:
			var err error
			if sr.contents[i], err = f.hash(); err != nil { // the session is drawn without it
				sr.contents[i] = digestOfUnreadable(f, err)
				sr.files[i].Mod = -1 // so that the next build tries and reports it again
				sr.noteUnread(f, err)
			}
		}
	}
	if useCache && (len(changed) > 0 || s == r.prefetched) {
		resumed := *sr
		resumed.contents, resumed.unchanged = slices.Clone(sr.contents), false
		if err := resumed.resume(); !errors.Is(err, errReread) {
			return &resumed, err
		}
	}
	for _, i := range changed {
		var err error
		if sr.contents[i], err = sr.files[i].content(); err == nil {
			continue
		}
		if i == 0 || failure.Exhausted(err) {
			return nil, err
		}
		sr.contents[i] = digestOfUnreadable(sr.files[i], err)
	}
	return sr, nil
}

// contentOf returns the digest of a file, which may be in the state.
func (r *reader) contentOf(f file) fingerprint.Digest {
	if known, same := r.old.Unchanged(f.id, f.Stamp); same {
		return known.Content
	}
	content, err := f.content()
	if err != nil {
		return digestOfUnreadable(f, err)
	}
	return content
}

// probeStage tells tests that a stage of a session begins.
func (r *reader) probeStage(stage Stage, folder string) {
	if r.probe != nil {
		r.probe(stage, folder)
	}
}
