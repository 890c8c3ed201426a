package input

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"viewer/internal/archive/store"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/decode"
	"viewer/internal/sources"
	"viewer/internal/storage"
	"viewer/internal/transcript"
)

// A Source is a folder of session files, or one session file and the files next to it. Reading never leaves the folder:
// it is opened once as a root, and links that lead out of it cannot be followed.
type Source struct {
	Name string // as given
	ID   string // absolute path, which identifies the source in later builds
	FS   fs.FS
	Only string // the only session file to read, "" for all
	Part string // path of the only session in that file to read, "" for all
	Root *os.Root

	Outer    *os.Root       // its parent folder, if that is archived, too
	Archive  *store.Files   // nil if not in an archive
	Bucket   storage.Reader // nil for a folder
	KeepList bool           // keep listed
	Listed   []Entry        // the files found, before those with many sessions are split
	Notes    []Entry        // files of notes about sessions

	Missing bool         // it does not exist
	Writers sources.List // see SourceList

	hidden sources.HomeFolders // see homes
}

// An Entry is a regular file of a source.
type Entry struct {
	Path string // in the source, with forward slashes
	fingerprint.Stamp
}

// OpenPath opens a folder of projects, a project's folder, or the folder of a session file.
func OpenPath(name string) (*Source, error) {
	info, err := os.Stat(name)
	if file, part, ok := SplitPart(name); ok && err != nil {
		s, err := OpenPath(file)
		if err == nil {
			s.Name, s.Part, s.ID = name, s.Only+"/"+part, filepath.Join(s.ID, part)
		}
		return s, err
	}
	const streams = "; viewer report, export, show, diff, check, list and stats read pipes, and standard input for -"
	switch {
	case name == "":
		return nil, failure.Usage{Err: failure.New(errors.New("the name of a source is empty"),
			"a variable in the command line may be unset; give a projects folder, a project folder or a session file")}
	case err != nil && name == "-":
		return nil, failure.New(errors.New("reading -: standard input is unsupported here"),
			"give a file or a folder"+streams)
	case err != nil:
		return nil, failure.New(fmt.Errorf("reading %s: %w", name, failure.Cause(err)),
			"give a projects folder, a project folder or a session file")
	}
	if what := irregular(info.Mode()); what != "" {
		return nil, failure.New(fmt.Errorf("reading %s: it is a %s, not a regular file", name, what),
			"give a file or a folder"+streams)
	}
	if info.Mode().IsRegular() && waits(name) {
		return nil, failure.New(fmt.Errorf("reading %s: it is a log of the system, not a file that ends", name),
			"give a file or a folder"+streams)
	}
	s := &Source{Name: name}
	place, dir := name, name
	if !info.IsDir() {
		place = target(name)
		dir, s.Only = filepath.Split(place)
		dir = cmp.Or(dir, ".")
	}
	if s.ID, err = filepath.Abs(place); err != nil {
		s.ID = place
	}
	if s.Root, err = os.OpenRoot(dir); err != nil {
		return nil, failure.New(fmt.Errorf("reading %s: %w", name, failure.Cause(err)),
			"check that the folder can be read")
	}
	if s.FS, err = decode.New(newRootFS(s.Root), s.Only); err != nil {
		s.Close()
		return nil, failure.New(fmt.Errorf("reading %s: %w", name, failure.Cause(err)),
			"unpack it, and give what is in it")
	}
	return s, nil
}

// target returns the path of the file that a link leads to, or name if it is no link. The folder of the link is not
// opened, because a root does not follow links out of it, and other files of the session are next to the target.
func target(name string) string {
	if info, err := os.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return name
	}
	if file, err := filepath.EvalSymlinks(name); err == nil {
		return file
	}
	return name
}

// waits reports whether a file that counts as regular has no end, so that reading it would wait for what is written
// later: some files of Linux below /proc, such as /proc/kmsg. Only of such files can the system tell when to read.
func waits(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false // reported where it is read
	}
	defer f.Close()
	return f.SetReadDeadline(time.Time{}) == nil
}

// irregular describes a file that is neither regular nor a folder, "" for those.
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

// Missing returns a source for a folder that does not exist.
func Missing(name string) *Source {
	s := &Source{Name: name, ID: name, Missing: true}
	if full, err := filepath.Abs(name); err == nil {
		s.ID = full
	}
	return s
}

func (s *Source) Close() {
	if s.Bucket != nil {
		s.Bucket.Close()
	}
	if split, ok := s.FS.(*splitFiles); ok {
		split.close()
	}
	if s.Root != nil {
		s.Root.Close()
	}
	if s.Outer != nil {
		s.Outer.Close()
	}
}

// Base returns the name of the folder.
func (s *Source) Base() string {
	return filepath.Base(s.Folder())
}

// Folder returns the absolute path of the folder.
func (s *Source) Folder() string {
	dir := s.ID
	if s.Bucket != nil {
		return strings.TrimSuffix(dir, "/"+s.Only)
	}
	if s.Part != "" {
		dir = filepath.Dir(dir)
	}
	if s.Only != "" {
		dir = filepath.Dir(dir)
	}
	return dir
}

// List returns the files of a source that can belong to sessions, sorted by path. What cannot be read or followed is
// reported as a problem.
func (s *Source) List(ctx context.Context) ([]Entry, []transcript.Problem, error) {
	if s.Missing {
		return nil, nil, nil
	}
	if s.Bucket != nil {
		return s.listBucket(ctx)
	}
	if s.Archive != nil {
		return s.listArchive()
	}
	if s.Only == "" {
		w := walk{Source: s}
		if err := w.below(ctx, "."); err != nil {
			return nil, nil, err
		}
		w.takeNotes()
		w.split()
		w.join()
		return w.found, w.problems, nil
	}
	w := walk{Source: s}
	at, _, err := s.StampOf(s.Only)
	if err != nil {
		return nil, nil, failure.New(fmt.Errorf("reading %s: %w", s.Name, failure.Cause(err)),
			"give a projects folder, a project folder or a session file")
	}
	w.found = append(w.found, Entry{s.Only, at})
	own := sources.WithoutExt(s.Only)
	if info, err := fs.Stat(s.FS, own); own != s.Only && err == nil && info.IsDir() {
		if err := w.below(ctx, own); err != nil {
			return nil, nil, err
		}
	}
	w.split()
	s.Notes = s.NotesBeside()
	return w.found, w.problems, nil
}

// A walk visits the folders of a source.
type walk struct {
	*Source
	found    []Entry
	problems []transcript.Problem
	shared   map[*int]Entry // by the list of the files, see sharedEntry
}

func (w *walk) below(ctx context.Context, dir string) error {
	err := w.walk(ctx, dir)
	// WalkDir sorts by name within a folder. Sessions need the files below one folder next to each other.
	slices.SortFunc(w.found, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return err
}

// walkRoot visits a folder through the root of the source.
func (w *walk) walkRoot(ctx context.Context, dir string) error {
	return fs.WalkDir(w.FS, dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return w.unread(p, err)
		}
		if d.IsDir() {
			if p != "." && w.homes().Skips(p) {
				return fs.SkipDir
			}
			return ctx.Err()
		}
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			w.link(p)
		case irregular(d.Type()) != "" && w.wants(p):
			w.irregular(p, irregular(d.Type()))
		case w.wants(p):
			w.addListed(p, d)
		}
		return nil
	})
}

// wants reports whether a file may be a session, belong to one or hold several.
func (s *Source) wants(p string) bool {
	switch {
	case s.homes().SkipsFile(p):
		return false
	case isNotes(p):
		return true
	}
	list := s.SourceList()
	return list.Wants(p) || list.MayHold(p)
}

// homes returns the hidden folders that are read.
func (s *Source) homes() sources.HomeFolders {
	if s.hidden == nil {
		s.hidden = s.SourceList().HomeFolders()
	}
	return s.hidden
}

// unread reports a folder that cannot be read.
func (w *walk) unread(dir string, err error) error {
	if dir == "." || failure.Exhausted(err) {
		return failure.New(fmt.Errorf("reading %s: %w", w.Name, failure.Cause(err)),
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
		w.found = append(w.found, Entry{p, decode.StampWithJournal(w.FS, p, fingerprint.StampOf(info))})
	}
}

// addListed adds a file of a listing. On Windows a listing shows a file as it was when it was last closed, so the file
// itself is asked. If it cannot be opened, as while another program locks it, the listing must do: the file is there.
func (w *walk) addListed(p string, d fs.DirEntry) {
	if runtime.GOOS == "windows" {
		at, regular, err := w.StampOf(p)
		if err == nil && regular {
			w.found = append(w.found, Entry{p, at})
		}
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
	info, err := d.Info()
	w.add(p, info, err)
}

// addTarget adds a file, or the target of a link inside the source.
func (w *walk) addTarget(p string) {
	at, regular, err := w.StampOf(p)
	switch {
	case err != nil:
		w.problem(p, err)
	case regular:
		w.found = append(w.found, Entry{p, at})
	}
}

// StampOf returns the stamp of a file, or of the target of a link inside the source.
func (s *Source) StampOf(p string) (at fingerprint.Stamp, regular bool, err error) {
	info, err := fs.Stat(s.FS, p)
	if err != nil {
		return fingerprint.Stamp{}, false, err
	}
	at = fingerprint.StampOf(info)
	if s.Root != nil && at.Changed == 0 {
		at.Changed = fingerprint.ChangeTime(filepath.Join(s.Root.Name(), filepath.FromSlash(p)))
	}
	return decode.StampWithJournal(s.FS, p, at), info.Mode().IsRegular(), nil
}

// problem reports a file or folder that cannot be read, unless it was removed meanwhile.
func (w *walk) problem(p string, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		w.report(p, failure.Cause(err).Error())
	}
}

// link adds the target of a link inside the source. Other links are not followed, which is reported.
func (w *walk) link(p string) {
	wanted := w.wants(p)
	if info, err := fs.Stat(w.FS, p); err == nil && info.Mode().IsRegular() {
		if wanted {
			w.addTarget(p)
		}
		return
	}
	name := filepath.Join(w.Root.Name(), filepath.FromSlash(p))
	target, err := os.Stat(name)
	switch {
	case err == nil && target.IsDir():
		w.report(p, "a link to a folder, which is not followed; give the folder as a source of its own")
	case !wanted:
	case err == nil && target.Mode().IsRegular():
		w.report(p, "a link out of the source, which is not followed; give the file as a source of its own")
	case err == nil:
		w.report(p, "a link to a "+irregular(target.Mode())+", not to a regular file")
	case !errors.Is(err, fs.ErrNotExist):
		w.problem(p, err)
	case !sources.IsHidden(path.Base(p)): // an editor locks a file by a hidden link to nothing
		if _, err := os.Lstat(name); err == nil {
			w.report(p, "a link to a file that does not exist")
		}
	}
}

// irregular reports a file that may block whoever opens it.
func (w *walk) irregular(p, what string) { w.report(p, "a "+what+", not a regular file") }

func (w *walk) report(p, text string) {
	w.problems = append(w.problems, transcript.Problem{Pos: transcript.Pos{File: p}, Text: text})
}
