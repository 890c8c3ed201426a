package sitegen

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"viewer/internal/archive/store"
	"viewer/internal/failure"
	"viewer/internal/sitegen/input"
	"viewer/internal/transcript"
)

// A survey is what the sources contain.
type survey struct {
	options       Options
	sources       []*input.Source
	listed        []listedSource // until arrange
	folders       []*folder
	problems      []transcript.Problem
	found         int      // number of problems before any file was read
	failed        error    // why the first unreadable usual folder could not be read
	redactedFacts sync.Map // redacted facts, by the original facts
	// scans holds the scans of growing files from earlier builds of a site; nil without a site.
	scans   *scanCache
	planned *plannedSources // the plan of the shards of a build; nil for other builds

	titleFiles []titlesFile
	noteFiles  []file
	aboutFiles []file // other files about sessions, see sources.Folder.About
	archives   []*store.Archive
	around     []*input.Source // parents of folders of sessions, in which only lists of titles are read
}

// A listedSource is a source with its files as they were found.
type listedSource struct {
	source   *input.Source
	entries  []input.Entry
	problems int // how many were found
}

// findSessions opens and walks all sources and arranges their files into sessions. It reads no file as a whole.
func findSessions(ctx context.Context, o Options) (*survey, error) { return findPlanned(ctx, o, nil) }

// findPlanned does what findSessions does, for the files that a plan lists.
func findPlanned(ctx context.Context, o Options, plan *plannedSources) (*survey, error) {
	v, err := listSources(ctx, o, plan)
	if err == nil {
		err = v.arrange()
	}
	if err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

// listSources opens and walks all sources. The survey must be closed, even after an error.
func listSources(ctx context.Context, o Options, plan *plannedSources) (*survey, error) {
	v := &survey{options: o, planned: plan}
	if err := v.openSources(ctx); err != nil {
		return v, err
	}
	for i, src := range v.sources {
		entries, problems, err := v.list(ctx, i)
		if err != nil && v.isUsual() && ctx.Err() == nil && !failure.Exhausted(err) {
			v.unread(err)
			continue
		}
		if err != nil {
			return v, err
		}
		v.listed = append(v.listed, listedSource{src, entries, len(problems)})
		for _, p := range problems {
			p.Pos.File = o.nameOf(o.newRedactor(), file{source: src, path: p.Pos.File})
			v.problems = append(v.problems, p)
		}
	}
	v.found = len(v.problems)
	v.findTitles()
	return v, v.findNotes()
}

// isUsual reports whether the sources are the folders where coding agents keep their sessions.
func (v *survey) isUsual() bool { return len(v.options.Sources) == 0 && v.options.Sample == nil }

// arrange arranges the listed files into sessions.
func (v *survey) arrange() error {
	o := v.options
	once := duplicates{files: make(map[string]bool)}
	named := !v.isUsual() && o.Sample == nil && !o.Empty // each source must have sessions
	several := 0
	for _, src := range v.sources {
		if !src.Missing {
			several++
		}
	}
	for _, l := range v.listed {
		src := l.source
		folders := discover(src, l.entries)
		if len(folders) == 0 && src.Archive == nil && named && l.problems == 0 {
			return noSessions(src.Name)
		}
		// a shell may have named several for a "*"
		if several == 1 && !v.isUsual() && !o.Empty && isForeign(src, folders) {
			return foreign(src.Name)
		}
		for _, fo := range folders {
			v.aboutFiles, fo.about = append(v.aboutFiles, fo.about...), nil
		}
		if several > 1 && len(folders) > 0 {
			folders = once.drop(src, folders)
		}
		v.folders = append(v.folders, folders...)
	}
	v.listed = nil
	v.dropArchivedCopies()
	if named && len(v.folders) == 0 && len(v.problems) == 0 { // of an archive
		return noSessions(folderWords(o.Sources))
	}
	if v.isUsual() && len(v.folders) == 0 && (v.failed != nil || !o.Empty && len(v.problems) == 0) {
		return v.nothing()
	}
	v.folders = joinByName(v.folders)
	v.found = len(v.problems)
	return nil
}

// noSessions returns the error for a source without sessions.
func noSessions(name string) error {
	return failure.New(none{fmt.Errorf("no sessions in %s", name)},
		"docs/agents.md lists what is read; Claude Code keeps sessions below ~/.claude/projects")
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
	return append(append(all, v.aboutFiles...), v.noteFiles...)
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
	var last place
	for f := range fo.logs() {
		if len(cwds) == 0 {
			first = f
		}
		at := f.scanned.place
		cwds = append(cwds, at.cwd)
		if at != last {
			last, places[at.cwd] = at, at.hash
		}
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
