package sitegen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/redaction"
	"viewer/internal/sources"
	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render"
)

// side reads a file next to the session and redacts it. It returns nil when nothing of it can be read.
func (r *sessionReader) side(f file, redact func(*redaction.Redactor, []byte) []byte) []byte {
	content := fingerprint.Digest{}
	for i := range r.files {
		if r.files[i].path == f.path {
			content = r.contents[i]
		}
	}
	if r.cached != nil {
		s, ok := r.cached.sideFiles[f.id]
		if ok && s.content == content {
			return s.data
		}
		r.sideChanged = r.sideChanged || ok
	}
	data, err := f.read()
	if err != nil {
		r.noteUnread(f, err)
	}
	if data == nil {
		return nil
	}
	data = redact(r.redactor, data)
	if r.cached != nil && err == nil { // otherwise the problem is noted again
		r.cached.sideFiles[f.id] = sideFile{content, data}
	}
	return data
}

// noteUnread adds a problem for a file next to the session that cannot be read. If no file can be, read returns the
// error.
func (r *sessionReader) noteUnread(f file, err error) {
	if failure.Exhausted(err) {
		r.exhausted = err
	}
	r.incomplete = r.incomplete || failure.OfSystem(err)
	p := r.unreadable(f, err)
	if !slices.ContainsFunc(r.unread, func(known transcript.Problem) bool { return known.Pos.File == p.Pos.File }) {
		r.unread = append(r.unread, p)
	}
}

// read decodes all files of the session and builds a conversation. It starts again when a later file reveals a secret
// that earlier ones contain.
func (r *sessionReader) read(watch *Stopwatch) (render.Session, error) {
	for {
		in, err := r.readOnce(watch)
		if err == nil {
			err = r.exhausted
		}
		if err != nil {
			return render.Session{}, err
		}
		again, err := r.restartRedaction()
		if err != nil {
			return render.Session{}, err
		}
		if !again {
			return in, r.finish()
		}
	}
}

// finish puts a cached session back into the cache.
func (r *sessionReader) finish() error {
	if r.cached == nil {
		return nil
	}
	if r.redactionStale() {
		return errReread
	}
	r.cached.known = r.redactor.Known()
	r.cache.checkIn(r.session.main.id, r.cached)
	return nil
}

// readTranscripts decodes the transcripts of the session and the files next to those of its agents. It starts again
// until no file reveals a secret that earlier ones contain.
func (r *sessionReader) readTranscripts(in *render.Session) (err error) {
	for again := true; again; {
		in.Main, in.Agents = nil, nil // not two at a time in memory
		if in.Main, err = r.transcript(0); err != nil {
			return err
		}
		for i, a := range r.session.agents {
			f, err := r.transcript(1 + i)
			if asFault(err) != nil {
				return err
			}
			if err != nil { // the rest of the session is drawn
				r.noteUnread(a.file, err)
				f = new(transcript.File)
			}
			in.Agents = append(in.Agents, normalize.AgentFile{
				ID: r.redactor.Text(a.agentID), File: f, Run: r.redactor.Text(a.run),
			})
		}
		for i, a := range r.session.agents {
			if a.meta != nil {
				in.Agents[i].Meta = r.side(*a.meta, (*redaction.Redactor).Value)
			}
		}
		if again, err = r.restartRedaction(); err != nil {
			return err
		}
	}
	return nil
}

func (r *sessionReader) readOnce(watch *Stopwatch) (render.Session, error) {
	s, p := r.session, r.project
	in := render.Session{Project: p.Project, Folder: s.folder, ShowAgent: p.several,
		Worktree: s.main.scanned.place.worktree}
	var shared map[string]bool
	if s.family != nil { // first, because it keeps transcripts
		if err := s.family.readAll(r.reader); err != nil {
			return render.Session{}, err
		}
		if !r.Whole {
			shared = s.family.shared[s]
		}
		r.incomplete = r.incomplete || s.family.incomplete
	}
	if err := r.readTranscripts(&in); err != nil {
		return render.Session{}, err
	}
	title := r.title()
	watch.Lap(StageRead, s.size())
	r.probeStage(StageNormalize, s.folder)
	in.Conversation = normalize.Build(normalize.Input{
		ID: r.redactor.Text(s.id), Main: in.Main, Agents: in.Agents,
		LogMissing: s.logMissing, Summaries: r.redactor.Titles(p.summaries), Title: title, Shared: shared,
		Personal: r.Personal,
	})
	if folder := r.redactor.Text(s.given); !strings.EqualFold(folder, in.Conversation.Facts.CWD) {
		in.Conversation.Facts.CWD = cmp.Or(folder, in.Conversation.Facts.CWD)
	}
	in.Relations = s.relations()
	in.Workflows = r.workflows()
	in.Redact = r.redactor.Later()
	in.Spilled = r.spilled(in.Conversation)
	in.Notes = redactedNotes(s.notes, in.Redact)
	in.Conversation.Problems = append(in.Conversation.Problems, r.unread...)
	r.redactor.Count(&in)
	watch.Lap(StageNormalize, 0)
	return in, nil
}

// title returns the title that the user gave the session, if a file next to it has one.
func (r *sessionReader) title() string {
	title := r.session.writer.Title(r.role(sources.RoleTitle, "", (*redaction.Redactor).ValueOrText))
	return cmp.Or(title, r.redactor.Text(r.session.title))
}

// role reads the file of a session that has a role. It returns nil when there is none.
func (r *sessionReader) role(role sources.Role, name string, redact func(*redaction.Redactor, []byte) []byte) []byte {
	for _, f := range r.session.beside {
		if f.role == role && f.roleName == name {
			return r.side(f.file, redact)
		}
	}
	return nil
}

// workflows reads the files about finished workflow runs of a session, by run. A run without such a file is drawn from
// its agents.
func (r *sessionReader) workflows() map[string]jsontext.Value {
	all := make(map[string]jsontext.Value)
	for _, a := range r.session.agents {
		if a.run == "" || all[a.run] != nil {
			continue
		}
		if data := r.role(sources.RoleRun, a.run, (*redaction.Redactor).Value); data != nil {
			all[a.run] = data
		}
	}
	return all
}

// maxSpilled is the largest tool output that is read from a file, in bytes.
const maxSpilled = 64 << 20

// spilled reads the long tool outputs that a session refers to. It reads only in the session's own folder, because a
// log may contain any path.
func (r *sessionReader) spilled(c *normalize.Conversation) map[string][]byte {
	beside := make(map[string]file)
	for _, f := range r.session.beside {
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
			text := func(c *redaction.Redactor, data []byte) []byte { return []byte(c.Text(string(data))) }
			if data := r.side(f, text); data != nil {
				all[name] = data
			}
		}
	}
	return all
}
