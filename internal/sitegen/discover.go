package sitegen

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"viewer/internal/codec"
	"viewer/internal/failure"
	"viewer/internal/sources"
)

// ErrNone is what an error is that says that sources or filters leave no session.
var ErrNone = errors.New("no session")

// none is such an error.
type none struct{ error }

func (none) Is(target error) bool { return target == ErrNone }

// A file is one source file: opened when its session is built.
type file struct {
	source *source
	path   string // in the source
	name   string // as problems and pages name it
	id     digest // see newFile
	stamp
	seen *seen // of session files and loose agents
}

// newFile is a file of a source. Its id tells it apart from all others, from one
// build to the next, without naming it: what a site holds may be published.
func newFile(src *source, path string, s stamp) file {
	var buffer [512]byte
	sum := sha256.Sum256(append(append(append(buffer[:0], src.id...), 0), path...))
	return file{source: src, path: path, name: path, id: digest(sum[:len(digest{})]), stamp: s}
}

// seen is what a look at a file before the build has found.
type seen struct {
	facts   string // recorded, see encodeFacts
	safe    string // its name as folders may have it, "" when nobody has asked yet
	content digest // of its bytes
	size    int64  // how many were read for it: all, or 0
	err     error
}

// facts are what the look has found out of the file.
func (f file) facts() sources.Facts { return decodeFacts(&codec.Decoder{Rest: f.seen.facts}) }

func (f file) read() ([]byte, error) {
	data, err := fs.ReadFile(f.source.fsys, f.path)
	if err != nil {
		return nil, f.failed(err)
	}
	return data, nil
}

func (f file) failed(err error) error { return fmt.Errorf("reading %s: %w", f.name, Cause(err)) }

// stem is the name without folder and ending: the id of a session.
func (f file) stem() string {
	return withoutExt(path.Base(f.path))
}

// withoutExt is a path without the ending of its file, and without that of a packed one before.
func withoutExt(p string) string {
	p = strings.TrimSuffix(p, ".gz")
	return strings.TrimSuffix(p, path.Ext(p))
}

// own is the folder of what belongs to a session file.
func (f file) own() string { return withoutExt(f.path) }

// A folder holds the sessions of one project.
type folder struct {
	name     string // of the folder, as found
	shown    string // the same as pages may show it
	sessions []*session
	loose    []agentFile // agents that lie beside the sessions (2.0.28 to 2.0.76)
}

// A session is the files that make one session, and later its place on the site.
type session struct {
	main   file
	agents []agentFile
	beside []file // the other files of its own folder: descriptions, spilled outputs, workflow runs
	folder string // below s/

	gone bool // its log is, see addGone

	kin    []kin // sessions that it belongs to
	family *family
}

type agentFile struct {
	file
	meta *file
}

// DefaultSource is where Claude Code keeps its sessions:
// $CLAUDE_CONFIG_DIR/projects, else ~/.claude/projects.
func DefaultSource() string {
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Join(dir, "projects")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".claude", "projects")
}

// HasSessions says whether a folder, or the one that a link leads to, holds a session to build. One that is not there
// holds none. It is an error when part of it cannot be read and the rest holds none.
func HasSessions(dir string) (bool, error) {
	if dir == "" {
		return false, nil
	}
	found := errors.New("found")
	var failed error
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error { // which follows a link to dir
		switch {
		case err != nil && failed == nil && !errors.Is(err, fs.ErrNotExist):
			failed = failure.New(fmt.Errorf("reading %s: %w", filepath.Join(dir, filepath.FromSlash(p)), Cause(err)), "check that the folder can be read")
		case err == nil && path.Ext(p) == ".jsonl" && !d.IsDir():
			return found
		}
		return nil
	})
	if err == found {
		return true, nil
	}
	return false, failed
}

// discover makes sessions of the files of a source: any folder that holds
// session files is a project, unless its sessions were started where those of another
// were: see joinPlaces.
func discover(src *source, entries []entry) []*folder {
	byDir := make(map[string]*folder)
	var dirs []string
	folderOf := func(dir string) *folder {
		fo := byDir[dir]
		if fo == nil {
			name := path.Base(dir)
			if dir == "." {
				name = src.base()
			}
			fo = &folder{name: name}
			byDir[dir] = fo
			dirs = append(dirs, dir)
		}
		return fo
	}
	own := ownFolders(entries)
	for _, e := range entries {
		switch {
		case src.only != "" && e.path != src.only, inSubagents(e.path):
			continue
		case src.only == "" && path.Ext(e.path) != ".jsonl" && (own.hold(e.path) || !isExecution(src, e.path)):
			continue
		}
		dir, base := path.Split(e.path)
		dir = path.Clean(dir)
		if base == "journal.jsonl" { // of a workflow: no transcript
			continue
		}
		fo := folderOf(dir)
		f := newFile(src, e.path, e.stamp)
		f.seen = new(seen)
		if strings.HasPrefix(base, "agent-") && src.only == "" {
			fo.loose = append(fo.loose, newAgentFile(f, entries))
			continue
		}
		fo.sessions = append(fo.sessions, newSession(f, entries))
	}
	if src.only == "" {
		addGone(src, entries, own, folderOf)
	}
	slices.Sort(dirs)
	var folders []*folder
	for _, dir := range dirs {
		folders = append(folders, byDir[dir])
	}
	return folders
}

// ownedFolders are the own folders of session files, where other JSON is theirs.
type ownedFolders map[string]bool

func ownFolders(entries []entry) ownedFolders {
	own := make(ownedFolders)
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.path, ".jsonl"); ok {
			own[stem] = true
		}
	}
	return own
}

// hold says that a file belongs to a session, or may be any output of a tool.
func (o ownedFolders) hold(p string) bool {
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if o[dir] || path.Base(dir) == "tool-results" {
			return true
		}
	}
	return false
}

// isExecution says by its content that a .json file is what a run left: the array of records, or lines of
// them, that a CI action writes.
func isExecution(src *source, p string) bool {
	if path.Ext(p) != ".json" || strings.HasSuffix(p, ".meta.json") {
		return false
	}
	f, err := src.fsys.Open(p)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, _ := io.ReadFull(f, head) // a shorter file is no failure, one that cannot be read is not known to be a session
	return execution.Match(head[:n])
}

// execution is how such a file begins: a record with its type, which names its session.
var execution = regexp.MustCompile(`(?s)^\s*(?:\[\s*)?\{[^{]*?"type"\s*:\s*"(?:system|user|assistant|result)".*"session_?[iI]d"\s*:`)

// inSubagents says that a file lies in the folder of a session's agents, and is
// taken with it.
func inSubagents(p string) bool {
	return strings.HasPrefix(p, "subagents/") || strings.Contains(p, "/subagents/")
}

// newSession collects what lies in the session's own folder: agents at any
// depth (subagents/agent-*.jsonl, subagents/workflows/<run>/agent-*.jsonl) and
// everything else. The entries are in the order of their paths.
func newSession(main file, entries []entry) *session {
	s := &session{main: main}
	own := main.own()
	if own == main.path {
		return s
	}
	below := own + "/"
	from, _ := slices.BinarySearchFunc(entries, below, func(e entry, p string) int { return strings.Compare(e.path, p) })
	for _, e := range entries[from:] {
		rest, isBelow := strings.CutPrefix(e.path, below)
		if !isBelow {
			break
		}
		f := newFile(main.source, e.path, e.stamp)
		switch base := path.Base(e.path); {
		case strings.HasPrefix(rest, "subagents/") && path.Ext(base) == ".jsonl" && strings.HasPrefix(base, "agent-"):
			s.agents = append(s.agents, newAgentFile(f, entries))
		case path.Ext(base) == ".jsonl" && !inSubagents(e.path): // a session by itself
		case strings.HasSuffix(base, ".meta.json") && strings.HasPrefix(base, "agent-"): // taken with its agent
		default:
			s.beside = append(s.beside, f)
		}
	}
	return s
}

// newAgentFile finds the description of an agent beside its file.
func newAgentFile(f file, entries []entry) agentFile {
	a := agentFile{file: f}
	meta := strings.TrimSuffix(f.path, ".jsonl") + ".meta.json"
	i, found := slices.BinarySearchFunc(entries, meta, func(e entry, p string) int { return strings.Compare(e.path, p) })
	if found {
		about := newFile(f.source, meta, entries[i].stamp)
		a.meta = &about
	}
	return a
}

// agentID is the agent's id: agent-<id>.jsonl.
func (a agentFile) agentID() string { return strings.TrimPrefix(a.stem(), "agent-") }

// run is the workflow run that the agent belongs to:
// subagents/workflows/<run>/agent-<id>.jsonl.
func (a agentFile) run() string {
	dir := path.Dir(a.path)
	if path.Base(path.Dir(dir)) != "workflows" {
		return ""
	}
	return path.Base(dir)
}

// size is how much there is to read.
func (s *session) size() int64 {
	n := s.main.Size
	for _, a := range s.agents {
		n += a.Size
	}
	return n
}

// files are all that the pages of a session are made of, in a stable order: the
// main file, the agents, and what is no transcript.
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
	return append(all, s.beside...)
}

func (a agentFile) files() []file {
	if a.meta == nil {
		return []file{a.file}
	}
	return []file{a.file, *a.meta}
}
