package gemini

import (
	"bytes"
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// What /chat save and /chat share write is the history as the API has it: {"history":[{"role","parts"}]}, or only the
// list.

// savedName begins the names of the files of /chat save. They are beside the folder "chats".
const savedName = "checkpoint-"

// arrangeSaved returns the saved histories of projects without sessions, given the folders "chats" that have some.
// Others are copies of what is in sessions.
func (s Source) arrangeSaved(tree *sources.Tree, chats map[string]int, roots projectRoots) (folders []sources.Folder) {
	for i, p := range tree.Paths {
		dir, base := path.Split(p)
		if !strings.HasPrefix(base, savedName) || path.Ext(base) != ".json" || tree.Only != "" || tree.Taken(i) ||
			!tree.Matches(s, p) {
			continue
		}
		beside := path.Join(dir, "chats")
		if _, ok := chats[beside]; ok {
			tree.Leave(i)
			continue
		}
		session := sources.Session{ID: sources.Stem(p), Log: i, Path: p, Folder: roots.of(path.Dir(p), nil)}
		folders = append(folders, sources.Folder{
			Name: projectOf(tree, beside, nil), OfPath: true, Sessions: []sources.Session{session},
		})
	}
	return folders
}

// isSaved reports whether a file begins with such a history.
func isSaved(head sources.Head) bool {
	data := head.Trimmed()
	if !bytes.HasPrefix(data, []byte("[")) {
		for name := range head.Members() {
			if name != "history" && name != "authType" {
				return false
			}
		}
		at := bytes.Index(data, []byte(`"history"`))
		if at < 0 {
			return false
		}
		data = bytes.TrimLeft(data[at+len(`"history"`):], ": \t\r\n")
	}
	var role, parts bool
	for name, v := range sources.HeadMembers(data) {
		switch name {
		case "role":
			s := transcript.String(v)
			role = s == "user" || s == "model"
		case "parts":
			parts = true
		default:
			return false
		}
	}
	return parts && (role || len(head.Data) >= sources.HeadSize)
}

// content translates a message of a saved history. Its calls and results may have no ids.
func (t *translator) content(v jsontext.Value) {
	t.Value = v
	var o sources.Object
	o.Read(v)
	t.now = new(message)
	before := t.Added()
	if o.Text("role") == "model" {
		t.modelContent(o.Get("parts"))
	} else {
		t.prompt(&o, o.Get("parts"))
	}
	if t.Added() == before {
		t.Hide("message", empty)
	}
}

func (t *translator) modelContent(list jsontext.Value) {
	var blocks []transcript.Block
	for v := range parts(list) {
		if inner := transcript.Field(v, "functionCall"); inner != nil {
			var o sources.Object
			o.Read(inner)
			id, name := cmp.Or(o.Text("id"), "call "+strconv.Itoa(len(t.made)+1)), o.Text("name")
			t.made[id] = new(call)
			if t.open == nil {
				t.open = make(map[string][]string)
			}
			t.open[name] = append(t.open[name], id)
			blocks = append(blocks, transcript.Block{
				Type: "tool_use", Raw: v, ID: id, Name: name,
				Input: transcript.Or(o.Get("args"), jsontext.Value("{}")),
			})
			continue
		}
		b, ok := part(v, v)
		if ok && string(transcript.Field(v, "thought")) == "true" {
			b.Type = "thinking"
		}
		if ok && (b.Type != "text" || b.Text != "") {
			blocks = append(blocks, b)
		}
	}
	if len(blocks) == 1 && blocks[0].Text == "Got it. Thanks for the context!" { // the program wrote it
		t.Hide("message", bookkeeping)
		return
	}
	if len(blocks) > 0 {
		t.Answer(blocks...)
	}
}

// idOf returns the id of the call of a result: the first open call of that tool, if the result has none.
func (t *translator) idOf(result jsontext.Value) string {
	id, name := transcript.String(transcript.Field(result, "id")), transcript.String(transcript.Field(result, "name"))
	if id != "" {
		return id
	}
	open := t.open[name]
	for len(open) > 0 && t.made[open[0]].answered {
		open = open[1:]
		t.open[name] = open
	}
	if len(open) == 0 {
		return ""
	}
	return open[0]
}
