package tools

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// A Tool has the properties of a tool that do not depend on a call.
type Tool struct {
	Name     string // in the log; mcp__* and server_tool_use are families
	Icon     string // a symbol of assets/icons.svg
	Label    string // for readers, "" for Name
	Action   Action
	Command  string // the member of the input that is given to a shell, "" for other tools
	Continue string // the member of the input that names a command that still runs, "" for tools that continue none
	Path     string // the member of the input that names a file, "" for the usual ones
	Skill    string // the member of the input that names a skill, "" for tools that run none
	Template string // name of a template in templates/tool, "" for none
	Detail   any    // with a Template: a value of the type that it draws
	Has      string // a member of the input that tools of the same name of other writers do not have

	Approved  bool   // its result is what the user thinks of its input
	PrintsAll bool   // its result is what the command printed, unchanged
	Final     bool   // the model reports by it that its work is done
	LastWords string // with Final: the members of the input that may have the last words of the model

	// Describe completes a call that has the fields above. If it fails, the call is described like one of an unknown
	// tool, so that nothing is lost.
	Describe func(*Call) error

	// Commands returns what the input gives to a shell; nil if Command has the whole of it.
	Commands func(in jsontext.Value) string

	// Script returns the commands that a script in the input gives to shells; nil for tools without scripts.
	Script func(in jsontext.Value) []Given

	// Files returns what a call did to files, from its input and its structured result; nil for tools without files.
	// See FileOps.
	Files func(in, result jsontext.Value) []FileOp
}

var (
	registered = make(map[string]*Tool)
	variants   = make(map[string][]*Tool) // tools with Has, by name
)

// register adds a tool. It is called from package variables in the file of each tool, so that there is no list to edit.
// A duplicate name panics at start. Inlined 176 times, it would add 1 MB to the program.
//
//go:noinline
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

// Names returns the names of all known tools, sorted.
func Names() []string {
	all := maps.Clone(registered)
	for name, same := range variants {
		all[name] = same[0]
	}
	return slices.Sorted(maps.Keys(all))
}

// Of returns the tool of that name, nil if it is unknown.
func Of(name string) *Tool { return toolOf(name, nil) }

// toolOf returns the tool of that name whose Has is a member of the input, otherwise the one without Has.
func toolOf(name string, input jsontext.Value) *Tool {
	same := variants[name]
	first := len(same)
	if first > 0 {
		for member := range transcript.QuotedMembers(input) { // which is read once for all of them
			is := func(t *Tool) bool { return transcript.IsNamed(member, t.Has) }
			if i := slices.IndexFunc(same[:first], is); i >= 0 {
				first = i
			}
			if first == 0 {
				break
			}
		}
	}
	if first < len(same) {
		return same[first]
	}
	if t := registered[name]; t != nil || len(same) == 0 {
		return t
	}
	return same[0]
}
