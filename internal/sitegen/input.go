package sitegen

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/normalize"
	"viewer/render"
)

// side reads a file from beside the session, redacted; nil when it cannot be read.
func (b *builder) side(l *load, f file, redact func(*redactor, []byte) []byte) []byte {
	content := digest{}
	for i := range l.files {
		if l.files[i].path == f.path {
			content = l.contents[i]
		}
	}
	if l.cached != nil {
		s, ok := l.cached.sideFiles[f.id]
		if ok && s.content == content {
			return s.data
		}
		l.sideChanged = l.sideChanged || ok
	}
	data, err := f.read()
	if err != nil {
		return nil
	}
	data = redact(l.redactor, data)
	if l.cached != nil {
		l.cached.sideFiles[f.id] = sideFile{content, data}
	}
	return data
}

// input decodes all files of a session and makes a conversation of them: once more when a file told late what stood in
// what was read before.
func (b *builder) input(s *session, p *project, l *load, watch *Stopwatch) (render.Session, error) {
	for {
		in, err := b.inputOnce(s, p, l, watch)
		if err != nil {
			return render.Session{}, err
		}
		again, err := b.restartRedaction(s, l)
		if err != nil {
			return render.Session{}, err
		}
		if !again {
			return in, b.keepRead(s, l)
		}
	}
}

// keep keeps what was read of a session that grows.
func (b *builder) keepRead(s *session, l *load) error {
	if l.cached == nil {
		return nil
	}
	if l.redactionStale() {
		return errReadAnew
	}
	l.cached.known = l.redactor.known()
	b.site.cache.checkIn(s.main.id, l.cached)
	return nil
}

// transcripts decodes the transcripts of a session and what lies beside those of its agents, until nothing in them is
// told late.
func (b *builder) transcripts(s *session, l *load, in *render.Session) (err error) {
	for again := true; again; {
		if in.Main, err = b.transcript(l, 0); err != nil {
			return err
		}
		in.Agents = nil
		for i, a := range s.agents {
			f, err := b.transcript(l, 1+i)
			if err != nil {
				return err
			}
			in.Agents = append(in.Agents, normalize.AgentFile{ID: l.redactor.text(a.agentID), File: f, Run: l.redactor.text(a.run)})
		}
		for i, a := range s.agents {
			if a.meta != nil {
				in.Agents[i].Meta = b.side(l, *a.meta, (*redactor).value)
			}
		}
		if again, err = b.restartRedaction(s, l); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) inputOnce(s *session, p *project, l *load, watch *Stopwatch) (render.Session, error) {
	in := render.Session{Project: p.Project, Folder: s.folder}
	if err := b.transcripts(s, l, &in); err != nil {
		return render.Session{}, err
	}
	var shared map[string]bool
	if s.family != nil {
		if err := s.family.read(b.Options); err != nil {
			return render.Session{}, err
		}
		shared = s.family.shared[s]
	}
	title := b.title(s, l)
	watch.Lap(StageRead, s.size())
	b.probeStage(StageNormalize, s.folder)
	in.Conversation = normalize.Build(normalize.Input{
		ID: l.redactor.text(s.id), Main: in.Main, Agents: in.Agents,
		Gone: s.gone, Summaries: l.redactor.titles(p.summaries), Title: title, Shared: shared, Personal: b.Personal,
	})
	in.Relations = s.relations()
	in.Workflows = b.workflows(s, l)
	in.Spilled = b.spilled(s, l, in.Conversation)
	l.redactor.count(&in)
	watch.Lap(StageNormalize, 0)
	return in, nil
}

// title reads what the user called the session, where a file beside it says so.
func (b *builder) title(s *session, l *load) string {
	return s.writer.Title(b.role(s, l, sources.RoleTitle, ""))
}

// role reads the JSON file beside a session that has a role, nil when there is none.
func (b *builder) role(s *session, l *load, role sources.Role, name string) []byte {
	for _, f := range s.beside {
		if f.role == role && f.roleName == name {
			return b.side(l, f.file, (*redactor).value)
		}
	}
	return nil
}

// workflows reads what the program wrote of the finished workflow runs of a
// session, by run. A run without one is drawn from its agents.
func (b *builder) workflows(s *session, l *load) map[string]jsontext.Value {
	all := make(map[string]jsontext.Value)
	for _, a := range s.agents {
		if a.run == "" || all[a.run] != nil {
			continue
		}
		if data := b.role(s, l, sources.RoleRun, a.run); data != nil {
			all[a.run] = data
		}
	}
	return all
}

// longestSpill is the largest output that is read from beside a session.
const maxSpilled = 64 << 20

// spilled reads the long outputs that a session refers to, from its own
// folder and from nowhere else: a name in a log may say anything.
func (b *builder) spilled(s *session, l *load, c *normalize.Conversation) map[string][]byte {
	beside := make(map[string]file)
	for _, f := range s.beside {
		if f.role == sources.RoleOutput && f.Size <= maxSpilled {
			beside[f.roleName] = f.file
		}
	}
	if len(beside) == 0 {
		return nil // most sessions have none
	}
	all := make(map[string][]byte)
	for conversation := range c.All() {
		for g := range conversation.Groups() {
			name := normalize.SpilledOutput(g)
			f, ok := beside[name]
			if !ok || all[name] != nil {
				continue
			}
			text := func(c *redactor, data []byte) []byte { return []byte(c.text(string(data))) }
			if data := b.side(l, f, text); data != nil {
				all[name] = data
			}
		}
	}
	return all
}

func validJSON(data []byte) bool { return jsontext.Value(data).IsValid() }
