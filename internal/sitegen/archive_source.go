package sitegen

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"viewer/internal/archive"
	"viewer/internal/archive/store"
	"viewer/internal/sitegen/decode"
	"viewer/internal/sitegen/input"
	"viewer/internal/sources"
	"viewer/internal/storage"
	"viewer/internal/transcript"
)

// openArchive opens an archive. Each archived folder becomes a source.
func (v *survey) openArchive(ctx context.Context, name string) error {
	a, err := store.Open(ctx, name)
	if err != nil {
		return err
	}
	shown := storage.Words(storage.Folder(name))
	v.archives = append(v.archives, a)
	for _, f := range a.Faults {
		v.problems = append(v.problems, transcript.Problem{
			Pos:  transcript.Pos{File: filepath.ToSlash(shown) + "/" + archive.ManifestName, Line: f.Line},
			Text: f.Err.Error(),
		})
	}
	top, separator := shown, "/"
	if !storage.IsAddress(shown) {
		separator = string(filepath.Separator)
		if top, err = filepath.Abs(shown); err != nil {
			top = shown
		}
	}
	for _, files := range a.Folders() {
		if !slices.ContainsFunc(files.Paths, func(p string) bool { return !files.Record(p).Beside }) {
			continue
		}
		below := store.Plain(files.Machine) + "/" + store.Plain(files.Folder)
		below = separator + strings.ReplaceAll(below, "/", separator)
		v.sources = append(v.sources, &input.Source{
			Name: strings.TrimSuffix(shown, separator) + below, ID: top + below,
			Archive: files, FS: decode.FS{FS: files}, Writers: v.options.writers,
		})
	}
	return nil
}

// dropArchivedCopies merges copies of a session, of an archive and another source or of two machines. It keeps the
// newest copy and adds files that only an older copy has. A copy that only has prompts counts as the oldest.
func (v *survey) dropArchivedCopies() {
	if len(v.archives) == 0 {
		return
	}
	newest := make(map[string][]*session)
	gone := make(map[*session]bool)
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			key := s.writer.Writer().Name + " " + s.main.stem()
			known := newest[key]
			i := slices.IndexFunc(known, func(k *session) bool { return isCopy(k, s) })
			if i < 0 {
				newest[key] = append(known, s)
				continue
			}
			keep, drop := known[i], s
			if newer(s, known[i]) {
				keep, drop = s, known[i]
			}
			keep.addMissing(drop)
			known[i], gone[drop] = keep, true
		}
	}
	for _, fo := range v.folders {
		fo.sessions = slices.DeleteFunc(fo.sessions, func(s *session) bool { return gone[s] })
	}
	v.dropLooseCopies()
	v.folders = slices.DeleteFunc(v.folders, func(fo *folder) bool { return len(fo.sessions)+len(fo.loose) == 0 })
}

// dropLooseCopies keeps the newest copy of each agent next to the sessions.
func (v *survey) dropLooseCopies() {
	longest := make(map[string]file)
	for _, fo := range v.folders {
		for _, a := range fo.loose {
			key := fo.name + "/" + a.stem()
			if known, ok := longest[key]; !ok || newerFile(a.file, known) {
				longest[key] = a.file
			}
		}
	}
	for _, fo := range v.folders {
		fo.loose = slices.DeleteFunc(fo.loose, func(a agentFile) bool {
			best := longest[fo.name+"/"+a.stem()]
			return best.source != a.source && (best.source.Archive != nil || a.source.Archive != nil)
		})
	}
}

// isCopy reports whether two sessions of the same name are copies of one session. At least one must be in an archive.
func isCopy(a, b *session) bool {
	switch {
	case a.main.source.Archive == nil && b.main.source.Archive == nil, a.main.source == b.main.source:
		return false // as for two folders
	case isID(a.main.stem()), a.main.part && b.main.part, a.isPrompts(), b.isPrompts(), a.logMissing, b.logMissing:
		return true
	}
	x, y := a.main.begin(beginSize), b.main.begin(beginSize)
	n := min(len(x), len(y))
	return n > 0 && bytes.Equal(x[:n], y[:n])
}

// beginSize is how many bytes of two files must be equal for them to be of one session.
const beginSize = 512

// isPrompts reports whether a session only has prompts.
func (s *session) isPrompts() bool {
	files := s.main.source.Archive
	return files != nil && files.Record(s.main.path) == nil && !s.main.part
}

// newer reports whether a copy of a session is newer than another one.
func newer(a, b *session) bool {
	rank := func(s *session) int {
		switch {
		case s.logMissing:
			return 0
		case s.isPrompts():
			return 1
		}
		return 2
	}
	if x, y := rank(a), rank(b); x != y {
		return x > y
	}
	return newerFile(a.main, b.main)
}

// newerFile reports whether a file is newer than another one. Logs grow, so the longer one is newer, whatever their
// times.
func newerFile(a, b file) bool {
	order := cmp.Compare(a.Mod, b.Mod)
	if path.Ext(a.path) == ".jsonl" {
		order = cmp.Or(cmp.Compare(a.Size, b.Size), order)
	}
	live := func(f file) int {
		if f.source.Archive == nil {
			return 1
		}
		return 0
	}
	return cmp.Or(order, cmp.Compare(live(a), live(b))) > 0
}

// addMissing adds agents and other files that only another copy has.
func (s *session) addMissing(from *session) {
	if s.logMissing { // it only has agents
		return
	}
	for _, a := range from.agents {
		if !slices.ContainsFunc(s.agents, func(b agentFile) bool { return a.agentID == b.agentID && a.run == b.run }) {
			s.agents = append(s.agents, a)
		}
	}
	slices.SortStableFunc(s.agents, func(a, b agentFile) int { return strings.Compare(a.path, b.path) })
	name := func(s *session, f besideFile) string {
		return strings.TrimPrefix(f.path, sources.WithoutExt(s.main.path))
	}
	for _, f := range from.beside {
		if !slices.ContainsFunc(s.beside, func(g besideFile) bool { return name(from, f) == name(s, g) }) {
			s.beside = append(s.beside, f)
		}
	}
}
