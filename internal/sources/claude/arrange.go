package claude

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// Files and folders of Claude Code:
//
//	<project>/<session>.jsonl
//	<project>/agent-<id>.jsonl                                    2.0.28 to 2.0.76
//	<project>/<session>/subagents/agent-<id>.jsonl, .meta.json
//	<project>/<session>/subagents/workflows/<run>/agent-<id>.jsonl
//	<project>/<session>/workflows/<run>.json
//	<project>/<session>/tool-results/<output>
//	<project>/<session>/custom-title.json
const (
	agentPrefix  = "agent-"
	agentFolder  = "subagents"
	runFolder    = "workflows"
	outputFolder = "tool-results"
	titleFile    = "custom-title.json"
	journalFile  = "journal.jsonl" // of a workflow, not a transcript
	metaExt      = ".meta.json"
	logExt       = ".jsonl"
)

// Wants reports whether a file can be a session or be in the folder of one.
func (Source) Wants(p string) bool {
	switch path.Ext(p) {
	case logExt, ".json":
		return true
	}
	return path.Base(sources.Dir(p)) == outputFolder
}

// Arrange returns the folders that hold session files.
func (s Source) Arrange(tree *sources.Tree) []sources.Folder {
	a := arrangement{Tree: tree, byDir: make(map[string]*sources.Folder)}
	for i, p := range tree.Paths {
		if !tree.Taken(i) && a.isLog(p) {
			a.add(i, p)
		}
	}
	if tree.Only == "" {
		a.addGone()
	}
	folders := make([]sources.Folder, 0, len(a.byDir))
	for _, dir := range slices.Sorted(maps.Keys(a.byDir)) {
		folders = append(folders, *a.byDir[dir])
	}
	return folders
}

type arrangement struct {
	*sources.Tree
	byDir map[string]*sources.Folder
}

// isOwn reports whether a folder belongs to one session. Other JSON files in it are part of that session.
func (a *arrangement) isOwn(dir string) bool {
	for _, ext := range [...]string{"", ".gz", ".zst"} {
		if _, ok := a.Place(dir + logExt + ext); ok {
			return true
		}
	}
	return false
}

// isLog reports whether a file is the log of a session, or of an agent next to the sessions.
func (a *arrangement) isLog(p string) bool {
	switch {
	case a.Only != "" && p != a.Only, inAgentFolder(p) && !isStray(p), path.Base(p) == journalFile:
		return false
	}
	return a.Only != "" || sources.IsLog(p) || !a.owned(p) && a.isExecution(p)
}

// owned reports whether a file belongs to a session, or could be the output of a tool.
func (a *arrangement) owned(p string) bool {
	for dir := sources.Dir(p); dir != "."; dir = sources.Dir(dir) {
		if a.isOwn(dir) || path.Base(dir) == outputFolder {
			return true
		}
	}
	return false
}

// isExecution reports whether a .json file is the log of a run in CI: an array of records or one record a line, as the
// GitHub action writes.
func (a *arrangement) isExecution(p string) bool {
	plain := sources.Unpacked(p)
	return path.Ext(plain) == ".json" && !strings.HasSuffix(plain, metaExt) && execution.Match(a.Head(p))
}

// execution matches the beginning of such a file: a record with a type and the id of its session.
var execution = regexp.MustCompile(`(?s)^\x{feff}?\s*(?:\[\s*)?\{[^{]*?"type"\s*:\s*"(?:system|user|assistant|result)".*"session_?[iI]d"\s*:`)

// inAgentFolder reports whether a file is in the folder of a session's agents, and belongs to that session.
func inAgentFolder(p string) bool {
	return strings.HasPrefix(p, agentFolder+"/") || strings.Contains(p, "/"+agentFolder+"/")
}

// isStray reports whether a log in the folder of a session's agents is none of them: another program wrote it, or the
// folder is read without that of the session.
func isStray(p string) bool {
	if !sources.IsLog(p) || path.Base(p) == journalFile {
		return false
	}
	return !isAgent(p) || strings.HasPrefix(p, agentFolder+"/")
}

func (a *arrangement) add(i int, p string) {
	fo := a.folder(sources.Dir(p))
	if strings.HasPrefix(path.Base(p), agentPrefix) && a.Only == "" {
		fo.Loose = append(fo.Loose, a.agent(i))
		return
	}
	s := sources.Session{ID: sources.Stem(p), Log: i, Path: p}
	a.collect(&s, i+1)
	fo.Sessions = append(fo.Sessions, s)
}

// folder returns the Folder for dir. Claude Code names it by the working directory: "-home-mara-tides".
func (a *arrangement) folder(dir string) *sources.Folder {
	fo := a.byDir[dir]
	if fo == nil {
		name := path.Base(dir)
		if dir == "." {
			name = a.Base
		}
		fo = &sources.Folder{Name: name, OfPath: strings.HasPrefix(name, "-")}
		a.byDir[dir] = fo
	}
	return fo
}

// MayShareName reports whether the projects of two folders may have the same name. The name of a folder is the path of
// the project with "-" for each character that is not a letter or digit. Any other name says nothing.
func (Source) MayShareName(folder, other string) bool {
	last := func(name string) string { return strings.ToLower(name[strings.LastIndexByte(name, '-')+1:]) }
	named := strings.Contains(folder, "-") && strings.Contains(other, "-")
	return folder == other || !named || last(folder) == last(other)
}

// collect adds the files in the session's own folder: agents at any depth and everything else. They are not before
// from.
func (a *arrangement) collect(s *sources.Session, from int) {
	own := sources.WithoutExt(s.Path)
	if own == s.Path {
		return
	}
	below := own + "/"
	if from < len(a.Paths) && a.Paths[from] < below { // mostly they come next
		next, _ := slices.BinarySearch(a.Paths[from:], below)
		from += next
	}
	for i := from; i < len(a.Paths); i++ {
		p := a.Paths[i]
		rest, isBelow := strings.CutPrefix(p, below)
		if !isBelow {
			break
		}
		switch {
		case strings.HasPrefix(rest, agentFolder+"/") && isAgent(p):
			if a.Taken(i) { // the same agent uncompressed is next to it
				continue
			}
			s.Agents = append(s.Agents, a.agent(i))
		case sources.IsLog(p) && (!inAgentFolder(p) || isStray(p)): // a session of its own
		case strings.HasSuffix(p, metaExt) && strings.HasPrefix(path.Base(p), agentPrefix): // comes with its agent
		default:
			s.Beside = append(s.Beside, i)
		}
	}
}

func isAgent(p string) bool {
	return sources.IsLog(p) && strings.HasPrefix(path.Base(p), agentPrefix)
}

// agent returns the agent whose log is file i, with the file next to it that describes it.
func (a *arrangement) agent(i int) sources.Agent {
	p := a.Paths[i]
	agent := sources.Agent{ID: strings.TrimPrefix(sources.Stem(p), agentPrefix), Log: i, Meta: -1}
	if dir := sources.Dir(p); path.Base(sources.Dir(dir)) == runFolder {
		agent.Run = path.Base(dir)
	}
	if at, found := a.Place(sources.WithoutExt(p) + metaExt); found {
		agent.Meta = at
	}
	return agent
}

// addGone adds sessions for agents whose session file is missing: Claude Code removes the log of a session after 30
// days, and may leave the files in the session's folder.
func (a *arrangement) addGone() {
	made := make(map[string]bool)
	for i, p := range a.Paths {
		dir, _, inside := strings.Cut(p, "/"+agentFolder+"/")
		if !inside || a.Taken(i) || made[dir] || a.isOwn(dir) || !isAgent(p) {
			continue
		}
		made[dir] = true
		s := sources.Session{ID: path.Base(dir), Log: -1, Path: dir + logExt}
		a.collect(&s, 0)
		fo := a.folder(sources.Dir(dir))
		fo.Sessions = append(fo.Sessions, s)
	}
}

// Role returns what a file next to a session is for, and the name by which the log refers to it.
func (Source) Role(log, p string) (sources.Role, string) {
	dir, base := path.Split(p)
	rest, ok := strings.CutPrefix(path.Clean(dir), sources.WithoutExt(log))
	switch {
	case !ok:
	case rest == "" && base == titleFile:
		return sources.RoleTitle, ""
	case rest == "/"+runFolder && path.Ext(base) == ".json":
		return sources.RoleRun, strings.TrimSuffix(base, ".json")
	case rest == "/"+outputFolder:
		return sources.RoleOutput, base
	}
	return sources.RoleOther, ""
}

// Title reads the title that the user gave the session, which some versions do not write into the log.
func (Source) Title(data []byte) string {
	return transcript.String(transcript.Field(data, "customTitle"))
}

// Folders returns where Claude Code keeps its sessions: below $CLAUDE_CONFIG_DIR, or below .claude in the home folder.
func (Source) Folders(getenv func(string) string, home string) []string {
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return []string{dir + "/projects"}
	}
	if home == "" {
		return nil
	}
	return []string{home + "/.claude/projects"}
}
