package sitegen

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"viewer/internal/archive"
	"viewer/internal/archive/store"
	"viewer/internal/failure"
	"viewer/internal/sitegen/input"
	"viewer/internal/sources"
)

// CompareArchived compares the files of sources with their archived versions, and reports those that were changed other
// than by appending. It returns the number of files that the archive has.
func CompareArchived(ctx context.Context, a *store.Archive, names []string, unread func(error),
	report func(store.Flaw)) (compared int, err error) {
	byPath := make(map[string][]archive.Key)
	for _, k := range a.Keys() {
		byPath[path.Base(k.Path)] = append(byPath[path.Base(k.Path)], k)
	}
	for _, name := range names {
		src, err := input.Open(ctx, name)
		if err != nil {
			return compared, err
		}
		defer src.Close()
		files, err := filesToArchive(ctx, src, new(ArchiveReport))
		if err != nil {
			return compared, err
		}
		for _, f := range files {
			if err := ctx.Err(); err != nil {
				return compared, err
			}
			known := archivedAs(a, f.Key, byPath)
			if len(known) == 0 {
				continue
			}
			finding, err := compareFile(a, known, f)
			if err != nil {
				unread(errors.New(f.Name() + ": " + failure.Cause(err).Error()))
				continue
			}
			compared++
			where := strings.TrimSuffix(f.Folder, "/") + "/" + f.Path
			switch {
			case finding.Change.Honest():
			case path.Ext(f.Path) == ".jsonl":
				text := "this line " + finding.Change.String() + " since it was archived"
				report(store.Flaw{File: where, Line: finding.Line, Text: text})
			default:
				const text = "it was rewritten since it was archived"
				report(store.Flaw{File: where, Line: finding.Line, Text: text, Mild: true})
			}
		}
	}
	return compared, nil
}

// compareFile compares a file with its versions of several machines. It is unchanged if it continues one of them:
// another machine may have a longer version.
func compareFile(a *store.Archive, known []*archive.Record, f store.File) (first archive.Finding, err error) {
	for i, r := range known {
		now, err := f.Open()
		if err != nil {
			return first, err
		}
		was := a.Content(r)
		finding, err := archive.Compare(was, now)
		was.Close()
		now.Close()
		if err != nil || finding.Change.Honest() {
			return finding, err
		}
		if i == 0 {
			first = finding
		}
	}
	return first, nil
}

// archivedAs returns the versions of a file in an archive, even if it was moved: those with the longest common end of
// the path. If several files have this end, for example of several machines, it returns one version of each. A common
// file name is not enough unless it has an id, because some agents use the same name in each session.
func archivedAs(a *store.Archive, k archive.Key, byPath map[string][]archive.Key) (all []*archive.Record) {
	most := 1
	whole := strings.Split(k.Folder+"/"+k.Path, "/")
	stem := sources.Stem(k.Path)
	unique := isID(stem[max(0, len(stem)-idSize):])
	for _, other := range byPath[path.Base(k.Path)] {
		parts := strings.Split(other.Folder+"/"+other.Path, "/")
		n := 0
		for n < len(whole) && n < len(parts) && whole[len(whole)-1-n] == parts[len(parts)-1-n] {
			n++
		}
		if !unique && n <= max(strings.Count(k.Path, "/"), strings.Count(other.Path, "/")) {
			continue
		}
		if n > most {
			most, all = n, nil
		}
		if n == most {
			all = append(all, a.Newest(other))
		}
	}
	return all
}

// IsOfSession reports whether a path is that of a session or in its folder, given the id or its beginning.
func IsOfSession(p, id string) bool {
	parts := strings.Split(p, "/")
	return strings.HasPrefix(sources.Stem(p), id) || slices.ContainsFunc(parts, func(part string) bool {
		return strings.HasPrefix(part, id)
	}) || strings.HasSuffix(sources.Stem(p), id)
}
