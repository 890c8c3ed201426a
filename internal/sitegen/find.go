package sitegen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"viewer/internal/archive/store"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/input"
	"viewer/internal/sitegen/state"
	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A survey is what the sources contain.
type survey struct {
	options       Options
	sources       []*input.Source
	folders       []*folder
	problems      []transcript.Problem
	failed        error    // why the first unreadable usual folder could not be read
	redactedFacts sync.Map // redacted facts, by the original facts
	// scans holds the scans of growing files from earlier builds of a site; nil without a site.
	scans   *scanCache
	planned *plannedSources // the plan of the shards of a build; nil for other builds

	titleFiles []titlesFile
	noteFiles  []file
	archives   []*store.Archive
	around     []*input.Source // parents of folders of sessions, in which only lists of titles are read
}

// findSessions opens and walks all sources and arranges their files into sessions. It reads no file.
func findSessions(ctx context.Context, o Options) (*survey, error) { return findPlanned(ctx, o, nil) }

// findPlanned does what findSessions does, for the files that a plan lists.
func findPlanned(ctx context.Context, o Options, plan *plannedSources) (*survey, error) {
	v := &survey{options: o, planned: plan}
	if err := v.findAll(ctx); err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

func (v *survey) findAll(ctx context.Context) error {
	o := v.options
	if err := v.openSources(ctx); err != nil {
		return err
	}
	usual := len(o.Sources) == 0 && o.Sample == nil
	once := duplicates{files: make(map[string]bool)}
	several := 0
	for _, src := range v.sources {
		if !src.Missing {
			several++
		}
	}
	for i, src := range v.sources {
		entries, problems, err := v.list(ctx, i)
		if err != nil && usual && ctx.Err() == nil && !failure.Exhausted(err) {
			v.unread(err)
			continue
		}
		if err != nil {
			return err
		}
		folders := discover(src, entries)
		if len(folders) == 0 && !usual && o.Sample == nil && !o.Empty && len(problems) == 0 {
			return noSessions(src.Name)
		}
		if several == 1 && !usual && !o.Empty && isForeign(src, folders) { // a shell may have named several for a "*"
			return foreign(src.Name)
		}
		for _, p := range problems {
			p.Pos.File = o.nameOf(o.newRedactor(), file{source: src, path: p.Pos.File, name: p.Pos.File})
			v.problems = append(v.problems, p)
		}
		if several > 1 && len(folders) > 0 {
			folders = once.drop(src, folders)
		}
		v.folders = append(v.folders, folders...)
	}
	v.dropArchivedCopies()
	if usual && len(v.folders) == 0 && (v.failed != nil || !o.Empty && len(v.problems) == 0) {
		return v.nothing()
	}
	v.folders = joinByName(v.folders)
	if len(v.folders) > 0 {
		v.findTitles()
	}
	return v.findNotes()
}

// noSessions returns the error for a source without sessions.
func noSessions(name string) error {
	return failure.New(none{fmt.Errorf("no sessions in %s", name)},
		"session files end in .jsonl; Claude Code keeps them below ~/.claude/projects")
}

func (v *survey) close() {
	for _, src := range append(v.around, v.sources...) {
		src.Close()
	}
	for _, a := range v.archives {
		a.Close()
	}
}

// files returns all files of all sessions.
func (v *survey) files() []file {
	n := 0
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			n += 1 + 2*len(s.agents) + len(s.beside)
		}
		n += 2 * len(fo.loose)
	}
	all := make([]file, 0, n)
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			all = append(all, s.files()...)
		}
		for _, a := range fo.loose {
			all = append(all, a.files()...)
		}
	}
	for _, f := range v.titleFiles {
		all = append(all, f.file)
	}
	return append(all, v.noteFiles...)
}

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

// joinByCWD merges folders into one project when their sessions were started in the same working directory or in work
// trees of one repository, and files of one folder whose working directory is unknown.
func joinByCWD(folders []*folder) []*folder { return joinBy(folders, (*folder).projectKey) }

// joinByName merges folders of several sources that stand for the same working directory: Claude Code names them
// "-home-mara-tides".
func joinByName(folders []*folder) []*folder {
	return joinBy(folders, func(fo *folder) string {
		if fo.ofPath {
			return fo.name
		}
		return ""
	})
}

// joinBy merges folders with the same key, except for those whose key is "".
func joinBy(folders []*folder, keyOf func(*folder) string) []*folder {
	first := make(map[string]*folder)
	return slices.DeleteFunc(folders, func(fo *folder) bool {
		key := keyOf(fo)
		one := first[key]
		if key == "" || one == nil {
			first[key] = fo
			return false
		}
		one.sessions = append(one.sessions, fo.sessions...)
		one.loose = append(one.loose, fo.loose...)
		return true
	})
}

// projectKey returns the working directory that names the project of a folder's sessions.
func (fo *folder) projectKey() string {
	var cwds []string
	places := make(map[string]string)
	var first file
	for f := range fo.logs() {
		if len(cwds) == 0 {
			first = f
		}
		at := f.scanned.place
		cwds = append(cwds, at.cwd)
		places[at.cwd] = at.hash
	}
	if _, cwd := projectName(cwds, ""); cwd != "" {
		return places[cwd]
	}
	if len(fo.sessions) > 0 {
		if writer := fo.sessions[0].main.facts().Writer; writer != "" {
			return "writer " + writer
		}
	}
	if len(cwds) > 0 && first.source.Only != "" {
		return "folder " + filepath.Dir(first.source.ID)
	}
	return ""
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
		f.scanned.facts, f.scanned.content = facts, last.Content
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
			f.scanned.facts = state.EncodeFacts(v.redactFacts(facts))
		}
		return err
	})
	switch {
	case asFault(f.scanned.err) != nil: // the file is read despite the fault
		f.scanned.facts = state.EncodeFacts(sources.Facts{})
	case failure.Exhausted(f.scanned.err):
		return failure.New(f.scanned.err, "")
	}
	return nil
}
