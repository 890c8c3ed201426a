package sitegen

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"viewer/internal/archive"
	"viewer/internal/archive/store"
	"viewer/internal/sources"
)

// CompareArchived compares the files of sources with what an archive has of them, and reports those that were changed
// and not only appended to. It gives the number of files that the archive has.
func CompareArchived(ctx context.Context, a *store.Archive, names []string, unread func(error),
	report func(store.Flaw)) (compared int, err error) {
	byPath := make(map[string][]archive.Key)
	for _, k := range a.Keys() {
		byPath[path.Base(k.Path)] = append(byPath[path.Base(k.Path)], k)
	}
	for _, name := range names {
		src, err := openAny(ctx, name)
		if err != nil {
			return compared, err
		}
		defer src.close()
		files, err := src.filesToArchive(ctx, new(ArchiveReport))
		if err != nil {
			return compared, err
		}
		for _, f := range files {
			if err := ctx.Err(); err != nil {
				return compared, err
			}
			known := archivedAs(a, f.Key, byPath)
			if known == nil {
				continue
			}
			finding, err := compareFile(a, known, f)
			if err != nil {
				unread(errors.New(f.Name() + ": " + Cause(err).Error()))
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

func compareFile(a *store.Archive, known *archive.Record, f store.File) (archive.Finding, error) {
	now, err := f.Open()
	if err != nil {
		return archive.Finding{}, err
	}
	defer now.Close()
	was := a.Content(known)
	defer was.Close()
	return archive.Compare(was, now)
}

// archivedAs is what an archive has of a file, wherever that lies now: the longest end of its path tells, and where
// several files have it, the first of them.
func archivedAs(a *store.Archive, k archive.Key, byPath map[string][]archive.Key) *archive.Record {
	most, best := 0, archive.Key{}
	whole := strings.Split(k.Folder+"/"+k.Path, "/")
	for _, other := range byPath[path.Base(k.Path)] {
		parts := strings.Split(other.Folder+"/"+other.Path, "/")
		n := 0
		for n < len(whole) && n < len(parts) && whole[len(whole)-1-n] == parts[len(parts)-1-n] {
			n++
		}
		if n > most {
			most, best = n, other
		}
	}
	return a.Newest(best)
}

// IsOfSession reports whether a path is that of a session, or lies in its folder, by the id or its beginning.
func IsOfSession(p, id string) bool {
	parts := strings.Split(p, "/")
	return strings.HasPrefix(sources.Stem(p), id) || slices.ContainsFunc(parts, func(part string) bool {
		return strings.HasPrefix(part, id)
	}) || strings.HasSuffix(sources.Stem(p), id)
}
