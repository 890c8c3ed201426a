package grok

import (
	"bytes"
	"errors"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The files of a session.
const (
	file    = "chat_history.jsonl"
	summary = "summary.json"
	updates = "updates.jsonl" // what the window showed
)

// What Join adds to a log: a member of the first line, which describes the session, and a last line about its end.
const (
	sessionMember = "grokSession"
	endLine       = "session_end"
)

// Join finds the logs with a summary or updates next to them, and adds what is read of these.
func (Source) Join(paths []string) []sources.Joined {
	var all []sources.Joined
	for i, p := range paths {
		dir, base := path.Split(p)
		if sources.Unpacked(base) != file {
			continue
		}
		beside := [2]string{}
		files := []int{i}
		for n, name := range [...]string{summary, updates} {
			for _, ext := range [...]string{"", ".gz", ".zst"} {
				if at, found := slices.BinarySearch(paths, dir+name+ext); found && beside[n] == "" {
					beside[n], files = paths[at], append(files, at)
				}
			}
		}
		if len(files) > 1 {
			all = append(all, sources.Joined{Files: files, Extends: true, Read: reader(p, beside[0], beside[1])})
		}
	}
	return all
}

// reader returns a function that reads a log with what its summary and its updates say. These may be missing: "".
func reader(log, summary, updates string) func(func(string) ([]byte, error)) ([]byte, error) {
	return func(read func(string) ([]byte, error)) ([]byte, error) {
		data, err := read(log)
		if err != nil {
			return nil, err
		}
		unread := false
		beside := func(name string) ([]byte, error) {
			if name == "" {
				return nil, nil
			}
			v, err := read(name)
			if errors.Is(err, fs.ErrPermission) { // the log has all messages
				unread, err = true, nil
			}
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
			return v, err
		}
		about, err := beside(summary)
		if err != nil {
			return nil, err
		}
		if !transcript.Valid(about) {
			about = nil
		}
		shown, err := beside(updates)
		if err != nil {
			return nil, err
		}
		if end := endOf(about, shown); end != nil {
			data = sources.WithLine(data, end)
		}
		return sources.WithMember(data, sessionMember, sessionOf(about, path.Dir(log), unread)), nil
	}
}

// sessionOf returns what is read of a summary. The folder of a log is named after the session, and the one above it
// after the working directory.
func sessionOf(v jsontext.Value, dir string, unread bool) jsontext.Value {
	var p sources.Object
	p.Read(v)
	info := p.Get("info")
	id, cwd := transcript.String(transcript.Field(info, "id")), transcript.String(transcript.Field(info, "cwd"))
	if name := path.Base(dir); id == "" && name != "." {
		id = name
	}
	if name, err := url.PathUnescape(path.Base(path.Dir(dir))); err == nil && cwd == "" && strings.Contains(name, "/") {
		cwd = name
	}
	remote := ""
	for e := range transcript.Elements(p.Get("git_remotes")) {
		remote = transcript.String(e)
		break
	}
	return sources.Make("unread", unread, "id", id, "cwd", cwd,
		"title", p.Text("generated_title", "session_summary"), "created", p.Text("created_at"),
		"kind", p.Text("session_kind"), "parent", p.Text("parent_session_id"), "agent", p.Text("agent_name"),
		"branch", p.Text("head_branch"), "commit", p.Text("head_commit"), "repository", sources.RepositoryOf(remote),
		"model", p.Text("current_model_id"), "effort", p.Text("reasoning_effort"), "sandbox", p.Text("sandbox_profile"))
}

// endOf returns the line about the end of a session, nil if nothing is known of it: its time, and the tokens and costs
// of each model. The tokens of an agent are among those of the session that started it.
func endOf(about, shown []byte) jsontext.Value {
	var p sources.Object
	p.Read(about)
	u := usage{ended: p.Text("last_active_at", "updated_at")}
	u.models.New = func(name string) *modelUsage { return &modelUsage{name: name} }
	if p.Text("session_kind") != "subagent" {
		u.read(shown)
	}
	if u.ended == "" && len(u.models.Values) == 0 {
		return nil
	}
	var models []jsontext.Value
	for _, m := range u.models.Values {
		models = append(models, sources.Make("model", m.name, "input", m.input, "output", m.output,
			"cacheRead", m.read, "cacheWrite", m.written, "ticks", m.ticks))
	}
	return sources.Make("type", endLine, "timestamp", u.ended, "models", sources.MakeList(models...))
}

// usage is what the turns of a session used.
type usage struct {
	ended  string
	models sources.Index[modelUsage]
	seen   map[string]bool
}

type modelUsage struct {
	name                         string
	input, read, written, output int64
	ticks                        int64 // of costs, 10¹⁰ for a dollar; -1 if the log does not have those of all turns
}

// read adds the turns in updates. A rewind repeats those before it.
func (u *usage) read(shown []byte) {
	u.seen = make(map[string]bool)
	for line := range bytes.Lines(shown) {
		if !bytes.Contains(line, []byte(`"turn_completed"`)) || !transcript.Valid(bytes.TrimSpace(line)) {
			continue
		}
		var p, update sources.Object
		p.Read(bytes.TrimSpace(line))
		inner := transcript.Or(p.Get("params"), bytes.TrimSpace(line))
		update.Read(transcript.Field(inner, "update"))
		meta := transcript.Or(transcript.Field(inner, "_meta"), p.Get("_meta"))
		id := transcript.String(transcript.Field(meta, "eventId"))
		if update.Text("sessionUpdate") != "turn_completed" || u.seen[id] && id != "" {
			continue
		}
		u.seen[id] = true
		if at, ok := sources.TimeOf(transcript.Field(meta, "agentTimestampMs")); ok {
			u.ended = at.Format(time.RFC3339Nano)
		}
		all := update.Get("usage")
		models, partial := transcript.Field(all, "modelUsage"), string(transcript.Field(all, "costIsPartial")) == "true"
		for name, v := range transcript.Members(models) {
			u.add(name, v, partial)
		}
		if transcript.Kind(models) != '{' && transcript.Kind(all) == '{' {
			u.add("", all, partial)
		}
	}
}

// add adds the tokens of a turn. Its input includes what was read from the cache and written to it.
func (u *usage) add(model string, v jsontext.Value, partial bool) {
	var p sources.Object
	p.Read(v)
	count := func(name string) int64 { return max(0, sources.Number(p.Get(name))) }
	m, read, written := u.models.Of(model), count("cachedReadTokens"), count("cacheCreationTokens")
	m.input += max(0, count("inputTokens")-read-written)
	m.read, m.written, m.output = m.read+read, m.written+written, m.output+count("outputTokens")
	if ticks := count("costUsdTicks"); ticks == 0 || partial {
		m.ticks = -1
	} else if m.ticks >= 0 {
		m.ticks += ticks
	}
}
