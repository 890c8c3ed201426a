package opencode

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

var _ sources.Joiner = Source{}

// Join finds the sessions of versions before the database, which write a file for each message and each part:
//
//	storage/session/<project>/<session>.json
//	storage/message/<session>/<message>.json
//	storage/part/<message>/<part>.json, before that part/<session>/<message>/<part>.json and part/<part>.json
//
// Versions 0.x write session/info/<session>.json, and session/message/<session>/<message>.json with the parts.
//
// The files stay when the program moves its sessions into a database. Then the database counts.
func (Source) Join(paths []string) []sources.Joined {
	stores := make(map[string]*storage)
	moved := make(map[string]bool)
	for i, p := range paths {
		if strings.HasSuffix(sources.Dir(p), ".db") {
			moved[path.Base(p)] = true
			continue
		}
		root, kind, rest := storagePath(p)
		if kind == "" {
			continue
		}
		s := stores[root]
		if s == nil {
			s = &storage{paths: paths, infos: make(map[string]int), messages: make(map[string][]int),
				parts: make(map[string][]int)}
			stores[root] = s
		}
		dir, name := path.Split(rest)
		dir = strings.TrimSuffix(dir, "/")
		id := strings.TrimSuffix(name, ".json")
		if old, ok := strings.CutPrefix(dir, "message/"); ok && kind == "session" {
			kind, dir = "message", old
		}
		switch {
		case kind == "session" && dir != "":
			s.infos[id] = i
		case kind == "message" && dir != "" && !strings.Contains(dir, "/"):
			s.messages[dir] = append(s.messages[dir], i)
		case kind == "part" && dir == "":
			s.flat = append(s.flat, i)
		case kind == "part":
			s.parts[path.Base(dir)] = append(s.parts[path.Base(dir)], i)
		}
	}
	var all []sources.Joined
	for _, s := range stores {
		s.findShared()
		for id := range s.messages {
			if j := s.join(id); !moved[id] && (len(j.Files) > len(s.messages[id]) || s.named(id)) {
				all = append(all, j)
				s.last = max(s.last, id)
			}
		}
		if s.last == "" && len(moved) == 0 && s.arePartsOnly() {
			all = append(all, sources.Joined{Files: s.shared, Read: s.readParts})
		}
	}
	slices.SortFunc(all, func(a, b sources.Joined) int { return cmp.Compare(a.Files[0], b.Files[0]) })
	return all
}

// storagePath splits the path of a file of the storage: "x/storage/", "message", "ses_1/msg_1.json".
func storagePath(p string) (root, kind, rest string) {
	if path.Ext(p) != ".json" {
		return "", "", ""
	}
	for _, kind := range []string{"session", "message", "part"} {
		if rest, ok := strings.CutPrefix(p, kind+"/"); ok {
			return "", kind, rest
		}
		if at := strings.LastIndex(p, "/"+kind+"/"); at >= 0 {
			return p[:at+1], kind, p[at+len(kind)+2:]
		}
	}
	return "", "", ""
}

// A storage is a folder with sessions.
type storage struct {
	paths    []string
	infos    map[string]int   // by the id of the session
	messages map[string][]int // by the id of the session
	parts    map[string][]int // by the id of the message
	flat     []int            // parts of all messages in one folder
	shared   []int            // flat, and parts of messages whose files have other names than their ids
	last     string           // the session that shows the parts of sessions without files
	once     sync.Once
	loose    loose
}

// loose are the parts in files whose paths do not tell the session.
type loose struct {
	byMessage map[string][]jsontext.Value // those in flat, by the id of the message
	lost      map[string][]lostPart       // those without the file of their message, by the id of the session
	problems  []byte                      // lines about files that cannot be used
}

// A lostPart is a part, and the id of its message.
type lostPart struct {
	message string
	part    jsontext.Value
}

// findShared finds the parts whose paths do not tell the session.
func (s *storage) findShared() {
	named := make(map[string]bool)
	for _, messages := range s.messages {
		for _, i := range messages {
			named[sources.Stem(s.paths[i])] = true
		}
	}
	s.shared = slices.Clone(s.flat)
	for message, parts := range s.parts {
		if !named[message] {
			s.shared = append(s.shared, parts...)
		}
	}
	slices.Sort(s.shared)
}

// named reports whether the names of the messages of a session are those of this program. Others may have such folders.
func (s *storage) named(id string) bool {
	for _, i := range s.messages[id] {
		if !strings.HasPrefix(path.Base(s.paths[i]), "msg_") {
			return false
		}
	}
	return true
}

// arePartsOnly reports whether there are only parts, whose sessions and messages are gone.
func (s *storage) arePartsOnly() bool {
	for _, i := range s.shared {
		if !strings.HasPrefix(path.Base(s.paths[i]), "prt_") {
			return false
		}
	}
	return len(s.shared) > 0 && len(s.messages) == 0
}

// readParts writes a session of parts alone.
func (s *storage) readParts(read func(string) ([]byte, error)) ([]byte, error) {
	all := s.together(read)
	var out bytes.Buffer
	writeNameless(&out, path.Base(sources.Dir(s.paths[s.shared[0]])))
	out.Write(all.problems)
	writeLost(&out, all.lost[""])
	return out.Bytes(), nil
}

func (s *storage) join(id string) sources.Joined {
	var j sources.Joined
	if i, ok := s.info(id); ok {
		j.Files = append(j.Files, i)
	}
	j.Files = append(j.Files, s.messages[id]...)
	for _, i := range s.messages[id] {
		j.Files = append(j.Files, s.parts[sources.Stem(s.paths[i])]...)
	}
	j.Shared = s.shared
	j.Read = func(read func(string) ([]byte, error)) ([]byte, error) { return s.read(id, read) }
	return j
}

// info returns the file that describes a session.
func (s *storage) info(id string) (int, bool) {
	i, ok := s.infos[id]
	if !ok {
		i, ok = s.infos["ses_"+id]
	}
	return i, ok
}

// A stored is a message as it was read.
type stored struct {
	id    string
	at    float64
	info  jsontext.Value
	parts []jsontext.Value // those that are in the same file
}

// read writes a session in the form that a session from the database has.
func (s *storage) read(id string, read func(string) ([]byte, error)) ([]byte, error) {
	var out bytes.Buffer
	i, ok := s.info(id)
	if !ok {
		writeNameless(&out, id)
	} else if v, err := s.value(i, read, &out); err != nil {
		return nil, err
	} else if v != nil {
		sources.WriteLine(&out, sources.Make("info", v))
	}
	var messages []stored
	for _, i := range s.messages[id] {
		v, err := s.value(i, read, &out)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		m := stored{id: transcript.String(transcript.Field(v, "id")), info: v}
		if info, parts, ok := first(v); ok {
			m.info, m.parts = info, parts
		}
		m.at = sources.Fraction(transcript.Field(transcript.Field(m.info, "time"), "created"))
		messages = append(messages, m)
	}
	slices.SortStableFunc(messages, func(a, b stored) int { return cmp.Compare(a.at, b.at) })
	all := s.together(read)
	for _, m := range messages {
		parts := append(m.parts, all.byMessage[m.id]...)
		for _, i := range s.parts[m.id] {
			v, err := s.value(i, read, &out)
			if err != nil {
				return nil, err
			}
			if v != nil {
				parts = append(parts, v)
			}
		}
		sources.WriteLine(&out, sources.Make("info", m.info, "parts", sources.MakeList(parts...)))
	}
	known := make(map[string]bool)
	for _, m := range messages {
		known[m.id] = true
	}
	lost := all.lost[strings.TrimPrefix(id, "ses_")]
	if id == s.last {
		out.Write(all.problems)
		lost = slices.Concat(lost, all.lost[""])
	}
	writeLost(&out, slices.DeleteFunc(slices.Clone(lost), func(l lostPart) bool { return known[l.message] }))
	return out.Bytes(), nil
}

// writeNameless writes the description of a session that has none.
func writeNameless(out *bytes.Buffer, id string) {
	sources.WriteLine(out, sources.Make("info", sources.Make("id", id, "directory", jsontext.Value(`""`))))
}

// writeLost writes parts without the file of their message.
func writeLost(out *bytes.Buffer, parts []lostPart) {
	for _, l := range parts {
		sources.WriteLine(out, sources.Make("lost", l.part, "message", l.message))
	}
}

// value returns the object in a file. If there is none, it returns nil and writes a line that says so.
func (s *storage) value(i int, read func(string) ([]byte, error), out *bytes.Buffer) (jsontext.Value, error) {
	data, err := read(s.paths[i])
	switch {
	case errors.Is(err, fs.ErrPermission): // the others have the rest of the session
		sources.WriteLine(out, sources.Make("row", sources.Stem(s.paths[i]), "unread", true))
		return nil, nil
	case err != nil:
		return nil, err
	}
	v := jsontext.Value(bytes.TrimSpace(data))
	if transcript.Kind(v) != '{' || !transcript.Valid(v) {
		sources.WriteLine(out, sources.Make("row", sources.Stem(s.paths[i]), "damaged", true))
		return nil, nil
	}
	return v, nil
}

// together returns the parts whose paths do not tell the session.
func (s *storage) together(read func(string) ([]byte, error)) *loose {
	s.once.Do(func() {
		s.loose = loose{byMessage: make(map[string][]jsontext.Value), lost: make(map[string][]lostPart)}
		messages := make(map[string]bool)
		sessions := make(map[string]bool)
		for session, files := range s.messages {
			sessions[strings.TrimPrefix(session, "ses_")] = true
			for _, i := range files {
				messages[sources.Stem(s.paths[i])] = true
			}
		}
		var problems bytes.Buffer
		for _, i := range s.shared {
			v, err := s.value(i, read, &problems)
			if err != nil || v == nil {
				continue
			}
			message := transcript.String(transcript.Field(v, "messageID"))
			if _, isFlat := slices.BinarySearch(s.flat, i); isFlat {
				s.loose.byMessage[message] = append(s.loose.byMessage[message], v)
			} else if message == "" {
				message = path.Base(sources.Dir(s.paths[i]))
			}
			if messages[message] {
				continue
			}
			session := strings.TrimPrefix(transcript.String(transcript.Field(v, "sessionID")), "ses_")
			if !sessions[session] {
				session = ""
			}
			s.loose.lost[session] = append(s.loose.lost[session], lostPart{message, v})
		}
		s.loose.problems = problems.Bytes()
	})
	return &s.loose
}
