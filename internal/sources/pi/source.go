// Package pi reads the sessions of Pi and of its family, such as OpenClaw and Oh My Pi. Each line names the line before
// it, so that a file is a tree. The branch that ends with the last line is the conversation. The package never opens a
// file.
package pi

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Pi.
type Source struct{ sources.Defaults }

var _ sources.Source = Source{}

// Writer reports that the logs contain neither the system prompt nor the tools, nor what extensions change in a
// request.
func (Source) Writer() transcript.Writer {
	return transcript.Writer{Name: "Pi", NotSent: true, Tree: true}
}

// Wants accepts JSONL.
func (Source) Wants(p string) bool { return path.Ext(p) == ".jsonl" }

// private are files that programs of the family keep next to their sessions. They hold keys and addresses of people,
// and are never opened.
var private = []string{"models.json", "sessions.json"}

// Arrange finds the agents of sessions: their files are in a folder next to the session that has its name. It marks
// private files as not being sessions. The content of the other files tells which are sessions.
func (s Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only == "" {
		tree.LeaveNamed(private...)
	}
	agents := make(map[int][]sources.Agent)
	ours := make(map[int]bool) // sessions with files below them; each is read once
	last, at := "", -1         // a folder, and the session that its files belong to
	for i, p := range tree.Paths {
		if path.Ext(p) != ".jsonl" || tree.Taken(i) || strings.Contains(p, "/subagents/") {
			continue // Claude Code keeps its agents in folders of that name: no need to open each
		}
		if dir := sources.Dir(p); dir != last {
			last, at = dir, outermost(tree, dir)
		}
		if at < 0 {
			continue
		}
		is, known := ours[at]
		if !known {
			is = tree.Matches(s, tree.Paths[at])
			ours[at] = is
		}
		if is && tree.Matches(s, p) {
			agents[at] = append(agents[at], sources.Agent{ID: sources.Stem(p), Log: i, Meta: -1})
		}
	}
	var all []sources.Folder
	for _, i := range slices.Sorted(maps.Keys(agents)) {
		p := tree.Paths[i]
		session := sources.Session{ID: sources.Stem(p), Log: i, Path: p, Agents: agents[i]}
		all = append(all, sources.Folder{Name: path.Base(sources.Dir(p)), Sessions: []sources.Session{session}})
	}
	return all
}

// outermost returns the session that the files of a folder belong to, or -1. The agents of agents belong to the
// outermost session, too.
func outermost(tree *sources.Tree, dir string) int {
	at := -1
	for ; dir != "." && dir != "/"; dir = sources.Dir(dir) {
		if log, ok := tree.Place(dir + ".jsonl"); ok && !tree.Taken(log) {
			at = log
		}
	}
	return at
}

// Match accepts files that begin with the head of a session, or with one of the lines that mostly follow it.
func (s Source) Match(head sources.Head) bool {
	kind, id, stamp, known := "", false, false, false
	for name, value := range head.Members() {
		switch name {
		case "type":
			kind = transcript.String(value)
		case "id":
			id = true
		case "timestamp":
			stamp = true
		case "modelId", "thinkingLevel", "message":
			known = true
		case "uuid", "sessionId", "payload", "parentUuid":
			return false
		}
	}
	switch kind {
	case "session":
		return id && stamp
	case "title": // of Oh My Pi: a line before the head, which may be damaged
		_, rest, _ := bytes.Cut(head.Trimmed(), []byte("\n"))
		for line := range bytes.Lines(rest) {
			if s.Match(sources.NewHead(line)) {
				return true
			}
		}
		return sources.FirstString(rest, "type") == "session" // which may be cut off
	case "model_change", "thinking_level_change":
		return stamp && known
	case "message": // of the first version, or where the head is lost
		return stamp && known && sources.FirstString(head.Data, "role") != "" && !foreign(head)
	}
	return false
}

// foreign reports whether a message is from another writer. Those of Pi have their own parent or time.
func foreign(head sources.Head) bool {
	for name, value := range head.Members() {
		if name == "parentId" || name == "message" && transcript.Field(value, "timestamp") != nil {
			return false
		}
	}
	return true
}

// Folders returns where the programs of the family keep their sessions.
func (Source) Folders(getenv func(string) string, home string) []string {
	var all []string
	add := func(variable, below, otherwise string) {
		if dir := getenv(variable); dir != "" {
			all = append(all, dir+below)
		} else if home != "" && otherwise != "" {
			all = append(all, home+otherwise)
		}
	}
	add("PI_CODING_AGENT_SESSION_DIR", "", "")
	add("PI_CODING_AGENT_DIR", "/sessions", "/.pi/agent/sessions")
	if home != "" {
		all = append(all, home+"/.omp/agent/sessions")
	}
	add("OPENCLAW_STATE_DIR", "/agents", "/.openclaw/agents")
	return all
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator {
	return &translator{entries: make(map[string]string)}
}
