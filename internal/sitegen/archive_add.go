package sitegen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"viewer/internal/archive"
	"viewer/internal/archive/store"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/decode"
	"viewer/internal/sitegen/input"
	"viewer/internal/sources"
	"viewer/internal/storage"
	"viewer/internal/transcript"
)

// ArchiveOptions are the options of Archive.
type ArchiveOptions struct {
	Sources []string // none means UsualSources
	Archive string   // the folder
	Machine string   // name of the machine that the sources are on
	Now     time.Time
	// Sign returns the signature of a seal. If it is nil, seals are not signed.
	Sign   func(seal []byte) ([]byte, error)
	Unread func(error) // see Options

	writers sources.List
}

// An ArchiveReport is the result of Archive.
type ArchiveReport struct {
	Files    map[store.Result]int
	Sessions int
	Read     int64 // bytes of the sources
	Written  int64 // bytes written to the archive
	Torn     int64 // bytes after the end of the manifest, from an interrupted run
	Problems []transcript.Problem
	Changed  []store.Flaw // logs that were rewritten instead of appended to
}

// Archive adds new content of the sources to an archive. A file that cannot be read is a problem, and the others are
// archived.
func Archive(ctx context.Context, o ArchiveOptions) (report ArchiveReport, err error) {
	names, usual := o.Sources, len(o.Sources) == 0
	if usual {
		names = usualSources(Options{writers: o.writers}.sourceList(), os.Getenv)
	}
	if err := refuseInside(o.Archive, names); err != nil {
		return report, err
	}
	w, err := store.Create(ctx, o.Archive)
	if err != nil {
		return report, err
	}
	report = ArchiveReport{Files: make(map[store.Result]int), Torn: w.Torn}
	defer func() {
		if closing := w.Close(); err == nil {
			err = closing
		}
		report.Written = w.Written
	}()
	a := archiver{ArchiveOptions: o, Writer: w, report: &report}
	found := false
	for _, name := range names {
		n, err := a.source(ctx, name)
		switch {
		case usual && failure.Missing(err):
		case usual && err != nil && ctx.Err() == nil && !errors.As(err, new(*writeError)):
			if o.Unread != nil {
				o.Unread(err)
			}
		case err != nil:
			return report, err
		case n == 0 && !usual:
			return report, noSessions(name)
		}
		found = found || n > 0
	}
	if !found {
		return report, failure.New(none{fmt.Errorf("no sessions in %s", folderWords(names))},
			"name a folder or a file of sessions: viewer archive FOLDER -o ARCHIVE")
	}
	if o.Sign != nil {
		err = w.Seal(o.Now, o.Sign)
	}
	return report, err
}

// A writeError is an error of writing to the archive, which ends the run.
type writeError struct{ error }

func (e writeError) Unwrap() error { return e.error }

type archiver struct {
	ArchiveOptions
	*store.Writer
	report *ArchiveReport
}

// refuseInside returns an error if an archive is inside a source, because it would contain itself. Nothing is written
// yet: the beginning of an archive would be archived by the next run.
func refuseInside(archive string, names []string) error {
	inBucket := storage.IsAddress(archive)
	for _, name := range names {
		if inBucket && storage.IsAddress(name) &&
			strings.HasPrefix(storage.Words(archive)+"/", storage.Words(name)+"/") {
			return failure.New(fmt.Errorf("%s is inside %s", storage.Words(archive), storage.Words(name)),
				"use -o to choose another prefix")
		}
		if inBucket || storage.IsAddress(name) {
			continue
		}
		rel, inside := Inside(storage.Folder(name), storage.Folder(archive))
		if inside && !IsHidden(strings.Split(filepath.ToSlash(rel), "/")[0]) {
			return failure.New(fmt.Errorf("%s is inside %s", archive, name), "use -o to choose another folder")
		}
	}
	return nil
}

// Inside reports whether a path is a folder or inside of it, and returns the rest of the path.
func Inside(folder, path string) (rest string, inside bool) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", false
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", false
	}
	rest, err = filepath.Rel(folder, path)
	return rest, err == nil && filepath.IsLocal(rest)
}

// source archives a source. It returns the number of its files.
func (a *archiver) source(ctx context.Context, name string) (int, error) {
	if store.Is(ctx, name) {
		return a.other(ctx, name)
	}
	src, err := input.Open(ctx, name)
	if err != nil {
		return 0, err
	}
	defer src.Close()
	src.Writers = a.writers
	files, err := filesToArchive(ctx, src, a.report)
	if err != nil {
		return 0, err
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		f.Machine = a.Machine
		if err := a.add(f); err != nil {
			return 0, err
		}
	}
	return len(files), nil
}

// other adds the content of another archive.
func (a *archiver) other(ctx context.Context, name string) (int, error) {
	from, err := store.Open(ctx, name)
	if err != nil {
		return 0, err
	}
	defer from.Close()
	for _, k := range from.Keys() {
		for _, r := range from.Files[k] {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			if known := a.Newest(k); known != nil && slices.ContainsFunc(a.Files[k], func(v *archive.Record) bool {
				return v.Sum == r.Sum
			}) {
				continue
			}
			err := a.add(store.File{
				Key: k, Beside: r.Beside,
				Stamp: fingerprint.Stamp{Size: r.Size, Mod: r.Mod, Changed: r.Changed, Inode: r.Inode},
				Open:  func() (io.ReadCloser, error) { return from.Content(r), nil },
			})
			if err != nil {
				return 0, err
			}
		}
	}
	return len(from.Files), nil
}

// add archives a file.
func (a *archiver) add(f store.File) error {
	a.report.Read += f.Size
	before := a.Newest(f.Key)
	result, err := a.Add(f, a.Now)
	if read, ok := errors.AsType[*store.ErrRead](err); ok {
		if !errors.Is(err, fs.ErrNotExist) {
			a.report.Problems = append(a.report.Problems, transcript.Problem{
				Pos: transcript.Pos{File: f.Name()}, Text: read.Error(),
			})
		}
		return nil
	}
	if err != nil {
		return writeError{err}
	}
	a.report.Files[result]++
	if (result == store.Rewritten || result == store.Shortened) && path.Ext(f.Path) == ".jsonl" {
		a.compare(f, before)
	}
	return nil
}

// compare reports where a log differs from its archived version.
func (a *archiver) compare(f store.File, before *archive.Record) {
	now := a.Newest(f.Key)
	was, is := a.Content(before), a.Content(now)
	defer was.Close()
	defer is.Close()
	finding, err := archive.Compare(was, is)
	if err != nil || finding.Change.Honest() {
		return
	}
	a.report.Changed = append(a.report.Changed, store.Flaw{
		File: f.Name(), Line: finding.Line, Mild: true,
		Text: "this line " + finding.Change.String() + " since it was archived",
	})
}

// filesToArchive returns the files of a source to archive: sessions and files that may belong to them, everything in
// the folders of sessions, and lists that their writers keep around the source. It returns none if there is no session.
func filesToArchive(ctx context.Context, s *input.Source, report *ArchiveReport) ([]store.File, error) {
	s.KeepList = true
	entries, problems, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	report.Problems = append(report.Problems, problems...)
	folders := discover(s, entries)
	sessions := 0
	for _, fo := range folders {
		sessions += len(fo.sessions) + len(fo.loose)
		report.Sessions += len(fo.sessions)
	}
	if sessions == 0 {
		return nil, nil
	}
	var paths []string
	for _, e := range s.Listed {
		paths = append(paths, e.Path)
	}
	return gather(s, folders, paths), nil
}

// filesOfSessions returns the files of a source that belong to its sessions, as filesToArchive does, without files that
// only may belong to one.
func filesOfSessions(s *input.Source, folders []*folder) []store.File {
	v := survey{folders: folders}
	var paths []string
	for _, f := range v.files() {
		if f.part {
			paths = append(paths, path.Dir(f.path))
		} else {
			paths = append(paths, f.path)
		}
	}
	return gather(s, folders, paths)
}

// gather returns files of a source, and everything in the folders of its sessions and around them.
func gather(s *input.Source, folders []*folder, paths []string) []store.File {
	g := gathered{Source: s, taken: make(map[string]bool), ids: make(map[string]bool)}
	for _, fo := range folders {
		for _, one := range fo.sessions {
			g.below(sources.WithoutExt(one.main.path))
			if id := one.main.stem(); isID(id) {
				g.ids[id] = true
			}
		}
	}
	for _, p := range paths {
		g.add(p)
	}
	g.around()
	slices.SortFunc(g.files, func(a, b store.File) int { return strings.Compare(a.Path, b.Path) })
	return g.files
}

// gathered collects the files of a source to archive.
type gathered struct {
	*input.Source
	taken map[string]bool
	ids   map[string]bool // of the sessions
	files []store.File
}

// below adds everything in the folder of a session.
func (g *gathered) below(dir string) {
	if dir == "." || g.Bucket != nil {
		return
	}
	_ = fs.WalkDir(g.Raw(), dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil: // there is no folder, or its known files report the error
		case d.IsDir() && IsHidden(d.Name()):
			return fs.SkipDir
		case !d.IsDir() && !sources.HasCredentials(p):
			g.add(p)
		}
		return nil
	})
}

// add adds a file, and the write-ahead log of a database.
func (g *gathered) add(p string) {
	fsys := g.Raw()
	names := []string{p}
	if slices.Contains(decode.DatabaseExts, path.Ext(p)) {
		names = append(names, p+decode.JournalSuffix)
	}
	for _, p := range names {
		info, err := fs.Stat(fsys, p)
		busy := failure.Busy(err) // which opening it reports
		if (busy || err == nil && info.Mode().IsRegular()) && !g.taken[p] {
			g.taken[p] = true
			g.files = append(g.files, fileToArchive(fsys, filepath.ToSlash(g.Folder()), p, info))
		}
	}
}

// fileToArchive returns a file to archive. info is nil if the file cannot be opened.
func fileToArchive(fsys fs.FS, dir, p string, info fs.FileInfo) store.File {
	f := store.File{
		Key:  archive.Key{Folder: dir, Path: p},
		Open: func() (io.ReadCloser, error) { return fsys.Open(p) },
	}
	if info != nil {
		f.Stamp = fingerprint.StampOf(info)
	}
	return f
}

// around adds files that writers keep next to the source. Next to a project are those of all projects: only those are
// added whose names begin with the id of a session of the source.
func (g *gathered) around() {
	if g.Root == nil {
		return
	}
	dir := filepath.Dir(g.Folder())
	if g.Only == "" {
		names := g.namesAround(g.Base())
		for _, name := range names {
			if !strings.HasPrefix(name, "../") {
				g.add(name)
			}
		}
		g.outside(dir, names, func(string) bool { return true })
	}
	if g.Outer == nil {
		g.outside(filepath.Dir(dir), g.namesAround(filepath.Base(dir)), func(name string) bool {
			return len(name) >= idSize && g.ids[name[:idSize]]
		})
	}
}

// namesAround returns the files and folders that writers keep around a folder of this name.
func (g *gathered) namesAround(folder string) []string {
	var names []string
	for _, by := range g.SourceList() {
		if list, ok := by.(sources.TitleList); ok {
			names = append(names, list.TitlesFile(folder))
		}
		if writer, ok := by.(sources.FilesAround); ok {
			names = append(names, writer.Around(folder)...)
		}
	}
	return names
}

// outside adds the files of those names that begin with "../", relative to dir, and what is in folders of those names.
// wants tells whether to add a file, or what is directly in one of the folders, by its name.
func (g *gathered) outside(dir string, names []string, wants func(name string) bool) {
	for _, name := range names {
		name, ok := strings.CutPrefix(name, "../")
		if !ok {
			continue
		}
		if g.Outer == nil {
			root, err := os.OpenRoot(dir)
			if err != nil {
				return // the source is archived without it
			}
			g.Outer = root
		}
		outer := g.Outer.FS()
		_ = fs.WalkDir(outer, name, func(p string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil
			case p == name && d.IsDir():
				return nil
			case (p == name || path.Dir(p) == name) && !wants(d.Name()):
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			case !d.Type().IsRegular() || sources.HasCredentials(p):
				return nil
			}
			if info, err := d.Info(); err == nil {
				f := fileToArchive(outer, filepath.ToSlash(dir), p, info)
				f.Beside = true
				g.files = append(g.files, f)
			}
			return nil
		})
	}
}
