package sitegen

import (
	"path"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/normalize"
	"viewer/render"
	"viewer/transcript"
)

// A load is the bytes of a session's transcripts: those that had to be read to
// know whether they are the same as before. The others are read when they are
// needed.
type load struct {
	contents []digest // of the main file and the agents
	data     [][]byte
	files    []file
}

// load finds the contents of the transcripts, of which the state knows most.
func (s *session) load(st *state) (*load, error) {
	l := &load{files: []file{s.main}}
	for _, a := range s.agents {
		l.files = append(l.files, a.file)
	}
	l.contents, l.data = make([]digest, len(l.files)), make([][]byte, len(l.files))
	for i, f := range l.files {
		if known, ok := st.trusted(f); ok {
			l.contents[i] = known.content
			continue
		}
		data, err := f.read()
		if err != nil {
			return nil, err
		}
		l.contents[i], l.data[i] = digestOf(data), data
	}
	return l, nil
}

// file decodes transcript i, and lets go of its bytes: the records share them.
func (l *load) file(i int) (*transcript.File, error) {
	data := l.data[i]
	l.data[i] = nil
	if data == nil {
		var err error
		if data, err = l.files[i].read(); err != nil {
			return nil, err
		}
	}
	read := transcript.Read(l.files[i].name, data)
	return &read, nil
}

// input decodes all files of a session and makes a conversation of them.
func (s *session) input(p *project, l *load, o Options, watch *Watch) (render.Session, error) {
	in := render.Session{Project: p.Project, Folder: s.folder}
	for i := range l.files {
		f, err := l.file(i)
		if err != nil {
			return render.Session{}, err
		}
		if i == 0 {
			in.Main = f
			continue
		}
		a := s.agents[i-1]
		agent := normalize.AgentFile{ID: a.agentID(), File: f, Run: a.run()}
		if a.meta != nil {
			if meta, err := a.meta.read(); err == nil && validJSON(meta) {
				agent.Meta = meta
			}
		}
		in.Agents = append(in.Agents, agent)
	}
	var shared map[string]bool
	if s.family != nil {
		if err := s.family.read(); err != nil {
			return render.Session{}, err
		}
		shared = s.family.shared[s]
	}
	watch.Lap(StageRead, s.size())
	in.Conversation = normalize.Build(normalize.Input{ID: s.main.stem(), Main: in.Main, Agents: in.Agents, Summaries: p.summaries, Title: s.title(), Shared: shared, Personal: o.Personal})
	in.Relations = s.relations()
	in.Workflows = s.workflows()
	var err error
	in.Spilled, err = s.spilled(in.Conversation)
	watch.Lap(StageNormalize, 0)
	return in, err
}

// title reads what the user called the session, of which some versions write
// nothing into the session file: <session>/custom-title.json.
func (s *session) title() string {
	data := s.side(path.Join(s.main.own(), "custom-title.json"))
	if !validJSON(data) {
		return ""
	}
	return transcript.String(transcript.Field(data, "customTitle"))
}

// side reads a small file from beside the session, nil when there is none.
func (s *session) side(name string) []byte {
	for _, f := range s.beside {
		if f.path != name {
			continue
		}
		if data, err := f.read(); err == nil {
			return data
		}
	}
	return nil
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
		if data := s.side(path.Join(s.main.own(), "workflows", run+".json")); validJSON(data) {
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
	beside := make(map[string]file)
	dir := path.Join(s.main.own(), "tool-results")
	for _, f := range s.beside {
		if path.Dir(f.path) == dir && f.Size <= longestSpill {
			beside[path.Base(f.path)] = f
		}
	}
	if len(beside) == 0 {
		return nil, nil // most sessions have none
	}
	all := make(map[string][]byte)
	for conversation := range c.All() {
		for g := range conversation.Groups() {
			name := normalize.SpilledOutput(g)
			f, ok := beside[name]
			if !ok || all[name] != nil {
				continue
			}
			data, err := f.read()
			if err != nil {
				return nil, err
			}
			all[name] = data
		}
	}
	return all, nil
}

func readFile(f file) (*transcript.File, error) {
	data, err := f.read()
	if err != nil {
		return nil, err
	}
	read := transcript.Read(f.name, data)
	return &read, nil
}

func validJSON(data []byte) bool { return jsontext.Value(data).IsValid() }
