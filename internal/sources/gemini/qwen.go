package gemini

import (
	"cmp"
	"path"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// Qwen reads the sessions of Qwen Code. It began as a copy of Gemini CLI. Since the end of 2025 its files are JSONL
// with messages in the format of the API, and each line names the one before. Older sessions have the format of Gemini
// CLI.
type Qwen struct{ sources.Defaults }

var _ sources.Source = Qwen{}

// Writer reports that the logs contain neither the messages of a request nor the system prompt.
func (Qwen) Writer() transcript.Writer { return transcript.Writer{Name: "Qwen Code", NotSent: true} }

// Files of Qwen Code, below a folder that is named after the working directory:
//
//	<project>/chats/<session>.jsonl, or in chats/archive; <session>.ledger.jsonl has states of its prompts
//	<project>/subagents/<session>/agent-<id>.jsonl, agent-<id>.meta.json
const (
	metaEnd   = ".meta.json"
	ledgerEnd = ".ledger.jsonl"
)

// Arrange returns the sessions of each project and their agents.
func (s Qwen) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only != "" {
		return nil
	}
	var folders []sources.Folder
	byProject := make(map[string]int)  // indexes of folders
	owners := make(map[string][2]int)  // indexes of the folder and the session, by the path of the folder of its agents
	agents := make(map[string][]agent) // by the same path
	var order []string
	for i, p := range tree.Paths {
		if tree.Taken(i) || path.Ext(p) != ".jsonl" {
			continue
		}
		dir := sources.Dir(p)
		up := sources.Dir(dir)
		if path.Base(dir) == "archive" && path.Base(up) == "chats" {
			dir, up = up, sources.Dir(up)
		}
		switch {
		case path.Base(dir) == "chats" && strings.HasSuffix(p, ledgerEnd) && isLedger(tree, p):
			tree.Leave(i)
		case path.Base(dir) == "chats" && tree.Matches(s, p):
			at, known := byProject[up]
			if !known {
				at = len(folders)
				byProject[up] = at
				folders = append(folders, sources.Folder{Name: tree.NameOf(up), OfPath: true})
			}
			id := sources.Stem(p)
			owners[path.Join(up, "subagents", id)] = [2]int{at, len(folders[at].Sessions)}
			folders[at].Sessions = append(folders[at].Sessions, sources.Session{ID: id, Log: i, Path: p})
		case path.Base(up) == "subagents" && tree.Matches(s, p):
			if agents[dir] == nil {
				order = append(order, dir)
			}
			agents[dir] = append(agents[dir], agent{i, strings.TrimPrefix(sources.Stem(p), "agent-")})
		}
	}
	for _, dir := range order {
		at, ok := owners[dir]
		if !ok {
			continue // a separate session
		}
		session := &folders[at[0]].Sessions[at[1]]
		for _, a := range agents[dir] {
			meta, ok := tree.Place(strings.TrimSuffix(tree.Paths[a.log], ".jsonl") + metaEnd)
			if !ok {
				meta = -1
			}
			session.Agents = append(session.Agents, sources.Agent{ID: a.id, Log: a.log, Meta: meta})
		}
	}
	return folders
}

// isLedger reports whether a file with states of prompts is next to the log of its session.
func isLedger(tree *sources.Tree, p string) bool {
	_, ok := tree.Place(strings.TrimSuffix(p, ledgerEnd) + ".jsonl")
	return ok
}

// qwenTypes are the types of records.
var qwenTypes = map[string]bool{"user": true, "assistant": true, "tool_result": true, "system": true}

// Match accepts lines with an id, a session and a message with parts.
func (Qwen) Match(head sources.Head) bool {
	kind, own := "", false
	for name, value := range head.Members() {
		switch name {
		case "type":
			kind = transcript.String(value)
			own = own || kind == "tool_result"
		case "systemPayload", "toolCallResult", "usageMetadata", "managedSession":
			own = true
		case "message":
			own = own || transcript.Field(value, "parts") != nil ||
				value == nil && head.Contains(`"parts":`)
		}
	}
	return own && qwenTypes[kind] && head.Has("uuid") && head.Has("sessionId")
}

// Folders returns folders below $QWEN_RUNTIME_DIR or $QWEN_HOME, or below .qwen in the home folder. The second is that
// of older versions.
func (Qwen) Folders(getenv func(string) string, home string) []string {
	dir := cmp.Or(getenv("QWEN_RUNTIME_DIR"), getenv("QWEN_HOME"))
	if dir == "" {
		if home == "" {
			return nil
		}
		dir = home + "/.qwen"
	}
	return []string{dir + "/projects", dir + "/tmp"}
}

// NewTranslator returns a translator for one file.
func (Qwen) NewTranslator() sources.Translator {
	return &qwenTranslator{last: make(map[string]qwenLine), named: make(map[string][]string)}
}

// NewScan looks for the facts of a file, which each line has.
func (s Qwen) NewScan() sources.Scan { return sources.ScanLines(s, scanQwen) }

func scanQwen(line []byte, facts *sources.Facts) bool {
	if !transcript.Valid(line) {
		return false
	}
	var o sources.Object
	o.Read(line)
	if id := o.Text("agentId"); facts.SessionID == "" && id != "" && string(o.Get("isSidechain")) == "true" {
		facts.SessionID, facts.Parent = id, o.Text("sessionId")
	}
	facts.SessionID = cmp.Or(facts.SessionID, o.Text("sessionId"))
	facts.CWD = cmp.Or(facts.CWD, o.Text("cwd"))
	facts.FirstUUID = cmp.Or(facts.FirstUUID, o.Text("uuid"))
	facts.Lineage = cmp.Or(facts.Lineage, transcript.String(transcript.Field(o.Get("forkedFrom"), "sessionId")))
	return facts.SessionID != "" && facts.CWD != "" && facts.FirstUUID != ""
}
