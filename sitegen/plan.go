package sitegen

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"viewer/normalize"
	"viewer/render"
)

// A project is a folder with its name and its place on the site.
type project struct {
	*folder
	render.Project
	summaries map[string]string
}

// plan scans the files of all folders and settles the names of projects and
// the folders of sessions, before anything is drawn.
func plan(folders []*folder, look func(file) (scanned, error)) ([]*project, error) {
	var projects []*project
	for _, fo := range folders {
		p := &project{folder: fo, summaries: make(map[string]string)}
		var cwds []string
		byID := make(map[string]*session) // by what its records say, and by its name
		for _, s := range fo.sessions {
			sc, err := look(s.main)
			if err != nil {
				return nil, err
			}
			cwds = append(cwds, sc.cwd)
			for leaf, title := range sc.summaries {
				p.summaries[leaf] = title
			}
			if _, taken := byID[sc.sessionID]; !taken {
				byID[sc.sessionID] = s
			}
			byID[s.main.stem()] = s
		}
		for _, f := range fo.loose {
			sc, err := look(f)
			if err != nil {
				return nil, err
			}
			s := byID[sc.sessionID]
			if s == nil || sc.sessionID == "" { // its session is gone: it is one of its own
				s = newSession(f)
				fo.sessions = append(fo.sessions, s)
				cwds = append(cwds, sc.cwd)
				continue
			}
			s.agents = append(s.agents, newAgentFile(f.fsys, f.path, f.name, f.size))
		}
		p.Name, _ = projectName(cwds, fo.name)
		projects = append(projects, p)
	}
	named := distinct{}
	sessions := distinct{}
	for _, p := range projects {
		p.Name = named.of(p.Name, p.folder.name)
		p.Path = "p/" + named.path(p.Name) + "/index.html"
		for _, s := range p.folder.sessions {
			s.folder = sessions.of(render.SafeName(s.main.stem()), s.main.name)
		}
	}
	return projects, nil
}

// distinct hands out names that no two owners share, also on file systems that
// do not tell capitals: the second one gets a hash of what it belongs to.
type distinct map[string]bool

func (d distinct) of(name, owner string) string {
	if d[strings.ToLower(name)] {
		sum := sha256.Sum256([]byte(owner))
		name += "-" + hex.EncodeToString(sum[:4])
	}
	for d[strings.ToLower(name)] {
		name += "x"
	}
	d[strings.ToLower(name)] = true
	return name
}

// path is the folder for a name: safe, and as distinct as the name is.
func (d distinct) path(name string) string {
	return d.of("\x00"+render.SafeName(name), name)[1:]
}

// input opens and reads all files of a session.
func (s *session) input(p *project) (render.Session, error) {
	main, err := readFile(s.main)
	if err != nil {
		return render.Session{}, err
	}
	in := render.Session{Main: main, Project: p.Project, Folder: s.folder}
	for _, a := range s.agents {
		f, err := readFile(a.file)
		if err != nil {
			return render.Session{}, err
		}
		agent := normalize.AgentFile{ID: a.id(), File: f}
		if a.meta != nil {
			if meta, err := a.meta.read(); err == nil && validJSON(meta) {
				agent.Meta = meta
			}
		}
		in.Agents = append(in.Agents, agent)
	}
	in.Conversation = normalize.Build(normalize.Input{ID: s.main.stem(), Main: main, Agents: in.Agents, Summaries: p.summaries})
	return in, nil
}
