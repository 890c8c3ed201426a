package filepages

import (
	"cmp"
	"slices"
	"strings"

	"viewer/internal/words"
	"viewer/render"
	"viewer/render/indexpages"
	"viewer/render/page"
)

// Limits of a page of files.
const (
	maxTouches    = 100 // sessions of a file
	maxTouchTitle = 90
	maxTouchPath  = 400
	maxFolderPath = 120
	maxFolders    = 400
	someFilesOf   = 20 // in the lists of the files that changed last, and of those changed by most sessions
)

// A Path is a file of a project for searches.
type Path struct {
	Path     string
	Page     string // relative to files/, with a fragment
	Sessions int
}

// Plan returns the pages of the files that sessions of a project changed: p/<project>/files/index.html, and more in
// files/ if one page is not enough. It also returns the paths with their places.
func Plan(s indexpages.Site, project render.Project, sessions []Session) ([]indexpages.Page, []Path) {
	files := touchedFiles(sessions)
	if len(files) == 0 {
		return nil, nil
	}
	p := filesPlanner{
		Planner: indexpages.Planner{Site: s}, project: project, files: files, parts: filesParts(files),
		folder: strings.TrimSuffix(project.Path, "index.html") + "files/",
	}
	for i := range sessions {
		if len(sessions[i].Files) > 0 {
			p.sessions++
		}
	}
	paths := make([]Path, 0, len(files))
	var key indexpages.Fingerprint
	var keys []string
	for i := range p.parts {
		part := &p.parts[i]
		key = key[:0]
		for j := range part.files {
			f := &part.files[j]
			f.key(&key)
			paths = append(paths, Path{f.path, part.name + "#" + f.anchor(), len(f.touches)})
		}
		beside := []string{project.Name, project.Path}
		for _, at := range []int{i - 1, i + 1} {
			if at >= 0 && at < len(p.parts) {
				beside = append(beside, p.parts[at].name, p.parts[at].title())
			} else {
				beside = append(beside, "", "")
			}
		}
		draw := func() []byte { return p.drawPart(i) }
		keys = append(keys, p.KeyOf(append(beside, string(key))...))
		p.Add(p.folder+part.name, keys[i], draw)
	}
	if len(p.parts) > 1 {
		p.Add(p.folder+"index.html", p.KeyOf(keys...), p.drawFront)
	}
	return p.Pages, paths
}

// A filesPlanner plans the pages of the files of a project.
type filesPlanner struct {
	indexpages.Planner
	project  render.Project
	folder   string // of the pages, relative to the top of the site
	files    []touchedFile
	parts    []filesPart
	sessions int
}

type filesView struct {
	Head         page.Head
	Title        string
	Numbers      string
	Project      page.Link
	All          page.Link // the first page, if there are several
	Lists        []fileListView
	Folders      []folderView
	Missing      string // number of folders that are not listed
	Sets         []fileSetView
	Newer, Older page.Link // neighbouring pages
}

// A fileListView is a short list of files, with links to their places.
type fileListView struct {
	Title string
	Files []fileLinkView
}

type fileLinkView struct {
	Href, Dir, Name string
	Facts           []page.Fact
}

// A folderView is a folder with its subfolders.
type folderView struct {
	Href, Path string
	Files      string
	Facts      []page.Fact
	Last       page.Stamp
}

// A fileSetView are the files of one folder.
type fileSetView struct {
	Title string
	Files []fileRow
}

type fileRow struct {
	ID, Name string
	Facts    []page.Fact
	Sessions string
	Last     page.Stamp
	Touches  []touchView
	More     string
}

// A touchView is a session that changed a file.
type touchView struct {
	At      page.Stamp
	Session page.Link
	Changes string // address of its changes
	Facts   []page.Fact
	Notes   []string
}

func (p *filesPlanner) root() string { return strings.Repeat("../", strings.Count(p.folder, "/")) }

func (p *filesPlanner) view(title string) filesView {
	root := p.root()
	crumbs := []page.Link{
		{Href: root + "index.html", Text: "Sessions"}, {Href: root + p.project.Path, Text: p.project.Name},
	}
	v := filesView{Title: "Files that sessions changed", Project: crumbs[1]}
	if title == "" {
		crumbs = append(crumbs, page.Link{Text: "Files"})
	} else {
		v.Title = title
		v.All = page.Link{Href: "index.html", Text: "All files"}
		crumbs = append(crumbs, page.Link{Href: "index.html", Text: "Files"}, page.Link{Text: words.Clip(title, 60)})
	}
	v.Head = page.NewHead("page-files", v.Title+" · "+p.project.Name, p.Generator, root, crumbs)
	return v
}

// drawPart draws a page with files and their sessions.
func (p *filesPlanner) drawPart(i int) []byte {
	part := &p.parts[i]
	title := ""
	if len(p.parts) > 1 {
		title = part.title()
	}
	v := p.view(title)
	if title == "" {
		v.Numbers = p.numbers()
	} else {
		v.Numbers = words.Plural(len(part.files), "file", "files")
	}
	if i > 0 {
		v.Newer = page.Link{Href: p.parts[i-1].name, Text: p.parts[i-1].title()}
	}
	if i+1 < len(p.parts) {
		v.Older = page.Link{Href: p.parts[i+1].name, Text: p.parts[i+1].title()}
	}
	for j := range part.files {
		f := &part.files[j]
		dir, _ := splitPath(f.path)
		if j == 0 || f.outside != part.files[j-1].outside || dir != dirOf(part.files[j-1].path) {
			v.Sets = append(v.Sets, fileSetView{Title: setTitle(dir, f.outside)})
		}
		set := &v.Sets[len(v.Sets)-1]
		set.Files = append(set.Files, p.row(f))
	}
	return page.DrawWhole(nil, "page/files", v)
}

func setTitle(dir string, outside bool) string {
	switch {
	case outside:
		return "Outside of the project: " + words.Clip(cmp.Or(dir, "unknown folder"), maxFolderPath)
	case dir == "":
		return "Top folder"
	}
	return words.Clip(dir, maxFolderPath)
}

// title describes the files of a page: from the folder of the first to that of the last.
func (p *filesPart) title() string {
	first, last := p.files[0].path, p.files[len(p.files)-1].path
	from, to := cmp.Or(dirOf(first), "top folder"), cmp.Or(dirOf(last), "top folder")
	if from == to {
		_, a := splitPath(first)
		_, b := splitPath(last)
		return words.Clip(from, 60) + ": " + words.Clip(a, 40) + " – " + words.Clip(b, 40)
	}
	return words.Clip(from, 60) + " – " + words.Clip(to, 60)
}

// splitPath cuts a path into its folder, with the slash after it, and its name.
func splitPath(name string) (dir, base string) {
	cut := strings.LastIndexByte(name, '/') + 1
	return name[:cut], name[cut:]
}

func dirOf(name string) string {
	dir, _ := splitPath(name)
	return dir
}

func (p *filesPlanner) row(f *touchedFile) fileRow {
	_, name := splitPath(f.path)
	r := fileRow{
		ID: f.anchor(), Name: words.Clip(name, maxTouchPath), Facts: page.LineFacts(f.added, f.removed),
		Sessions: words.Plural(len(f.touches), "session", "sessions"),
		Last:     page.NewStamp(f.last, "date", "2 Jan 2006"),
	}
	for _, t := range f.touches[:min(len(f.touches), maxTouches)] {
		c := t.change
		folder := p.root() + "s/" + t.session.Folder + "/"
		v := touchView{
			At:      page.NewStamp(t.when(), "datetime", "2 Jan 2006, 15:04"),
			Session: page.Link{Href: folder + "index.html", Text: words.Line(t.session.Title, maxTouchTitle)},
		}
		if c.Page != "" {
			v.Changes = folder + c.Page
		}
		if t.to == "" {
			v.Facts = page.LineFacts(c.Added, c.Removed)
		}
		v.Notes = touchNotes(t)
		if len(f.touches) == 1 { // the row has the time and the number of lines
			v.At, v.Facts = page.Stamp{}, nil
		}
		r.Touches = append(r.Touches, v)
	}
	if n := len(f.touches) - len(r.Touches); n > 0 {
		r.More = "and " + words.Plural(n, "session", "sessions") + " before"
	}
	return r
}

// touchNotes describes what a session did besides adding and removing lines.
func touchNotes(t touch) []string {
	c := t.change
	var all []string
	add := func(is bool, text string) {
		if is {
			all = append(all, text)
		}
	}
	if t.to != "" {
		return []string{"renamed to " + words.Clip(t.to, maxTouchPath)}
	}
	add(c.Created, "new")
	add(c.Gone, "deleted")
	add(c.From != "", "renamed from "+words.Clip(c.From, maxTouchPath))
	add(c.Binary, "binary")
	add(c.Undone, "nothing is left of it")
	if n := c.UnknownAdded + c.UnknownRemoved; n > 0 {
		all = append(all, words.Plural(n, "line", "lines")+" by somebody else")
	}
	return all
}

// numbers returns the figures at the top of the first page.
func (p *filesPlanner) numbers() string {
	return words.Plural(len(p.files), "file", "files") + " of " + words.Plural(p.sessions, "session", "sessions") +
		". Lines are the net change by calls; what commands and people changed is not in it."
}

// drawFront draws the first page of several: folders, and the most wanted files.
func (p *filesPlanner) drawFront() []byte {
	v := p.view("")
	v.Numbers = p.numbers()
	pages := make(map[*touchedFile]string, len(p.files))
	order := make([]*touchedFile, 0, len(p.files))
	for i := range p.parts {
		for j := range p.parts[i].files {
			f := &p.parts[i].files[j]
			pages[f] = p.parts[i].name + "#" + f.anchor()
			order = append(order, f)
		}
	}
	list := func(title string, fact func(*touchedFile) string, before func(a, b *touchedFile) int) {
		some := slices.Clone(order)
		slices.SortStableFunc(some, before)
		l := fileListView{Title: title}
		for _, f := range some[:min(someFilesOf, len(some))] {
			dir, name := splitPath(words.Clip(f.path, maxFolderPath))
			l.Files = append(l.Files, fileLinkView{
				Href: pages[f], Dir: dir, Name: name,
				Facts: append(page.Facts(fact(f)), page.LineFacts(f.added, f.removed)...),
			})
		}
		v.Lists = append(v.Lists, l)
	}
	list("Changed last", func(f *touchedFile) string { return page.NewStamp(f.last, "", "2 Jan 2006").Text },
		func(a, b *touchedFile) int { return b.last.Compare(a.last) })
	sessions := func(f *touchedFile) string { return words.Plural(len(f.touches), "session", "sessions") }
	list("Changed by most sessions", sessions,
		func(a, b *touchedFile) int {
			return cmp.Or(cmp.Compare(len(b.touches), len(a.touches)), b.last.Compare(a.last))
		})
	var more int
	v.Folders, more = foldersOf(order, pages)
	if more > 0 {
		v.Missing = words.Plural(more, "folder", "folders") + " below these"
	}
	return page.DrawWhole(nil, "page/files", v)
}

// foldersOf lists the folders, as deep as there is space, with the sums of each.
func foldersOf(files []*touchedFile, pages map[*touchedFile]string) (all []folderView, missing int) {
	depth, total := 1, 0
	for d := 1; d <= 64; d++ {
		seen := make(map[string]bool)
		for _, f := range files {
			seen[folderKey(f, d)] = true
		}
		before := total
		if total = len(seen); total == before || d > 1 && total > maxFolders {
			break
		}
		depth = d
	}
	type sum struct{ files, added, removed int }
	var sums []sum
	var heads []*touchedFile
	var lasts []page.Stamp
	at := make(map[string]int)
	for _, f := range files {
		key := folderKey(f, depth)
		i, known := at[key]
		if !known {
			i = len(sums)
			at[key] = i
			sums, heads, lasts = append(sums, sum{}), append(heads, f), append(lasts, page.Stamp{})
		}
		sums[i] = sum{sums[i].files + 1, sums[i].added + f.added, sums[i].removed + f.removed}
		if s := page.NewStamp(f.last, "date", "2 Jan 2006"); s.ISO > lasts[i].ISO {
			lasts[i] = s
		}
	}
	for i, f := range heads[:min(len(heads), maxFolders)] {
		all = append(all, folderView{
			Href: pages[f], Path: setTitle(strings.TrimPrefix(folderKey(f, depth), "\x00"), f.outside),
			Files: words.Plural(sums[i].files, "file", "files"), Facts: page.LineFacts(sums[i].added, sums[i].removed),
			Last: lasts[i],
		})
	}
	return all, total - len(all)
}

// folderKey returns the folder of a file up to a depth.
func folderKey(f *touchedFile, depth int) string {
	end := 0
	for range depth {
		n := strings.IndexByte(f.path[end:], '/')
		if n < 0 {
			break
		}
		end += n + 1
	}
	dir := f.path[:end]
	if f.outside {
		return "\x00" + dir
	}
	return dir
}
