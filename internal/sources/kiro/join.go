package kiro

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// sessionMember is the member that Join adds to the first line of a log: what the document beside it says of the
// session. It is in that line, so that the lines keep their numbers.
const sessionMember = "kiroSession"

// The files of a session of the third engine. Those of its agents are named after the ids of these.
const (
	eventsFile  = "messages.jsonl"
	sessionFile = "session.json"
	agentsDir   = "/sub-executions/"
)

// Join finds the logs with a document beside them, and adds what is read of it.
func (Source) Join(paths []string) []sources.Joined {
	var all []sources.Joined
	for i, p := range paths {
		stem, ok := strings.CutSuffix(p, ".json")
		if !ok {
			continue
		}
		name := stem + ".jsonl"
		if path.Base(p) == sessionFile {
			name = path.Join(path.Dir(p), eventsFile)
		}
		log, found := 0, false
		for _, ext := range [...]string{"", ".gz", ".zst"} {
			if !found {
				log, found = slices.BinarySearch(paths, name+ext)
			}
		}
		if found {
			all = append(all, sources.Joined{
				Files: []int{log, i}, Extends: true, Read: reader(paths[log], p, sessionOf),
			})
		}
		if found && path.Base(p) == sessionFile {
			all = append(all, agentsOf(paths, i)...)
		}
	}
	return all
}

// agentsOf returns the logs of the agents of a session, given the index of its document. They do not name the session.
func agentsOf(paths []string, document int) []sources.Joined {
	var all []sources.Joined
	begin := strings.TrimPrefix(path.Dir(paths[document])+agentsDir, "./")
	shared := []int{document}
	at, _ := slices.BinarySearch(paths, begin)
	for ; at < len(paths) && strings.HasPrefix(paths[at], begin); at++ {
		if sources.IsLog(paths[at]) {
			id := sources.Stem(paths[at])
			agent := func(v jsontext.Value) jsontext.Value { return agentOf(v, id) }
			all = append(all, sources.Joined{
				Files: []int{at}, Extends: true, Shared: shared, Read: reader(paths[at], paths[document], agent),
			})
		}
	}
	return all
}

// reader returns a function that reads a log with what its document says, given what is taken of that.
func reader(log, document string, take func(jsontext.Value) jsontext.Value) func(func(string) ([]byte, error)) (
	[]byte, error) {
	return func(read func(string) ([]byte, error)) ([]byte, error) {
		data, err := read(log)
		if err != nil {
			return nil, err
		}
		v, err := read(document)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && !transcript.Valid(v):
			return data, nil
		case errors.Is(err, fs.ErrPermission): // the log has all messages
			return sources.WithMember(data, sessionMember, sources.Make("unread", true)), nil
		case err != nil:
			return nil, err
		}
		return sources.WithMember(data, sessionMember, take(v)), nil
	}
}

// folderIn returns the folder in a document.
func folderIn(p *sources.Object) string {
	folder := p.Text("cwd")
	for e := range transcript.Elements(p.Get("workspacePaths", "rootPaths")) {
		folder = cmp.Or(folder, transcript.String(e))
	}
	return folder
}

// agentOf returns what is read of the document of a session for one of its agents.
func agentOf(v jsontext.Value, id string) jsontext.Value {
	var p sources.Object
	p.Read(v)
	return sources.Make("id", id, "cwd", folderIn(&p), "parent_session_id", p.Text("id"))
}

// sessionOf returns what is read of a document. It repeats answers and has lists of permissions, too. A session of the
// third engine with a parent is an agent only if the document says so: it may begin with a copy of the parent.
func sessionOf(v jsontext.Value) jsontext.Value {
	var p sources.Object
	p.Read(v)
	parent, from := p.Text("parent_session_id"), p.Text("parentSessionId")
	if p.Text("createdReason") == "subagent" {
		parent, from = from, ""
	}
	state := p.Get("session_state")
	model := transcript.Field(transcript.Field(state, "rts_model_state"), "model_info")
	return sources.Make(
		"id", p.Text("session_id", "id"), "cwd", folderIn(&p), "title", p.Text("title"),
		"parent_session_id", parent, "copied_from", from,
		"created", onLine(p.Get("created_at", "createdAt")),
		"agent", cmp.Or(transcript.String(transcript.Field(state, "agent_name")), p.Text("agentMode")),
		"model", cmp.Or(transcript.String(transcript.Field(model, "model_id")), p.Text("modelId")),
		"effort", p.Text("effortLevel"),
		"turns", turnsOf(transcript.Field(transcript.Field(state, "conversation_metadata"), "user_turn_metadatas")))
}

// turnsOf returns what a document says of each turn, as a list, nil for none.
func turnsOf(list jsontext.Value) jsontext.Value {
	var all []jsontext.Value
	for e := range transcript.Elements(list) {
		all = append(all, turnOf(e))
	}
	if all == nil {
		return nil
	}
	return sources.MakeList(all...)
}

func turnOf(v jsontext.Value) jsontext.Value {
	var p sources.Object
	p.Read(v)
	last := ""
	for id := range transcript.Elements(p.Get("message_ids")) {
		last = transcript.String(id)
	}
	took := p.Get("turn_duration")
	ms := sources.Number(transcript.Field(took, "secs"))*1000 + sources.Number(transcript.Field(took, "nanos"))/1e6
	count := func(name string) int64 { return sources.Number(p.Get(name)) }
	credits := 0.0
	for e := range transcript.Elements(p.Get("metering_usage")) {
		if unit := transcript.String(transcript.Field(e, "unit")); unit == "credit" || unit == "credits" {
			credits += sources.Dollars(transcript.Field(e, "value"))
		}
	}
	return sources.Make("last", last, "model", p.Text("model"), "ended", onLine(p.Get("end_timestamp")), "ms", ms,
		"reason", p.Text("end_reason"), "error", transcript.TextOf(transcript.Field(p.Get("result"), "Err")),
		"input", count("input_token_count"), "output", count("output_token_count"),
		"cacheRead", count("cache_read_input_token_count"), "cacheWrite", count("cache_write_input_token_count"),
		"credits", credits)
}

// onLine returns a value that fits on a line of a log: documents have line breaks between their values.
func onLine(v jsontext.Value) jsontext.Value {
	if k := transcript.Kind(v); k == '{' || k == '[' {
		return sources.Quote(string(v))
	}
	return v
}

// Arrange marks files that are not sessions: the user's files of which the third engine keeps copies.
func (Source) Arrange(tree *sources.Tree) []sources.Folder {
	for i, p := range tree.Paths {
		if dir, _, ok := strings.Cut("/"+p, "/snapshots/"); ok && tree.Only == "" {
			if _, found := tree.Place(strings.TrimPrefix(dir+"/"+eventsFile, "/")); found {
				tree.Leave(i)
			}
		}
	}
	return nil
}
