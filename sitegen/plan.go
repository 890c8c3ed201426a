package sitegen

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/normalize"
	"viewer/render"
	"viewer/transcript"
)

// A project is a folder with its name and its place on the site.
type project struct {
	*folder
	render.Project
	cwd       string // in which most of its sessions were started
	summaries map[string]string
}

// plan settles the names of projects and
// the folders of sessions, before anything is drawn.
func plan(folders []*folder) ([]*project, error) {
	var projects []*project
	for _, fo := range folders {
		p := &project{folder: fo, summaries: make(map[string]string)}
		var cwds []string
		byID := make(map[string]*session) // by what its records say, and by its name
		for _, s := range fo.sessions {
			sc := s.main.seen
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
			sc := f.seen
			s := byID[sc.sessionID]
			if s == nil || sc.sessionID == "" { // its session is gone: it is one of its own
				s = newSession(f)
				fo.sessions = append(fo.sessions, s)
				cwds = append(cwds, sc.cwd)
				continue
			}
			s.agents = append(s.agents, newAgentFile(f.fsys, f.path, f.name, f.size))
		}
		if err := relate(p); err != nil {
			return nil, err
		}
		p.Name, p.cwd = projectName(cwds, fo.name)
		projects = append(projects, p)
	}
	tellApart(projects)
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
func (s *session) input(p *project, o Options) (render.Session, error) {
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
		agent := normalize.AgentFile{ID: a.id(), File: f, Run: a.run()}
		if a.meta != nil {
			if meta, err := a.meta.read(); err == nil && validJSON(meta) {
				agent.Meta = meta
			}
		}
		in.Agents = append(in.Agents, agent)
	}
	in.Conversation = normalize.Build(normalize.Input{ID: s.main.stem(), Main: main, Agents: in.Agents, Summaries: p.summaries, Title: s.title(), Shared: s.shared, Personal: o.Personal})
	in.Relations = s.relations()
	in.Workflows = s.workflows()
	in.Spilled, err = s.spilled(in.Conversation)
	return in, err
}

// title reads what the user called the session, of which some versions write
// nothing into the session file: <session>/custom-title.json.
func (s *session) title() string {
	data, err := fs.ReadFile(s.main.fsys, path.Join(strings.TrimSuffix(s.main.path, path.Ext(s.main.path)), "custom-title.json"))
	if err != nil || !validJSON(data) {
		return ""
	}
	return transcript.String(transcript.Field(data, "customTitle"))
}

// workflows reads what the program wrote of the finished workflow runs of a
// session, by run: <session>/workflows/<run>.json. A run without one is drawn
// from its agents.
func (s *session) workflows() map[string]jsontext.Value {
	all := make(map[string]jsontext.Value)
	for _, a := range s.agents {
		run := a.run()
		if run == "" || all[run] != nil {
			continue
		}
		name := path.Join(strings.TrimSuffix(s.main.path, path.Ext(s.main.path)), "workflows", run+".json")
		if data, err := fs.ReadFile(s.main.fsys, name); err == nil && validJSON(data) {
			all[run] = data
		}
	}
	return all
}

// longestSpill is the largest output that is read from beside a session.
const longestSpill = 64 << 20

// spilled reads the long outputs that a session refers to, from its own
// tool-results folder and from nowhere else: a name in a log may say anything.
func (s *session) spilled(c *normalize.Conversation) (map[string][]byte, error) {
	dir := path.Join(strings.TrimSuffix(s.main.path, path.Ext(s.main.path)), "tool-results")
	if !fs.ValidPath(dir) {
		return nil, nil
	}
	entries, err := fs.ReadDir(s.main.fsys, dir)
	if err != nil {
		return nil, nil // most sessions have none
	}
	inside := make(map[string]bool)
	for _, e := range entries {
		info, err := e.Info()
		inside[e.Name()] = err == nil && info.Mode().IsRegular() && info.Size() <= longestSpill
	}
	all := make(map[string][]byte)
	for conversation := range c.All() {
		for g := range conversation.Groups() {
			name := normalize.SpilledOutput(g)
			if !inside[name] || all[name] != nil {
				continue
			}
			data, err := fs.ReadFile(s.main.fsys, path.Join(dir, name))
			if err != nil {
				return nil, fmt.Errorf("reading %s: %w", path.Join(path.Dir(s.main.name), dir, name), cause(err))
			}
			all[name] = data
		}
	}
	return all, nil
}
