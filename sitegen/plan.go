package sitegen

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
	"sync"

	"viewer/render"
)

// A project is a folder with its name and its place on the site.
type project struct {
	*folder
	render.Project
	cwd       string            // in which most of its sessions were started
	summaries map[string]string // titles that its sessions give to each other's records, by uuid

	hashing   sync.Once
	titlesKey string // see titles
}

// plan settles the names of projects and
// the folders of sessions, before anything is drawn.
//
// The folders of sessions whose files are gone stay theirs.
func (o Options) plan(folders []*folder, taken []string) []*project {
	var projects []*project
	for _, fo := range folders {
		fo.shown = o.name(fo.name)
		p := &project{folder: fo, summaries: make(map[string]string)}
		var cwds []string
		byID := make(map[string]*session) // by what its records say, and by its name
		for _, s := range fo.sessions {
			sc := s.main.facts()
			cwds = append(cwds, sc.CWD)
			for leaf, title := range sc.Summaries {
				p.summaries[leaf] = title
			}
			if len(fo.loose) > 0 {
				if byID[sc.SessionID] == nil {
					byID[sc.SessionID] = s
				}
				byID[s.main.stem()] = s
			}
		}
		for _, a := range fo.loose {
			sc := a.facts()
			s := byID[sc.SessionID]
			if s == nil || sc.SessionID == "" { // its session is gone: it is one of its own
				s = &session{main: a.file}
				fo.sessions = append(fo.sessions, s)
				cwds = append(cwds, sc.CWD)
				continue
			}
			s.agents = append(s.agents, a)
		}
		p.Name, p.cwd = projectName(cwds, fo.shown)
		projects = append(projects, p)
	}
	tellApart(projects)
	named := distinct{}
	n := len(taken)
	for _, p := range projects {
		n += len(p.folder.sessions)
	}
	sessions := make(distinct, n)
	for _, name := range taken {
		sessions[strings.ToLower(name)] = true
	}
	for _, p := range projects {
		p.Name = named.of(p.Name, func() string { return p.folder.shown })
		p.Path = "p/" + named.path(p.Name) + "/index.html"
		for _, s := range p.folder.sessions {
			if s.main.seen.safe == "" {
				s.main.seen.safe = render.SafeName(o.name(s.main.stem()))
			}
			s.folder = sessions.of(s.main.seen.safe, func() string { return o.name(s.main.name) })
		}
	}
	return projects
}

// tellApart adds the folder above to the names of projects that would be
// called the same: work/site and private/site.
func tellApart(projects []*project) {
	same := make(map[string]int)
	for _, p := range projects {
		same[strings.ToLower(p.Name)]++
	}
	for _, p := range projects {
		above := path.Base(path.Dir(strings.ReplaceAll(p.cwd, `\`, "/")))
		if same[strings.ToLower(p.Name)] > 1 && above != "." && above != "/" {
			p.Name = above + "/" + p.Name
		}
	}
}

// distinct hands out names that no two owners share, also on file systems that
// do not tell capitals: the second one gets a hash of what it belongs to.
type distinct map[string]bool

func (d distinct) of(name string, owner func() string) string {
	lower := strings.ToLower(name)
	if d[lower] {
		sum := sha256.Sum256([]byte(owner()))
		more := "-" + hex.EncodeToString(sum[:4])
		name, lower = name+more, lower+more
	}
	for d[lower] {
		name, lower = name+"x", lower+"x"
	}
	d[lower] = true
	return name
}

// path is the folder for a name: safe, and as distinct as the name is.
func (d distinct) path(name string) string {
	return d.of("\x00"+render.SafeName(name), func() string { return name })[1:]
}
