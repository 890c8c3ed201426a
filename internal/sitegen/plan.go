package sitegen

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"viewer/render"
)

// A project is a folder with its name and its place on the site.
type project struct {
	*folder
	render.Project
	several   bool              // the site has sessions of several coding agents
	cwd       string            // in which most of its sessions were started
	summaries map[string]string // titles that its sessions give to each other's records, by uuid

	hashing   sync.Once
	titlesKey string // see titles
}

// plan chooses the names of projects and the folders of sessions before anything is drawn. Sessions whose files are
// missing keep their folders.
func (o Options) plan(folders []*folder, taken []string) []*project {
	var projects []*project
	for _, fo := range folders {
		projects = append(projects, o.projectOf(fo))
	}
	// The names of projects without sessions are free.
	shown := slices.DeleteFunc(slices.Clone(projects), func(p *project) bool { return len(p.folder.sessions) == 0 })
	disambiguate(shown)
	several := severalWriters(projects)
	named := distinct{}
	n := len(taken)
	for _, p := range projects {
		n += len(p.folder.sessions)
	}
	sessions := make(distinct, n)
	for _, name := range taken {
		sessions[strings.ToLower(name)] = true
	}
	for _, p := range shown {
		p.several = several
		p.Name = named.of(p.Name, func() string { return p.folder.shown })
		p.Path = "p/" + named.path(p.Name) + "/index.html"
		for _, s := range p.folder.sessions {
			if s.main.scanned.safe == "" {
				s.main.scanned.safe = render.SafeName(o.redactedName(s.id))
			}
			s.folder = sessions.of(s.main.scanned.safe, func() string { return o.redactedName(s.main.path) })
		}
	}
	return projects
}

// placeLoose adds the agents next to the sessions of a folder to these. An agent whose session is missing becomes a
// session.
func (o Options) placeLoose(fo *folder) {
	if len(fo.loose) == 0 {
		return
	}
	byID := make(map[string]*session) // by the id in its records and by its name
	for _, s := range fo.sessions {
		if id := s.main.facts().SessionID; byID[id] == nil {
			byID[id] = s
		}
		byID[s.id] = s
	}
	for _, a := range fo.loose {
		sc := a.facts()
		if s := byID[sc.SessionID]; s != nil && sc.SessionID != "" {
			s.agents = append(s.agents, a)
			continue
		}
		s := &session{id: a.stem(), writer: o.sourceList().Named(sc.Writer), main: a.file}
		fo.sessions = append(fo.sessions, s)
	}
}

// projectOf makes a project of a folder, with the name that most of its sessions suggest.
func (o Options) projectOf(fo *folder) *project {
	fo.shown = o.redactedName(fo.name)
	p := &project{folder: fo, summaries: make(map[string]string)}
	o.placeLoose(fo)
	if len(o.Filter.Without) > 0 { // a session that was revoked must not name the project, or title another session
		fo.sessions = slices.DeleteFunc(fo.sessions, func(s *session) bool {
			return o.Filter.leavesOut(s.id, s.main.facts().SessionID)
		})
	}
	var cwds []string
	for _, s := range fo.sessions {
		cwds = append(cwds, s.main.scanned.place.cwd)
		maps.Copy(p.summaries, s.main.facts().Summaries)
	}
	p.Name, p.cwd = projectName(cwds, fo.shown)
	for _, s := range fo.sessions {
		if at := s.main.scanned.place; at.name != "" && at.cwd == p.cwd {
			p.Name = at.name
		}
	}
	return p
}

// severalWriters reports whether the sessions have more than one writer.
func severalWriters(projects []*project) bool {
	var first string
	var any bool
	for _, p := range projects {
		for _, s := range p.sessions {
			name := s.writer.Writer().Name
			if any && name != first {
				return true
			}
			first, any = name, true
		}
	}
	return false
}

// projectName returns the default name of a project: the last element of the folder in which most of its sessions were
// started. The name of the folder below projects/ loses characters and is used only when no record names a folder.
func projectName(cwds []string, fallback string) (name, cwd string) {
	votes := make(map[string]int)
	for c, n := range runs(cwds) {
		if c != "" && !temporary(c) {
			votes[c] += n
		}
	}
	if len(votes) == 0 {
		for c, n := range runs(cwds) {
			if c != "" {
				votes[c] += n
			}
		}
	}
	best := slices.SortedFunc(maps.Keys(votes), func(a, b string) int {
		return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	if len(best) == 0 {
		return fallback, ""
	}
	cwd = best[0]
	name = path.Base(strings.ReplaceAll(cwd, `\`, "/"))
	if name == "/" || name == "." || strings.TrimSpace(name) == "" {
		name = fallback
	}
	return name, cwd
}

// runs yields each folder and how often it comes in a row: most sessions of a project were started in the same one.
func runs(cwds []string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for len(cwds) > 0 {
			n := 1
			for n < len(cwds) && cwds[n] == cwds[0] {
				n++
			}
			if !yield(cwds[0], n) {
				return
			}
			cwds = cwds[n:]
		}
	}
}

// temporary reports whether a folder is probably not that of a project.
func temporary(cwd string) bool {
	folders := []string{"/tmp/", "/private/tmp/", "/var/folders/", "/private/var/folders/"}
	return slices.ContainsFunc(folders, func(p string) bool { return strings.HasPrefix(cwd+"/", p) })
}

// disambiguate renames projects of the same name by the part of their paths that differs: mara/site and noor/site. If
// more than one element lies between, they are left out: mara/…/site.
func disambiguate(projects []*project) {
	same := make(map[string][]*project)
	for _, p := range projects {
		name := strings.ToLower(p.Name)
		same[name] = append(same[name], p)
	}
	for _, alike := range same {
		if len(alike) == 1 {
			continue
		}
		paths := make([][]string, len(alike))
		ends := make(map[string]map[string]bool) // the paths that end in it
		for i, p := range alike {
			paths[i] = elements(p.cwd)
			whole := strings.ToLower(strings.Join(paths[i], "/"))
			for n := range paths[i] {
				end := ending(paths[i], n+1)
				if ends[end] == nil {
					ends[end] = make(map[string]bool)
				}
				ends[end][whole] = true
			}
		}
		for i, p := range alike {
			p.Name = shortestUnique(paths[i], p.Name, ends)
		}
	}
}

// shortestUnique returns the shortest end of a path that no other path has.
func shortestUnique(path []string, name string, ends map[string]map[string]bool) string {
	for n := 2; n <= len(path); n++ {
		if len(ends[ending(path, n)]) > 1 {
			continue
		}
		from := path[len(path)-n:]
		if n > 3 {
			return from[0] + "/…/" + name
		}
		return strings.Join(from[:n-1], "/") + "/" + name
	}
	return name
}

// elements splits a path of any system.
func elements(p string) []string {
	return strings.FieldsFunc(p, func(r rune) bool { return r == '/' || r == '\\' })
}

// ending returns the last n elements of a path, in lower case.
func ending(path []string, n int) string {
	return strings.ToLower(strings.Join(path[len(path)-n:], "/"))
}

// distinct hands out unique names, also on file systems that ignore case. The second use of a name gets a hash of its
// owner.
type distinct map[string]bool

func (d distinct) of(name string, owner func() string) string {
	distinct := name
	for n := 0; !d.add(distinct); n++ {
		whose := owner()
		if n > 0 { // the same owner asks twice
			whose += "\x00" + strconv.Itoa(n)
		}
		sum := sha256.Sum256([]byte(whose))
		distinct = name + "-" + hex.EncodeToString(sum[:4])
	}
	return distinct
}

// add adds a name. It returns false if it was there.
func (d distinct) add(name string) bool {
	n := len(d)
	d[strings.ToLower(name)] = true
	return len(d) > n
}

// path returns the folder for a name: safe, and unique for the name.
func (d distinct) path(name string) string {
	return d.of("\x00"+render.SafeName(name), func() string { return name })[1:]
}
