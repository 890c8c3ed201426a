package sitegen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// An Error is a failure that a user can do something about.
type Error struct {
	Err  error
	Hint string // the next step, "" when there is none to give
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// A file is one source file: opened when its session is built.
type file struct {
	fsys fs.FS
	path string // in fsys
	name string // as problems and pages name it
	size int64
	seen *seen // filled by scanAll
}

// seen is what a look at a file before the build has found.
type seen struct {
	scanned
	err error
}

func (f file) read() ([]byte, error) {
	data, err := fs.ReadFile(f.fsys, f.path)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", f.name, cause(err))
	}
	return data, nil
}

// stem is the name without folder and ending: the id of a session.
func (f file) stem() string {
	base := path.Base(f.path)
	return strings.TrimSuffix(base, path.Ext(base))
}

// cause takes the path out of a file error: the message around it names the file.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// A folder holds the sessions of one project.
type folder struct {
	name     string // of the folder, as found
	sessions []*session
	loose    []file // agents that lie beside the sessions (2.0.28 to 2.0.76)
}

// A session is the files that make one session, and later its place on the site.
type session struct {
	main   file
	agents []agentFile
	folder string // below s/

	kin    []kin           // sessions that it belongs to
	shared map[string]bool // uuids of records that another session draws
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

// discover finds the sessions of a source: a projects folder, a project
// folder, or a session file. Any folder that holds session files is a project.
func discover(source string) ([]*folder, error) {
	info, err := os.Stat(source)
	if err != nil {
		return nil, &Error{fmt.Errorf("reading %s: %w", source, cause(err)), "give a projects folder, a project folder or a session file"}
	}
	if !info.IsDir() {
		dir, base := filepath.Split(source)
		if dir == "" {
			dir = "."
		}
		f := file{fsys: os.DirFS(dir), path: base, name: base, size: info.Size(), seen: new(seen)}
		return []*folder{{name: filepath.Base(filepath.Clean(dir)), sessions: []*session{newSession(f)}}}, nil
	}
	folders, err := discoverFS(os.DirFS(source), filepath.Base(filepath.Clean(source)))
	if err != nil {
		return nil, &Error{fmt.Errorf("reading %s: %w", source, err), "check that the folder can be read"}
	}
	if len(folders) == 0 {
		return nil, &Error{fmt.Errorf("no sessions in %s", source), "session files end in .jsonl; Claude Code keeps them below ~/.claude/projects"}
	}
	return folders, nil
}

// discoverFS walks a file system in sorted order.
func discoverFS(fsys fs.FS, rootName string) ([]*folder, error) {
	byDir := make(map[string]*folder)
	var dirs []string
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			if p == "." {
				return cause(err)
			}
			return nil // a folder that cannot be read, or that went away: the rest still counts
		}
		if d.IsDir() {
			if p != "." && (d.Name() == "subagents" || strings.HasPrefix(d.Name(), ".")) {
				return fs.SkipDir // agents are taken with their session
			}
			return nil
		}
		if path.Ext(p) != ".jsonl" {
			return nil
		}
		info, err := fs.Stat(fsys, p)
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		dir := path.Dir(p)
		fo := byDir[dir]
		if fo == nil {
			name := path.Base(dir)
			if dir == "." {
				name = rootName
			}
			fo = &folder{name: name}
			byDir[dir] = fo
			dirs = append(dirs, dir)
		}
		f := file{fsys: fsys, path: p, name: p, size: info.Size(), seen: new(seen)}
		switch {
		case path.Base(p) == "journal.jsonl": // of a workflow: no transcript
		case strings.HasPrefix(path.Base(p), "agent-"):
			fo.loose = append(fo.loose, f)
		default:
			fo.sessions = append(fo.sessions, newSession(f))
		}
		return nil
	})
	slices.Sort(dirs)
	var folders []*folder
	for _, dir := range dirs {
		if fo := byDir[dir]; len(fo.sessions)+len(fo.loose) > 0 {
			folders = append(folders, fo)
		}
	}
	return folders, err
}

// newSession collects the agents that lie in the session's own folder, at any
// depth: subagents/agent-*.jsonl, subagents/workflows/<run>/agent-*.jsonl.
func newSession(main file) *session {
	s := &session{main: main}
	own := strings.TrimSuffix(main.path, path.Ext(main.path))
	if fs.ValidPath(own) {
		fs.WalkDir(main.fsys, path.Join(own, "subagents"), func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || path.Ext(p) != ".jsonl" || !strings.HasPrefix(path.Base(p), "agent-") {
				return nil
			}
			if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
				s.agents = append(s.agents, newAgentFile(main.fsys, p, path.Join(path.Dir(main.name), strings.TrimPrefix(p, path.Dir(main.path)+"/")), info.Size()))
			}
			return nil
		})
	}
	return s
}

func newAgentFile(fsys fs.FS, p, name string, size int64) agentFile {
	a := agentFile{file: file{fsys: fsys, path: p, name: name, size: size}}
	meta := strings.TrimSuffix(p, ".jsonl") + ".meta.json"
	if info, err := fs.Stat(fsys, meta); err == nil && info.Mode().IsRegular() {
		a.meta = &file{fsys: fsys, path: meta, name: meta, size: info.Size()}
	}
	return a
}

// id is the agent's id: agent-<id>.jsonl.
func (a agentFile) id() string { return strings.TrimPrefix(a.stem(), "agent-") }

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
	n := s.main.size
	for _, a := range s.agents {
		n += a.size
	}
	return n
}
