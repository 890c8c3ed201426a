package sitegen

import (
	"maps"
	"slices"
	"strings"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/search"
	"viewer/render"
)

// filesFolder holds the pages of the files of a project, below the project's folder.
const filesFolder = "files/"

// planFiles plans the pages of the files that sessions changed, for each project. If no session of a project has
// changed, its pages are kept without looking at the changes of files; kept counts those pages.
func (b *builder) planFiles(
	site render.Site, sessions []indexed,
) (pages []render.IndexPage, kept int, err error) {
	byProject := make(map[string][]indexed)
	changed := make(map[string]bool)
	for _, s := range sessions {
		path := s.summary.Project.Path
		byProject[path] = append(byProject[path], s)
		if s.summary.Outcome.Files > 0 {
			changed[path] = true
		}
	}
	known := make(map[string][]string) // pages of the last build, by folder
	for _, name := range b.out.Names("p/") {
		if at := strings.Index(name, "/"+filesFolder); at > 0 {
			folder := name[:at+1+len(filesFolder)]
			known[folder] = append(known[folder], name)
		}
	}
	var places []search.Place
	for _, path := range slices.Sorted(maps.Keys(changed)) {
		folder := strings.TrimSuffix(path, "index.html") + filesFolder
		key := b.filesKey(byProject[path])
		b.next.IndexKeys[folder] = key
		places = append(places, search.Place{Project: byProject[path][0].summary.Project.Name, Folder: folder})
		if names := known[folder]; b.old.IndexKeys[folder] == key && !b.Force && !b.Verify && b.out.Intact(names...) {
			b.out.Keep(names...)
			for _, name := range names {
				if strings.HasSuffix(name, ".html") {
					kept++
					b.next.IndexKeys[name] = b.old.IndexKeys[name]
				}
			}
			continue
		}
		planned, paths := render.PlanFiles(site, byProject[path][0].summary.Project, fileSessions(byProject[path]))
		pages = append(pages, planned...)
		if b.NoSearch {
			continue
		}
		file := search.PathsFile(folder, searchPaths(paths))
		if err := b.out.Write(file.Name, file.Data); err != nil {
			return nil, 0, err
		}
	}
	if b.NoSearch {
		return pages, kept, nil
	}
	file := search.PlacesFile(places)
	return pages, kept, b.out.Write(file.Name, file.Data)
}

func searchPaths(paths []render.TouchedPath) []search.Path {
	all := make([]search.Path, len(paths))
	for i, p := range paths {
		all[i] = search.Path(p)
	}
	return all
}

// filesKey returns a hash of all that the pages of a project's files show.
func (b *builder) filesKey(sessions []indexed) fingerprint.Digest {
	r := make(codec.Encoder, 0, 128*len(sessions))
	r.Digest(b.site.base)
	r.Bool(b.NoSearch)
	r.Text(sessions[0].summary.Project.Name)
	for _, s := range sessions {
		r.Text(s.Folder, s.summary.Title, s.CWD())
		r.Time(s.start)
		r.Digest(s.FilesKey())
	}
	return fingerprint.Of(r)
}

// fileSessions returns the sessions with their changes of files.
func fileSessions(sessions []indexed) []render.FileSession {
	all := make([]render.FileSession, len(sessions))
	for i, s := range sessions {
		all[i] = render.FileSession{
			Folder: s.Folder, Title: s.summary.Title, Start: s.start, CWD: s.CWD(), Files: s.Files(),
		}
	}
	slices.SortFunc(all, func(a, b render.FileSession) int { return strings.Compare(a.Folder, b.Folder) })
	return all
}
