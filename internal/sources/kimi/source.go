// Package kimi reads the sessions of Kimi Code and of its predecessor kimi-cli: logs of what the program and its window
// sent each other, and the files of messages from before such logs. It never opens a file.
package kimi

import (
	"path"
	"sort"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Kimi.
type Source struct{ sources.Defaults }

var _ sources.Source = Source{}

// Writer reports that the logs do not tell which messages a request contained.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Kimi", NotSent: true} }

// Wants accepts JSONL, and the state of a session, which has its title.
func (Source) Wants(p string) bool { return path.Ext(p) == ".jsonl" || path.Base(p) == "state.json" }

// Arrange returns one session for the logs in its folder: agents/main/wire.jsonl and those of other agents, or, in
// older versions, wire.jsonl. Files of messages next to a log repeat it.
func (s Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only != "" {
		return nil
	}
	var folders []sources.Folder
	byName := make(map[string]int)
	for _, i := range tree.Named("wire.jsonl", "context.jsonl") {
		p := tree.Paths[i]
		dir, base := path.Split(p)
		if tree.Taken(i) {
			continue
		}
		dir = strings.TrimSuffix(dir, "/")
		_, logged := tree.Place(path.Join(dir, "wire.jsonl"))
		switch {
		case base == "context.jsonl" && logged:
			tree.Leave(i)
			continue
		case !tree.Matches(s, p):
			continue
		}
		if up := sources.Dir(dir); path.Base(up) == "agents" && path.Base(dir) != "main" {
			if _, main := tree.Place(path.Join(up, "main", base)); main {
				continue // part of its session
			}
		}
		home := sessionFolder(dir)
		name := projectOf(path.Base(sources.Dir(home)))
		if name == "." || name == "/" {
			name = projectOf(tree.Base)
		}
		session := sources.Session{ID: path.Base(home), Log: i, Path: p}
		if home != dir {
			session.Agents = agentsIn(tree, s, home)
		}
		if state, ok := tree.Place(path.Join(home, "state.json")); ok {
			session.Beside = append(session.Beside, state)
		}
		n, known := byName[name]
		if !known {
			n = len(folders)
			byName[name] = n
			folders = append(folders, sources.Folder{Name: name, OfPath: true})
		}
		folders[n].Sessions = append(folders[n].Sessions, session)
	}
	return folders
}

// sessionFolder returns the folder of the session whose log lies in dir: two levels up from that of an agent.
func sessionFolder(dir string) string {
	if up := sources.Dir(dir); path.Base(up) == "agents" {
		return sources.Dir(up)
	}
	return dir
}

// projectOf returns the name of the project in that of a folder of sessions: tides for wd_tides_ac3bb318f98e.
func projectOf(name string) string {
	rest, ok := strings.CutPrefix(name, "wd_")
	if at := strings.LastIndexByte(rest, '_'); ok && at > 0 {
		return rest[:at]
	}
	return name
}

// agentsIn returns the logs of the other agents of a session.
func agentsIn(tree *sources.Tree, s Source, home string) []sources.Agent {
	var all []sources.Agent
	within := home + "/agents/"
	for i := sort.SearchStrings(tree.Paths, within); i < len(tree.Paths); i++ {
		p := tree.Paths[i]
		rest, ok := strings.CutPrefix(p, within)
		if !ok {
			break
		}
		if name, file, _ := strings.Cut(rest, "/"); name != "main" && file == "wire.jsonl" && tree.Matches(s, p) {
			all = append(all, sources.Agent{ID: name, Log: i, Meta: -1})
		}
	}
	return all
}

// Role returns RoleTitle for the state of a session.
func (Source) Role(_, p string) (sources.Role, string) {
	if path.Base(p) == "state.json" {
		return sources.RoleTitle, ""
	}
	return sources.RoleOther, ""
}

// Title returns the title in the state of a session.
func (Source) Title(data []byte) string {
	return sources.FirstText(data, []string{"title"})
}

// Match accepts files that begin with the head of a log, with one of its lines, or with messages that have a
// checkpoint.
func (Source) Match(head sources.Head) bool {
	kind, role, stamp := "", "", false
	for name, value := range head.Members() {
		switch name {
		case "type":
			kind = transcript.String(value)
		case "role":
			role = transcript.String(value)
		case "protocol_version":
			return true
		case "time", "timestamp":
			stamp = true
		case "message":
			if t := transcript.String(transcript.Field(value, "type")); stamp && kind == "" && t != "" && t[0] <= 'Z' {
				return true // a line of a log of kimi-cli
			}
		case "uuid", "payload", "sessionId", "session_id":
			return false
		}
	}
	switch {
	case role == "_checkpoint", role == "_usage", role == "_system_prompt":
		return true
	case role != "":
		return head.Contains(`"role":"_checkpoint"`) || head.Contains(`"role": "_checkpoint"`)
	}
	group, _, dotted := strings.Cut(kind, ".")
	return stamp && dotted && groups[group]
}

// groups are the beginnings of the types of lines.
var groups = map[string]bool{
	"config": true, "context": true, "turn": true, "llm": true, "permission": true, "usage": true, "tools": true,
	"profile": true,
}

// Folders returns the folders of both programs.
func (Source) Folders(getenv func(string) string, home string) []string {
	dir := getenv("KIMI_CODE_HOME")
	if dir == "" && home != "" {
		dir = home + "/.kimi-code"
	}
	var all []string
	if dir != "" {
		all = append(all, dir+"/sessions")
	}
	if home != "" {
		all = append(all, home+"/.kimi/sessions")
	}
	return all
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
