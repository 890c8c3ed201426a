package sitegen

import (
	"errors"
	"fmt"
	"path"
	"slices"

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
	readings []reading // of the transcripts of a brood
	brood    *brood    // nil when the session is read from the start
	begun    bool      // the brood is that of an earlier build
	again    bool      // something beside is not what it was then
	cover    *cover
}

// A stamped is a file with the digest of what was read of it.
type stamped struct {
	file
	content digest
}

// stamps are what to remember of the files.
func (l *load) stamps() []stamped {
	all := make([]stamped, len(l.files))
	for i, f := range l.files {
		if i < len(l.readings) && l.readings[i].unfinished {
			f.stamp.Mod = -1 // to be looked at again
		}
		all[i] = stamped{f, l.contents[i]}
	}
	return all
}

// smallFile is the size up to which a file beside a session is known by its
// content. A larger one is known by its size and time: most spilled outputs are
// never looked at.
const smallFile = 256 << 10

// load finds the contents of the files, of which the state knows most.
func (b *builder) load(s *session) (*load, error) {
	files := s.files()
	n := len(files)
	l := &load{files: files, contents: make([]digest, n), data: make([][]byte, n)}
	transcripts := 1 + len(s.agents)
	changed := false
	for i, f := range files {
		known, same := b.old.trusted(f)
		switch {
		case same:
			l.contents[i] = known.content
		case i >= transcripts && f.Size > smallFile:
			l.contents[i] = digestOf(fmt.Append(nil, f.Size, f.Mod))
		case i >= transcripts:
			data, err := f.read()
			if err != nil {
				return nil, err
			}
			l.contents[i] = contentOf(data)
		default:
			changed = true
		}
	}
	if (changed || s == b.warmed) && b.grows(s) {
		growing := &load{files: files, contents: slices.Clone(l.contents)}
		if err := b.grow(s, growing); !errors.Is(err, errAgain) {
			return growing, err
		}
	}
	for i, f := range files[:transcripts] {
		if _, same := b.old.trusted(f); same {
			continue
		}
		if content, ok := f.known(); ok {
			l.contents[i] = content
			continue
		}
		if f.Size > largeFile {
			var err error
			if l.contents[i], err = f.hash(); err != nil {
				return nil, err
			}
			continue
		}
		data, err := f.read()
		if err != nil {
			return nil, err
		}
		b.read.Add(int64(len(data)))
		l.contents[i], l.data[i] = contentOf(data), data
	}
	return l, nil
}

// loadWhole loads a session that cannot be read on from where it was read to.
func (b *builder) loadWhole(s *session) (*load, error) {
	b.site.nursery.take(s.main.id) // it is not put back
	l := &load{files: s.files()}
	l.contents, l.data = make([]digest, len(l.files)), make([][]byte, len(l.files))
	for i, f := range l.files {
		if f.Size > largeFile && i <= len(s.agents) {
			var err error
			if l.contents[i], err = f.hash(); err != nil {
				return nil, err
			}
			continue
		}
		data, err := f.read()
		if err != nil {
			return nil, err
		}
		l.contents[i] = contentOf(data)
		if i <= len(s.agents) {
			l.data[i] = data
		}
	}
	return l, nil
}

// known is the digest of the look at a file before the build, as long as it has not grown
// since. Should it have been rewritten, the state knows it by the stamp that it had
// then, and the next build reads it again.
func (f file) known() (digest, bool) {
	if f.seen != nil && f.seen.err == nil && f.seen.size == f.Size && f.seen.content != (digest{}) {
		return f.seen.content, true
	}
	return digest{}, false
}

// grow reads what is new of all transcripts of a session. They are covered in
// their order: when an earlier one shows a secret that is new, the later ones
// have to be gone over again.
func (b *builder) grow(s *session, l *load) error {
	id := s.main.id
	l.brood = b.site.nursery.take(id)
	if l.begun = len(l.brood.files) > 0; !l.begun {
		head, err := s.main.head()
		if err != nil {
			return err
		}
		l.brood.cover = b.cover(head)
	}
	l.cover = l.brood.cover
	l.readings = make([]reading, 1+len(s.agents))
	waiting := int64(0)
	for i := range l.readings {
		r, err := l.brood.read(l.files[i], b.start)
		if err != nil {
			return err
		}
		b.read.Add(r.bytes)
		if r.unfinished {
			waiting++
		}
		l.readings[i], l.contents[i] = r, r.content
	}
	if l.outOfStep() || waiting > 0 && (b.site.last == nil || s == b.warmed) { // nobody says that it is being written just now
		return errAgain
	}
	b.torn.Add(waiting)
	return nil
}

// outOfStep says that what comes later has been covered without knowing what
// earlier files have shown since.
func (l *load) outOfStep() bool {
	return l.begun && len(l.files) > 1 && (l.again || l.brood.state != l.cover.state())
}

// file decodes transcript i. Nearly every record names a home folder, so that covering makes a
// copy of it anyway: records own their memory, and what is read into is used again.
func (b *builder) file(l *load, i int) (*transcript.File, error) {
	if l.brood != nil {
		return &l.readings[i].file, nil
	}
	if data := l.data[i]; data != nil {
		l.data[i] = nil
		if i == 0 {
			l.cover = b.cover(data)
		}
		read := l.cover.options().Read(b.called(l.cover, l.files[i]), data)
		return &read, nil
	}
	if l.files[i].Size > largeFile {
		if read, err := b.pieces(l, i); !errors.Is(err, transcript.ErrNoLines) {
			return read, err
		}
	}
	data, release, err := l.files[i].borrow()
	if err != nil {
		return nil, err
	}
	defer release()
	b.read.Add(int64(len(data)))
	if i == 0 {
		l.cover = b.cover(data)
	}
	options := l.cover.options()
	options.Own = true
	read := options.Read(b.called(l.cover, l.files[i]), data)
	return &read, nil
}

// side reads a file from beside the session, covered; nil when it cannot be read.
func (b *builder) side(l *load, f file, covered func(*cover, []byte) []byte) []byte {
	content := digest{}
	for i := range l.files {
		if l.files[i].path == f.path {
			content = l.contents[i]
		}
	}
	if l.brood != nil {
		s, ok := l.brood.sides[f.id]
		if ok && s.content == content {
			return s.data
		}
		l.again = l.again || ok
	}
	data, err := f.read()
	if err != nil {
		return nil
	}
	data = covered(l.cover, data)
	if l.brood != nil {
		l.brood.sides[f.id] = side{content, data}
	}
	return data
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
		in.Agents = append(in.Agents, normalize.AgentFile{ID: l.cover.text(a.agentID()), File: f, Run: l.cover.text(a.run())})
	}
	for i, a := range s.agents {
		if a.meta != nil {
			in.Agents[i].Meta = b.side(l, *a.meta, (*cover).value)
		}
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
	b.at(StageNormalize, s.folder)
	in.Conversation = normalize.Build(normalize.Input{
		ID: l.cover.text(s.main.stem()), Main: in.Main, Agents: in.Agents,
		Gone: s.gone, Summaries: p.summaries, Title: title, Shared: shared, Personal: b.Personal,
	})
	in.Relations = s.relations()
	in.Workflows = b.workflows(s, l)
	in.Spilled = b.spilled(s, l, in.Conversation)
	l.cover.report(&in)
	if l.brood != nil {
		if l.outOfStep() {
			return render.Session{}, errAgain
		}
		l.brood.state = l.cover.state()
		b.site.nursery.put(s.main.id, l.brood)
	}
	watch.Lap(StageNormalize, 0)
	return in, nil
}

// title reads what the user called the session, of which some versions write
// nothing into the session file: <session>/custom-title.json.
func (b *builder) title(s *session, l *load) string {
	return titleIn(b.named(s, l, path.Join(s.main.own(), titleName)))
}

const titleName = "custom-title.json"

func titleIn(data []byte) string { return transcript.String(transcript.Field(data, "customTitle")) }

// named reads a JSON file of the session's own folder, nil when there is none.
func (b *builder) named(s *session, l *load, name string) []byte {
	for _, f := range s.beside {
		if f.path == name {
			return b.side(l, f, (*cover).value)
		}
	}
	return nil
}

// workflows reads what the program wrote of the finished workflow runs of a
// session, by run: <session>/workflows/<run>.json. A run without one is drawn
// from its agents.
func (b *builder) workflows(s *session, l *load) map[string]jsontext.Value {
	all := make(map[string]jsontext.Value)
	for _, a := range s.agents {
		run := a.run()
		if run == "" || all[run] != nil {
			continue
		}
		if data := b.named(s, l, path.Join(s.main.own(), "workflows", run+".json")); data != nil {
			all[run] = data
		}
	}
	return all
}

// longestSpill is the largest output that is read from beside a session.
const longestSpill = 64 << 20

// spilled reads the long outputs that a session refers to, from its own
// tool-results folder and from nowhere else: a name in a log may say anything.
func (b *builder) spilled(s *session, l *load, c *normalize.Conversation) map[string][]byte {
	beside := make(map[string]file)
	dir := path.Join(s.main.own(), "tool-results")
	for _, f := range s.beside {
		if path.Dir(f.path) == dir && f.Size <= longestSpill {
			beside[path.Base(f.path)] = f
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
			text := func(c *cover, data []byte) []byte { return []byte(c.text(string(data))) }
			if data := b.side(l, f, text); data != nil {
				all[name] = data
			}
		}
	}
	return all
}

func validJSON(data []byte) bool { return jsontext.Value(data).IsValid() }
