// Package dunlin reads the sessions of Dunlin, an invented agent. Each of its files is one JSON document, which it
// rewrites at each change. They have no ids, no times and no results. The package never opens a file.
package dunlin

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source is Dunlin as a writer of sessions.
type Source struct{ sources.Defaults }

// Writer returns what logs of Dunlin lack.
func (Source) Writer() transcript.Writer {
	return transcript.Writer{Name: "Dunlin", NotSent: true, NoResults: true}
}

// Match matches files that begin with an object like {"dunlin":1,"dir":"/w","log":[]}.
func (Source) Match(head sources.Head) bool {
	return head.First() == "dunlin"
}

// FolderOf returns the "dir" of the document.
func (Source) FolderOf(head []byte) string { return sources.FirstString(head, "dir") }

// Folders are below $DUNLIN_HOME, else below .dunlin of the home folder.
func (Source) Folders(getenv func(string) string, home string) []string {
	if dir := getenv("DUNLIN_HOME"); dir != "" {
		return []string{dir + "/walks"}
	}
	if home == "" {
		return nil
	}
	return []string{home + "/.dunlin/walks"}
}

// NewTranslator returns a translator without state, because a file is one value.
func (Source) NewTranslator() sources.Translator { return translator{} }

type translator struct{}

// entry is what an element of the log may have.
type entry struct {
	Ask, Say, Sealed, Thought, Do fields.Text
	With                          jsontext.Value
}

func (translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	dir := transcript.String(transcript.Field(v, "dir"))
	var all []transcript.Record
	for part := range transcript.Elements(transcript.Field(v, "log")) {
		r := transcript.Record{Pos: sources.PlaceIn(pos, v, part), Raw: part, CWD: dir}
		var in entry
		if fields.Decode(part, &in) != nil {
			r.Type = "dunlin" // shown as it is
			all = append(all, r)
			continue
		}
		b := transcript.Block{Raw: part, Type: "text", Text: string(in.Ask + in.Say)}
		switch {
		case in.Do != "":
			b = transcript.Block{Raw: part, Type: "tool_use", Name: string(in.Do), Input: in.With}
		case in.Sealed != "":
			b = transcript.Block{Raw: part, Type: transcript.EncryptedBlock, Encrypted: int64(len(in.Sealed))}
		case in.Thought != "":
			b = transcript.Block{Raw: part, Type: "thinking", Encrypted: int64(len(in.Thought))}
		}
		r.Type = "assistant"
		if in.Ask != "" {
			r.Type = "user"
		}
		r.Message = &transcript.Message{Role: r.Type, Content: []transcript.Block{b}}
		all = append(all, r)
	}
	return all, nil
}
