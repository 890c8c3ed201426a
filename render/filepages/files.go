package filepages

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"viewer/internal/changes"
	"viewer/internal/words"
	"viewer/render"
	"viewer/render/indexpages"
	"viewer/render/page"
)

// A Session is a session of a project with the files that it changed.
type Session struct {
	Folder string // of its pages, below s/
	Title  string
	Start  time.Time
	CWD    string // working directory at its start
	Files  []render.ChangedFile
}

// A touchedFile is a file of a project with the sessions that changed it.
type touchedFile struct {
	path           string // relative to the root of the project if inside, else absolute
	outside        bool
	touches        []touch // the newest session first
	added, removed int
	last           time.Time
	weight         int // approximate bytes on a page
}

// A touch is the changes of one file by one session.
type touch struct {
	session *Session
	change  *render.ChangedFile
	to      string // the path that the session renamed it to, else ""
}

// touchedFiles returns the files that sessions changed: those of the project sorted by folder, then the others.
func touchedFiles(sessions []Session) []touchedFile {
	root := projectRoot(sessions)
	files := make(map[string]*touchedFile)
	add := func(s *Session, name string, t touch) {
		name, outside := projectPath(name, s.CWD, root)
		key := name
		if outside {
			key = "\x00" + name
		}
		f := files[key]
		if f == nil {
			f = &touchedFile{path: name, outside: outside}
			files[key] = f
		}
		t.session = s
		f.touches = append(f.touches, t)
	}
	for i := range sessions {
		s := &sessions[i]
		for j := range s.Files {
			c := &s.Files[j]
			add(s, c.Path, touch{change: c})
			if c.From != "" {
				to, _ := projectPath(c.Path, s.CWD, root)
				add(s, c.From, touch{change: c, to: to})
			}
		}
	}
	order := make([]*touchedFile, 0, len(files))
	for _, f := range files {
		f.sum()
		order = append(order, f)
	}
	slices.SortFunc(order, func(a, b *touchedFile) int {
		if a.outside != b.outside {
			if a.outside {
				return 1
			}
			return -1
		}
		return comparePaths(a.path, b.path)
	})
	all := make([]touchedFile, len(order))
	for i, f := range order {
		all[i] = *f
	}
	return all
}

// sum sorts the sessions of a file and adds up their changes.
func (f *touchedFile) sum() {
	slices.SortFunc(f.touches, func(a, b touch) int {
		return cmp.Or(b.when().Compare(a.when()), cmp.Compare(a.session.Folder, b.session.Folder),
			cmp.Compare(a.change.Path, b.change.Path), cmp.Compare(a.to, b.to))
	})
	f.weight = 600 + 6*page.EscapedLen(f.path)
	for i, t := range f.touches {
		if t.to == "" {
			f.added, f.removed = f.added+t.change.Added, f.removed+t.change.Removed
		}
		if w := t.when(); w.After(f.last) {
			f.last = w
		}
		if i < maxTouches {
			f.weight += 560 + page.EscapedLen(words.Line(t.session.Title, maxTouchTitle)) + len(t.session.Folder) +
				page.EscapedLen(t.change.From) + page.EscapedLen(t.to) + 2*len(t.change.Page)
		}
	}
}

// when returns the time of the last change, else that of the session.
func (t *touch) when() time.Time {
	if t.change.Last.IsZero() {
		return t.session.Start
	}
	return t.change.Last
}

// comparePaths puts the files of a folder before its folders.
func comparePaths(a, b string) int {
	for {
		folderA, restA, inA := strings.Cut(a, "/")
		folderB, restB, inB := strings.Cut(b, "/")
		switch {
		case inA && !inB:
			return 1
		case !inA && inB:
			return -1
		case folderA != folderB || !inA:
			return cmp.Compare(folderA, folderB)
		}
		a, b = restA, restB
	}
}

// projectRoot returns the folder in which most sessions were started, or the highest folder above it in which one was
// started.
func projectRoot(sessions []Session) string {
	votes := make(map[string]int)
	for i := range sessions {
		if cwd := changes.MainTree(changes.Clean(sessions[i].CWD, "")); cwd != "" && cwd != "/" {
			votes[cwd]++
		}
	}
	root := ""
	for cwd, n := range votes {
		switch most := votes[root]; {
		case root == "", n > most, n == most && (len(cwd) < len(root) || len(cwd) == len(root) && cwd < root):
			root = cwd
		}
	}
	for cwd := range votes {
		if _, below := changes.Below(root, cwd); below {
			root = cwd // several folders above it contain each other
		}
	}
	return root
}

// projectPath returns the path of a file in a project, and whether it is outside. A session in another work tree of the
// repository has another root.
func projectPath(name, cwd, root string) (below string, outside bool) {
	cwd = changes.Clean(cwd, "")
	whole := changes.MainTree(changes.Clean(name, cwd))
	for _, folder := range []string{root, changes.MainTree(cwd)} {
		if below, ok := changes.Below(whole, folder); ok {
			return below, false
		}
	}
	return cmp.Or(whole, name), true
}

// A filesPart is the content of one page of files.
type filesPart struct {
	name   string // of the page, relative to files/
	files  []touchedFile
	weight int
}

const (
	partSize  = 300_000 // maximum bytes of files on a page
	partEvery = 64      // average number of files on each of several pages
)

// filesParts divides files into pages. If one page is not enough, a new page begins at paths with certain hashes, and
// rarely because a page is full. So a new file usually changes only its own page.
func filesParts(files []touchedFile) []filesPart {
	whole := filesPart{name: "index.html", files: files}
	for i := range files {
		whole.weight += files[i].weight
	}
	if whole.weight <= partSize {
		return []filesPart{whole}
	}
	var all []filesPart
	for i := range files {
		f := &files[i]
		outside := i > 0 && f.outside != files[i-1].outside
		hash := sha256.Sum256([]byte(f.path))
		begins := binary.BigEndian.Uint32(hash[:])%partEvery == 0
		if n := len(all); n == 0 || outside || begins || all[n-1].weight+f.weight > partSize {
			name := hex.EncodeToString(hash[4:10]) + ".html"
			switch {
			case f.outside && (n == 0 || outside):
				name = "outside.html"
			case n == 0:
				name = "first.html"
			}
			all = append(all, filesPart{name: name})
		}
		p := &all[len(all)-1]
		p.files = files[i-len(p.files) : i+1]
		p.weight += f.weight
	}
	return all
}

// anchor returns the id of a file on its page.
func (f *touchedFile) anchor() string {
	name := f.path
	if f.outside {
		name = "\x00" + name
	}
	hash := sha256.Sum256([]byte(name))
	return "f-" + hex.EncodeToString(hash[:6])
}

// key adds everything that a page shows of the file to a key.
func (f *touchedFile) key(k *indexpages.Fingerprint) {
	k.Text(f.path)
	k.Truth(f.outside)
	k.Number(int64(len(f.touches)))
	for _, t := range f.touches {
		c := t.change
		k.Text(t.session.Folder, t.session.Title, t.to, c.From, c.Page)
		k.Time(t.when())
		for _, is := range []bool{c.Created, c.Gone, c.Binary, c.Undone} {
			k.Truth(is)
		}
		k.Number(int64(c.Added), int64(c.Removed), int64(c.UnknownAdded), int64(c.UnknownRemoved), int64(c.Calls))
	}
}
