package tools

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// A Tool has the properties of a tool that do not depend on a call.
type Tool struct {
	Name     string // in the log; mcp__* and server_tool_use stand for families
	Icon     string // a symbol of assets/icons.svg
	Label    string // for readers, "" for Name
	Action   Action
	Command  string // the member of the input that is given to a shell, "" for tools that are no shells
	Path     string // the member of the input that names a file, "" for the usual ones
	Skill    string // the member of the input that names a skill, "" for tools that run none
	Template string // of a drawing of its own below templates/tool, "" for none
	Detail   any    // with a Template: a value of the type that it draws
	Has      string // the member of the input that tells it from a tool of another writer that has the same name

	// Describe completes a call that has the fields above. When it fails, the call is described as that of an unknown
	// tool, so that nothing of it is lost.
	Describe func(*Call) error

	// Files returns what a call did to files, from its input and its structured result; nil for tools without files.
	// See FileOps.
	Files func(in, result jsontext.Value) []FileOp
}

var (
	registered = make(map[string]*Tool)
	variants   = make(map[string][]*Tool) // those that have a member of the input of their own
)

// register adds a tool. It is called from package variables, one in the file of each tool, so that a new tool edits no
// list; a name taken twice panics at start.
func register(t Tool) struct{} {
	if t.Has != "" {
		variants[t.Name] = append(variants[t.Name], &t)
		return struct{}{}
	}
	if registered[t.Name] != nil {
		panic("tools: two descriptions of " + t.Name)
	}
	registered[t.Name] = &t
	return struct{}{}
}

// Names are those of all known tools, sorted.
func Names() []string {
	all := maps.Clone(registered)
	for name, same := range variants {
		all[name] = same[0]
	}
	return slices.Sorted(maps.Keys(all))
}

// Of is the tool of that name, nil when it is not known.
func Of(name string) *Tool { return toolOf(name, nil) }

// toolOf is the tool of that name which has such an input, else the one that is known by its name alone.
func toolOf(name string, input jsontext.Value) *Tool {
	same := variants[name]
	for _, t := range same {
		if transcript.Field(input, t.Has) != nil {
			return t
		}
	}
	if t := registered[name]; t != nil || len(same) == 0 {
		return t
	}
	return same[0]
}
