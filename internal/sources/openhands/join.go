package openhands

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// stateFile is the file with the state of a conversation. Its events are in files in the folder events beside it.
const stateFile = "base_state.json"

// Join finds conversations by their files: ID/base_state.json and ID/events/event-00000-EVENT.json.
func (Source) Join(paths []string) []sources.Joined {
	events := make(map[string][]int) // by the folder of the conversation
	for i, p := range paths {
		dir, name := path.Split(p)
		above, folder := path.Split(strings.TrimSuffix(dir, "/"))
		if folder == "events" && strings.HasPrefix(name, "event-") && path.Ext(name) == ".json" {
			events[above] = append(events[above], i)
		}
	}
	var all []sources.Joined
	for i, p := range paths {
		dir, name := path.Split(p)
		if name != stateFile {
			continue
		}
		files := events[dir]
		slices.SortStableFunc(files, func(a, b int) int { return byNumber(paths[a], paths[b]) })
		all = append(all, sources.Joined{
			Files: append([]int{i}, files...),
			Read: func(read func(string) ([]byte, error)) ([]byte, error) {
				out := new(bytes.Buffer)
				state, err := read(p)
				if err != nil {
					return nil, err
				}
				sources.WriteLine(out, headOf(path.Base(strings.TrimSuffix(dir, "/")), state))
				for _, n := range files {
					event, err := read(paths[n])
					switch {
					case errors.Is(err, fs.ErrNotExist): // removed meanwhile
					case err != nil:
						return nil, err
					case !transcript.Valid(bytes.TrimSpace(event)):
						sources.WriteLine(out, sources.Make("kind", "DamagedEvent", "source", path.Base(paths[n]),
							"text", string(event)))
					default:
						sources.WriteLine(out, bytes.TrimSpace(event))
					}
				}
				return out.Bytes(), nil
			},
		})
	}
	return all
}

// byNumber compares events by their number, which has five digits or more.
func byNumber(a, b string) int {
	if len(numberOf(a)) != len(numberOf(b)) {
		return len(numberOf(a)) - len(numberOf(b))
	}
	return strings.Compare(a, b)
}

func numberOf(p string) string {
	number, _, _ := strings.Cut(strings.TrimPrefix(path.Base(p), "event-"), "-")
	return strings.TrimLeft(number, "0")
}

// headOf returns what is read of the state of a conversation. The rest has settings and secrets.
func headOf(id string, state []byte) jsontext.Value {
	v := jsontext.Value(bytes.TrimSpace(state))
	if !transcript.Valid(v) {
		return sources.Make(headMember, id, "damaged", true)
	}
	var o, agent sources.Object
	o.Read(v)
	agent.Read(o.Get("agent"))
	return sources.Make(headMember, id, "folder", transcript.Field(o.Get("workspace"), "working_dir"),
		"model", transcript.Field(agent.Get("llm"), "model"), "agent", agent.Get("kind"),
		"status", o.Get("execution_status"), "confirmation", transcript.Field(o.Get("confirmation_policy"), "kind"),
		"usage", transcript.Field(o.Get("stats"), "usage_to_metrics"))
}
