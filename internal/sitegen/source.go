package sitegen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"viewer/internal/archive/store"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/decode"
	"viewer/internal/sources"
	"viewer/internal/storage"
	"viewer/internal/transcript"
)

// A source is a folder of session files, or one session file and the files next to it. Reading never leaves the folder:
// it is opened once as a root, and links that lead out of it cannot be followed.
type source struct {
	name string // as given
	id   string // absolute path, which identifies the source in later builds
	fsys fs.FS
	only string // the only session file to read, "" for all
	part string // path of the only session in that file to read, "" for all
	root *os.Root

	outer    *os.Root       // the folder around it, where that is archived, too
	archive  *store.Files   // nil for one that is in no archive
	bucket   storage.Reader // nil for a folder
	keepList bool           // keep listed
	listed   []entry        // the files found, before those with many sessions are split
	notes    []entry        // files of notes about sessions

	missing bool         // it does not exist
	writers sources.List // see sourceList
}

// An entry is a regular file of a source.
type entry struct {
	path string // in the source, with forward slashes
	fingerprint.Stamp
}

// openSource opens a folder of projects, a project's folder, or the folder of a session file.
func openSource(name string) (*source, error) {
	info, err := os.Stat(name)
	if file, part, ok := splitPart(name); ok && err != nil {
		s, err := openSource(file)
		if err == nil {
			s.name, s.part, s.id = name, s.only+"/"+part, filepath.Join(s.id, part)
		}
		return s, err
	}
	if err != nil {
		return nil, failure.New(fmt.Errorf("reading %s: %w", name, failure.Cause(err)),
			"give a projects folder, a project folder or a session file")
	}
	if what := irregular(info.Mode()); what != "" {
		return nil, failure.New(fmt.Errorf("reading %s: it is a %s and no file", name, what),
			"give a file or a folder; viewer report, export, show, check and list read pipes, and standard input for -")
	}
	s := &source{name: name}
	dir := name
	if !info.IsDir() {
		dir, s.only = filepath.Split(name)
		if dir == "" {
			dir = "."
		}
	}
	if s.id, err = filepath.Abs(name); err != nil {
		s.id = name
	}
	if s.root, err = os.OpenRoot(dir); err != nil {
		return nil, failure.New(fmt.Errorf("reading %s: %w", name, failure.Cause(err)),
			"check that the folder can be read")
	}
	if s.fsys, err = decode.New(s.root.FS(), s.only); err != nil {
		s.close()
		return nil, failure.New(fmt.Errorf("reading %s: %w", name, failure.Cause(err)),
			"unpack it, and give what is in it")
	}
	return s, nil
}

// irregular names a file that is neither regular nor a folder, "" for those.
func irregular(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&(fs.ModeDevice|fs.ModeCharDevice) != 0:
		return "device"
	case mode&fs.ModeIrregular != 0:
		return "thing of another kind"
	}
	return ""
}

// missing returns a source for a folder that does not exist.
func missing(name string) *source {
	s := &source{name: name, id: name, missing: true}
	if full, err := filepath.Abs(name); err == nil {
		s.id = full
	}
	return s
}

func (s *source) close() {
	if s.bucket != nil {
		s.bucket.Close()
	}
	if split, ok := s.fsys.(*splitFiles); ok {
		split.close()
	}
	if s.root != nil {
		s.root.Close()
	}
	if s.outer != nil {
		s.outer.Close()
	}
}

// base returns the name of the folder.
func (s *source) base() string {
	return filepath.Base(s.folder())
}

// folder returns the absolute path of the folder.
func (s *source) folder() string {
	dir := s.id
	if s.bucket != nil {
		return strings.TrimSuffix(dir, "/"+s.only)
	}
	if s.part != "" {
		dir = filepath.Dir(dir)
	}
	if s.only != "" {
		dir = filepath.Dir(dir)
	}
	return dir
}

// list returns the files of a source that can belong to sessions, sorted by path. What cannot be read or followed is
// reported as a problem, and the rest counts.
func (s *source) list(ctx context.Context) ([]entry, []transcript.Problem, error) {
	if s.missing {
		return nil, nil, nil
	}
	if s.bucket != nil {
		return s.listBucket(ctx)
	}
	if s.archive != nil {
		return s.listArchive()
	}
	if s.only == "" {
		w := walk{source: s}
		if err := w.below(ctx, "."); err != nil {
			return nil, nil, err
		}
		w.takeNotes()
		w.split()
		w.join()
		return w.found, w.problems, nil
	}
	w := walk{source: s}
	at, _, err := s.stampOf(s.only)
	if err != nil {
		return nil, nil, failure.New(fmt.Errorf("reading %s: %w", s.name, failure.Cause(err)),
			"give a projects folder, a project folder or a session file")
	}
	w.found = append(w.found, entry{s.only, at})
	own := sources.WithoutExt(s.only)
	if info, err := fs.Stat(s.fsys, own); own != s.only && err == nil && info.IsDir() {
		if err := w.below(ctx, own); err != nil {
			return nil, nil, err
		}
	}
	w.split()
	s.notes = s.notesBeside()
	return w.found, w.problems, nil
}

// A walk visits the folders of a source.
type walk struct {
	*source
	found    []entry
	problems []transcript.Problem
}

func (w *walk) below(ctx context.Context, dir string) error {
	err := w.walk(ctx, dir)
	// WalkDir sorts by name within a folder. Sessions need the files below one folder next to each other.
	slices.SortFunc(w.found, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return err
}

// walkRoot visits a folder by the root of the source.
func (w *walk) walkRoot(ctx context.Context, dir string) error {
	return fs.WalkDir(w.fsys, dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return w.unread(p, err)
		}
		if d.IsDir() {
			if p != "." && IsHidden(d.Name()) {
				return fs.SkipDir
			}
			return ctx.Err()
		}
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			w.link(p)
		// On Windows, the listing of a folder shows a file as it was when it was last closed.
		case w.wants(p) && runtime.GOOS == "windows":
			w.addTarget(p)
		case w.wants(p):
			info, err := d.Info()
			w.add(p, info, err)
		}
		return nil
	})
}

// IsHidden reports whether a folder of that name is skipped.
func IsHidden(name string) bool { return sources.IsHidden(name) }

// wants reports whether a file may be a session, belong to one or hold several.
func (s *source) wants(p string) bool {
	if isNotes(p) {
		return true
	}
	list := s.sourceList()
	return list.Wants(p) || list.MayHold(p)
}

// unread reports a folder that cannot be read.
func (w *walk) unread(dir string, err error) error {
	if dir == "." {
		return failure.New(fmt.Errorf("reading %s: %w", w.name, failure.Cause(err)),
			"check that the folder can be read")
	}
	w.problem(dir, err)
	return nil
}

// add adds a file, if it is one.
func (w *walk) add(p string, info fs.FileInfo, err error) {
	switch {
	case err != nil:
		w.problem(p, err)
	case info.Mode().IsRegular():
		w.found = append(w.found, entry{p, decode.StampWithJournal(w.fsys, p, fingerprint.StampOf(info))})
	}
}

// addTarget adds a file, or the target of a link inside the source.
func (w *walk) addTarget(p string) {
	at, regular, err := w.stampOf(p)
	switch {
	case err != nil:
		w.problem(p, err)
	case regular:
		w.found = append(w.found, entry{p, at})
	}
}

// stampOf returns the stamp of a file, or of the target of a link inside the source.
func (s *source) stampOf(p string) (at fingerprint.Stamp, regular bool, err error) {
	info, err := fs.Stat(s.fsys, p)
	if err != nil {
		return fingerprint.Stamp{}, false, err
	}
	at = fingerprint.StampOf(info)
	if s.root != nil && at.Changed == 0 {
		at.Changed = fingerprint.ChangeTime(filepath.Join(s.root.Name(), filepath.FromSlash(p)))
	}
	return decode.StampWithJournal(s.fsys, p, at), info.Mode().IsRegular(), nil
}

// problem reports a file or folder that cannot be read, unless it was removed meanwhile.
func (w *walk) problem(p string, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		w.problems = append(w.problems, transcript.Problem{Pos: transcript.Pos{File: p},
			Text: failure.Cause(err).Error()})
	}
}

// link adds the target of a link inside the source. Links to folders are not followed, which is reported.
func (w *walk) link(p string) {
	if w.wants(p) {
		w.addTarget(p)
		return
	}
	if info, err := fs.Stat(w.fsys, p); err == nil && !info.IsDir() {
		return
	}
	if info, err := os.Stat(filepath.Join(w.root.Name(), filepath.FromSlash(p))); err == nil && info.IsDir() {
		w.problems = append(w.problems, transcript.Problem{
			Pos: transcript.Pos{File: p}, Text: "a link to a folder, which is not followed; give the folder as a source of its own",
		})
	}
}
