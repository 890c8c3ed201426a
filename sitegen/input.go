package sitegen

import (
	"fmt"
	"path"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/normalize"
	"viewer/render"
	"viewer/transcript"
)

// A load is what the files of a session hold, in the order of session.files:
// the bytes of those transcripts that had to be read to know whether they are
// the same as before. The others are read when they are needed.
type load struct {
	files    []file
	contents []digest
	data     [][]byte
}

// smallFile is the size up to which a file beside a session is known by its
// content. A larger one is known by its size and time: most spilled outputs are
// never looked at.
const smallFile = 256 << 10

// load finds the contents of the files, of which the state knows most.
func (s *session) load(st *state) (*load, error) {
	l := &load{files: s.files()}
	l.contents, l.data = make([]digest, len(l.files)), make([][]byte, len(l.files))
	transcripts := 1 + len(s.agents)
	for i, f := range l.files {
		if known, ok := st.trusted(f); ok {
			l.contents[i] = known.content
			continue
		}
		if i >= transcripts && f.Size > smallFile {
			l.contents[i] = digestOf(fmt.Append(nil, f.Size, f.Mod))
			continue
		}
		data, err := f.read()
		if err != nil {
			return nil, err
		}
		l.contents[i] = digestOf(data)
		if i < transcripts {
			l.data[i] = data
		}
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
	var err error
	if in.Main, err = l.file(0); err != nil {
		return render.Session{}, err
	}
	for i, a := range s.agents {
		f, err := l.file(1 + i)
		if err != nil {
			return render.Session{}, err
		}
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
