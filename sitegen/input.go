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
// those transcripts that had to be read to know whether they are the same as
// before. The others are read when they are needed.
type load struct {
	files    []file
	contents []digest
	data     [][]byte
	readings []reading // of transcripts that grow
	grown    []bool
}

// smallFile is the size up to which a file beside a session is known by its
// content. A larger one is known by its size and time: most spilled outputs are
// never looked at.
const smallFile = 256 << 10

// load finds the contents of the files, of which the state knows most.
func (b *builder) load(s *session) (*load, error) {
	files := s.files()
	n := len(files)
	l := &load{files: files, contents: make([]digest, n), data: make([][]byte, n), readings: make([]reading, n), grown: make([]bool, n)}
	transcripts := 1 + len(s.agents)
	_, again := b.old.sessions[s.main.id()]
	for i, f := range l.files {
		known, same := b.old.trusted(f)
		switch {
		case same:
			l.contents[i] = known.content
		case i >= transcripts && f.Size > smallFile:
			l.contents[i] = digestOf(fmt.Append(nil, f.Size, f.Mod))
		case i < transcripts && again && b.site != nil && b.site.last != nil:
			if err := b.grow(l, i); err != nil {
				return nil, err
			}
		default:
			data, err := f.read()
			if err != nil {
				return nil, err
			}
			b.read.Add(int64(len(data)))
			l.contents[i] = f.content(data)
			if i < transcripts {
				l.data[i] = data
			}
		}
	}
	return l, nil
}

// content is the digest of a file that was read: the one of the look at it
// before the build, as long as it has not grown since. Should it have been
// rewritten, the state knows it by the stamp that it had then, and the next build
// reads it again.
func (f file) content(data []byte) digest {
	if f.seen != nil && f.seen.err == nil && f.seen.size == len(data) && f.seen.content != (digest{}) {
		return f.seen.content
	}
	return digestOf(data)
}

// grow loads transcript i of a site that is being watched.
func (b *builder) grow(l *load, i int) error {
	r, ok, err := b.site.nursery.read(l.files[i], b.start)
	if err != nil {
		return err
	}
	if ok {
		if r.unfinished {
			b.torn.Add(1)
		}
		b.read.Add(r.bytes)
		l.readings[i], l.grown[i], l.contents[i] = r, true, r.content
		return nil
	}
	data, err := l.files[i].read()
	b.read.Add(int64(len(data)))
	l.data[i], l.contents[i] = data, digestOf(data)
	return err
}

// file decodes transcript i, and lets go of its bytes: the records share them.
func (b *builder) file(l *load, i int) (*transcript.File, error) {
	if l.grown[i] {
		return &l.readings[i].file, nil
	}
	data := l.data[i]
	l.data[i] = nil
	if data == nil && b.site != nil && b.site.last != nil {
		if err := b.grow(l, i); err != nil {
			return nil, err
		}
		return b.file(l, i)
	}
	if data == nil {
		var err error
		if data, err = l.files[i].read(); err != nil {
			return nil, err
		}
		b.read.Add(int64(len(data)))
	}
	read := transcript.Read(l.files[i].name, data)
	return &read, nil
}

// input decodes all files of a session and makes a conversation of them.
func (b *builder) input(s *session, p *project, l *load, watch *Watch) (render.Session, error) {
	in := render.Session{Project: p.Project, Folder: s.folder}
	var err error
	if in.Main, err = b.file(l, 0); err != nil {
		return render.Session{}, err
	}
	for i, a := range s.agents {
		f, err := b.file(l, 1+i)
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
	in.Conversation = normalize.Build(normalize.Input{ID: s.main.stem(), Main: in.Main, Agents: in.Agents, Summaries: p.summaries, Title: s.title(), Shared: shared, Personal: b.Personal})
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
