package sitegen

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/notes"
	"viewer/internal/sitegen/decode"
	"viewer/internal/sitegen/input"
	"viewer/internal/sitegen/state"
	"viewer/internal/sources"
)

// ErrNone matches errors because no session is left, in the sources or after filters.
var ErrNone = errors.New("no session")

// none is such an error.
type none struct{ error }

func (none) Is(target error) bool { return target == ErrNone }

// None returns an error with the text of err that matches ErrNone.
func None(err error) error { return none{err} }

// A file is one source file. It is opened when its session is built.
type file struct {
	source *input.Source
	path   string             // in the source
	name   string             // as shown in problems and pages
	id     fingerprint.Digest // see newFile
	part   bool               // see source.IsPart
	fingerprint.Stamp
	scanned *scanResult // of session files and loose agents
}

// newFile returns a file of a source. Its id is unique and the same in each build. It is a hash, because a site may be
// published and should not contain the path.
func newFile(src *input.Source, path string, s fingerprint.Stamp) file {
	var buffer [512]byte
	sum := sha256.Sum256(append(append(append(buffer[:0], src.ID...), 0), path...))
	return file{source: src, path: path, name: path, id: fingerprint.Digest(sum[:len(fingerprint.Digest{})]),
		part: src.IsPart(path), Stamp: s}
}

// A scanResult is what the scan of a file before the build found.
type scanResult struct {
	facts   string             // encoded, see state.EncodeFacts
	safe    string             // the redacted name, "" while it is not needed
	place   place              // see settlePlaces
	content fingerprint.Digest // of its bytes
	size    int64              // bytes read by the scan: all, or 0
	err     error

	oldSize int64              // of the file at the last build, 0 where it was not there or larger
	begins  fingerprint.Digest // digest of the first oldSize bytes of the current file
}

// facts returns the facts that the scan found in the file.
func (f file) facts() sources.Facts { return state.DecodeFacts(f.scanned.facts) }

// read reads a file that is not a transcript. Of a damaged one it returns what comes before the damage, and an error.
func (f file) read() ([]byte, error) {
	open, err := f.source.FS.Open(f.path)
	if err != nil {
		return nil, f.failed(err)
	}
	defer open.Close()
	var b bytes.Buffer
	b.Grow(int(f.Size) + bytes.MinRead)
	most := max(f.Size, maxSpilled) // a few bytes can unpack to any size
	n, err := b.ReadFrom(io.LimitReader(open, most+1))
	if n > most {
		err = fmt.Errorf("it unpacks to more than %d MB", most>>20)
	}
	if err != nil {
		return nil, f.failed(err)
	}
	if damage := decode.DamageOf(open); damage != nil {
		return b.Bytes(), f.failed(fmt.Errorf("the rest of the file cannot be read: %w", damage))
	}
	return b.Bytes(), nil
}

func (f file) failed(err error) error {
	return fmt.Errorf("reading %s: %w", f.name, failure.Cause(err))
}

// stem returns the name without folder and extension.
func (f file) stem() string { return sources.Stem(f.path) }

// A folder holds the sessions of one project.
type folder struct {
	name     string // of the folder, as found
	ofPath   bool   // see sources.Folder
	shown    string // the redacted name
	sessions []*session
	loose    []agentFile // agents next to the sessions
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
	s := &session{id: found.ID, writer: by}
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
