package sitegen

import (
	"maps"
	"slices"
	"strings"

	"viewer/internal/fingerprint"
	"viewer/internal/search"
	"viewer/render"
	"viewer/render/filepages"
	"viewer/render/indexpages"
)

// filesFolder holds the pages of the files of a project, below the project's folder.
const filesFolder = "files/"

// planFiles plans the pages of changed files, for each project. If no session of a project has changed, its pages are
// kept; kept counts them. In a large site, write is called with the pages of one project at a time, because there are
// too many to plan at once; otherwise it is nil.
func (b *builder) planFiles(
	site indexpages.Site, l *indexedSessions, write func([]indexpages.Page) error,
) (pages []indexpages.Page, kept int, err error) {
	byProject := l.byProject()
	changed := make(map[string]render.Project)
	for i := range l.Len() {
		if s := l.Listed(i); s.HasFiles {
			changed[s.Project.Path] = l.Listed(int(byProject[s.Project.Path][0])).Project
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
		key := b.filesKey(l, changed[path], byProject[path])
		b.setIndexKey(folder, key)
		places = append(places, search.Place{Project: changed[path].Name, Folder: folder})
		names := known[folder]
		if len(names) > 0 && b.isKnown(folder, key) && b.out.Intact(names...) {
			b.out.Keep(names...)
			for _, name := range names {
				if strings.HasSuffix(name, ".html") {
					kept++
					b.setIndexKey(name, b.old.IndexKeys[name])
				}
			}
			continue
		}
		planned, paths := filepages.Plan(site, changed[path], l.fileSessions(byProject[path]))
		if write != nil {
			if err := write(planned); err != nil {
				return nil, 0, err
			}
		} else {
			pages = append(pages, planned...)
		}
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

func searchPaths(paths []filepages.Path) []search.Path {
	all := make([]search.Path, len(paths))
	for i, p := range paths {
		all[i] = search.Path(p)
	}
	return all
}

// filesKey returns a hash of all that the pages of a project's files show.
func (b *builder) filesKey(l *indexedSessions, project render.Project, sessions []int32) fingerprint.Digest {
	r := newLongKey()
	r.Digest(b.site.base)
	r.Bool(b.NoSearch)
	r.Text(project.Name)
	for _, i := range sessions {
		k := l.session(i)
		summary := k.listSummary()
		r.Text(k.Folder, summary.Title, k.CWD())
		r.Time(summary.Start)
		r.Digest(k.FilesKey())
		r.flush()
	}
	return r.digest()
}

// fileSessions returns the sessions with their changes of files.
func (l *indexedSessions) fileSessions(sessions []int32) []filepages.Session {
	all := make([]filepages.Session, len(sessions))
	folders := make(map[string]string) // so that sessions share the strings
	for n, i := range sessions {
		k := l.session(i)
		cwd, ok := folders[k.CWD()]
		if !ok {
			cwd = strings.Clone(k.CWD())
			folders[cwd] = cwd
		}
		all[n].CWD = cwd
		if files := k.Files(); len(files) > 0 {
			summary := k.listSummary()
			all[n] = filepages.Session{
				Folder: k.Folder, Title: summary.Title, Start: summary.Start, CWD: cwd, Files: files,
			}
		}
	}
	slices.SortStableFunc(all, func(a, b filepages.Session) int { return strings.Compare(a.Folder, b.Folder) })
	return all
}
