package sitegen

import (
	"maps"
	"slices"
	"strings"

	"viewer/internal/fingerprint"
	"viewer/internal/search"
	"viewer/render"
	"viewer/render/filepages"
)

// filesFolder holds the pages of the files of a project, below the project's folder.
const filesFolder = "files/"

// planFiles plans the pages of changed files, for each project. If no session of a project has changed, its pages are
// kept.
func (b *indexBuild) planFiles() (pagePlan, error) {
	var plan pagePlan
	changed := make(map[string]render.Project)
	for i := range b.list.Len() {
		if s := b.list.Listed(i); s.HasFiles {
			changed[s.Project.Path] = b.list.Listed(int(b.byProject[s.Project.Path][0])).Project
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
		places = append(places, search.Place{Project: changed[path].Name, Folder: folder})
		if err := b.planFilesOf(&plan, changed[path], folder, known[folder]); err != nil {
			return plan, err
		}
	}
	if b.NoSearch {
		return plan, nil
	}
	file := search.PlacesFile(places)
	return plan, b.out.Write(file.Name, file.Data)
}

// planFilesOf plans those of a project. known are its pages of the last build.
func (b *indexBuild) planFilesOf(plan *pagePlan, project render.Project, folder string, known []string) error {
	sessions := b.byProject[project.Path]
	key := b.filesKey(project, sessions)
	b.setIndexKey(folder, key)
	if len(known) > 0 && b.isKnown(folder, key) && b.out.Intact(known...) {
		b.out.Keep(known...)
		for _, name := range known {
			if strings.HasSuffix(name, ".html") {
				plan.kept++
				b.setIndexKey(name, b.old.IndexKeys[name])
			}
		}
		return nil
	}
	pages, paths := filepages.Plan(b.shown, project, b.list.fileSessions(sessions))
	if err := b.add(plan, pages...); err != nil || b.NoSearch {
		return err
	}
	file := search.PathsFile(folder, searchPaths(paths))
	return b.out.Write(file.Name, file.Data)
}

func searchPaths(paths []filepages.Path) []search.Path {
	all := make([]search.Path, len(paths))
	for i, p := range paths {
		all[i] = search.Path(p)
	}
	return all
}

// filesKey returns a hash of all that the pages of a project's files show.
func (b *indexBuild) filesKey(project render.Project, sessions []int32) fingerprint.Digest {
	r := newLongKey()
	r.Digest(b.site.base)
	r.Bool(b.NoSearch)
	r.Text(project.Name)
	for _, i := range sessions {
		listed := b.list.Listed(int(i))
		k := b.list.get(listed.At)
		r.Text(k.Folder, k.Title(), k.CWD())
		r.Time(listed.Start)
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
