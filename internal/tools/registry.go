package tools

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// A Tool is what is known of a tool before a call is read.
type Tool struct {
	Name     string // in the log; mcp__* and server_tool_use stand for families
	Icon     string // a symbol of assets/icons.svg
	Label    string // for readers, "" for Name
	Action   Action
	Command  string // the member of the input that is given to a shell, "" for tools that are no shells
	Path     string // the member of the input that names a file, "" for the usual ones
	Template string // of a drawing of its own below templates/tool, "" for none
	Detail   any    // with a Template: a value of the type that it draws

	// Describe completes a call that has the fields above. When it fails, the call is described as that of an unknown
	// tool, so that nothing of it is lost.
	Describe func(*Call) error

	// Files says what a call did to files, by its input and its structured result; nil for tools that touch none. See
	// FileOps.
	Files func(in, result jsontext.Value) []FileOp
}

var registered = make(map[string]*Tool)

// register makes a tool known. It is called from package variables, one in the file of each tool, so that a new tool
// edits no list; a name taken twice panics at start.
func register(t Tool) struct{} {
	if registered[t.Name] != nil {
		panic("tools: two descriptions of " + t.Name)
	}
	registered[t.Name] = &t
	return struct{}{}
}

// Names are those of all known tools, sorted.
func Names() []string { return slices.Sorted(maps.Keys(registered)) }

// Of is the tool of that name, nil when it is not known.
func Of(name string) *Tool { return registered[name] }
