package sitegen

import (
	"errors"

	"viewer/internal/notes"
	"viewer/internal/sitegen/input"
	"viewer/internal/sources"
)

// ErrNone matches errors because no session is left, in the sources or after filters.
var ErrNone = errors.New("no session")

// none is such an error.
type none struct{ error }

func (none) Is(target error) bool { return target == ErrNone }

// None returns an error with the text of err that matches ErrNone.
func None(err error) error { return none{err} }

// A folder holds the sessions of one project.
type folder struct {
	name     string // of the folder, as found
	ofPath   bool   // see sources.Folder
	shown    string // the redacted name
	sessions []*session
	loose    []agentFile // agents next to the sessions
	about    []file      // files about sessions that were read, until survey.arrange
}

// A session is the set of files of one session, and later its place on the site.
type session struct {
	id     string // given by its writer
	writer sources.Source
	main   file
	agents []agentFile
	beside []besideFile
	folder string // below s/
	title  string // from a list of titles, see survey.titles
	given  string // the working directory, see sources.Session.Folder

	logMissing bool // see missingLog

	notes []notes.Note // about it

	related []relation // sessions related to it
	family  *family
}

type agentFile struct {
	file
	agentID string
	run     string // the workflow run that it belongs to, "" for none
	meta    *file
}

// A besideFile is a file of a session that is not a transcript.
type besideFile struct {
	file
	role     sources.Role
	roleName string // see sources.Role
}

// discover arranges the files of a source into sessions. Folders whose sessions were started in the same working
// directory become one project later, see joinByCWD.
func discover(src *input.Source, entries []input.Entry) []*folder {
	paths := make([]string, len(entries))
	for i, e := range entries {
		paths[i] = e.Path
	}
	d := discovery{src, entries}
	tree := sources.Tree{Base: src.Base(), Only: src.Only, Paths: paths, Head: src.Head, Parts: src.WritersOfParts()}
	var folders []*folder
	for _, found := range src.SourceList().Arrange(&tree) {
		fo := &folder{name: found.Name, ofPath: found.OfPath}
		for i := range found.Sessions {
			fo.sessions = append(fo.sessions, d.session(&found.Sessions[i], found.By))
		}
		for _, a := range found.Loose {
			agent := d.agent(a)
			agent.scanned = new(scanResult)
			fo.loose = append(fo.loose, agent)
		}
		for _, i := range found.About {
			fo.about = append(fo.about, d.file(i))
		}
		folders = append(folders, fo)
	}
	return folders
}

// A discovery turns the arrangement of a source into sessions.
type discovery struct {
	source  *input.Source
	entries []input.Entry
}

func (d discovery) file(i int) file { return newFile(d.source, d.entries[i].Path, d.entries[i].Stamp) }

func (d discovery) session(found *sources.Session, by sources.Source) *session {
	s := &session{id: found.ID, writer: by, given: found.Folder}
	for _, a := range found.Agents {
		s.agents = append(s.agents, d.agent(a))
	}
	for _, i := range found.Beside {
		f := besideFile{file: d.file(i)}
		f.role, f.roleName = by.Role(found.Path, f.path)
		s.beside = append(s.beside, f)
	}
	if found.Log < 0 {
		s.logMissing, s.main = true, missingLog(d.source, found.Path, s.agents)
	} else {
		s.main = d.file(found.Log)
	}
	s.main.scanned = new(scanResult)
	return s
}

func (d discovery) agent(found sources.Agent) agentFile {
	a := agentFile{file: d.file(found.Log), agentID: found.ID, run: found.Run}
	if found.Meta >= 0 {
		meta := d.file(found.Meta)
		a.meta = &meta
	}
	return a
}

// size returns the number of bytes to read.
func (s *session) size() int64 {
	n := s.main.Size
	for _, a := range s.agents {
		n += a.Size
	}
	return n
}

// files returns all files that the pages of a session depend on, in a stable order: the main file, the agents, and
// files that are not transcripts.
func (s *session) files() []file {
	all := []file{s.main}
	for _, a := range s.agents {
		all = append(all, a.file)
	}
	for _, a := range s.agents {
		if a.meta != nil {
			all = append(all, *a.meta)
		}
	}
	for _, f := range s.beside {
		all = append(all, f.file)
	}
	return all
}

func (a agentFile) files() []file {
	if a.meta == nil {
		return []file{a.file}
	}
	return []file{a.file, *a.meta}
}
