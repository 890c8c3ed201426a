package tools

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// A Context has what descriptions need of the session. The zero value is for a call by itself.
type Context struct {
	Folder  string                                 // paths below it are shown from there
	Spilled func(file string) ([]byte, bool)       // long outputs in files beside the session
	Run     func(id string) (jsontext.Value, bool) // the record of a finished run of a workflow
	Tasks   Tasks                                  // the lists of tasks after each change
	Ends    Ends                                   // how commands ended that ran on after their results
}

// SpilledFrom returns a function that finds outputs in a map by the names of their files.
func SpilledFrom(files map[string][]byte) func(string) ([]byte, bool) {
	return func(file string) ([]byte, bool) {
		data, ok := files[file]
		return data, ok
	}
}

// Describe describes a call. It never fails: a call of an unknown tool is described by its input.
func Describe(g *normalize.Group, context Context) *Call {
	if g.Call == nil {
		return orphan(g, context)
	}
	if raw, ok := unparsed(g.Call.Block.Input); ok {
		return describeUnparsed(g, context, raw)
	}
	tool := find(g.Call)
	if tool == nil {
		return Unknown(g, context)
	}
	c := newCall(g, context)
	c.Icon, c.Label, c.Action = tool.Icon, tool.Label, tool.Action
	c.Template, c.Detail = tool.Template, tool.Detail
	if err := tool.Describe(c); err != nil {
		c = Unknown(g, context)
		c.Err = err
		return c
	}
	c.complete()
	return c
}

// errUnknown means that an input has nothing by which its tool is described, so that it is shown as it is.
var errUnknown = errors.New("an input without known members")

// DescribeInput describes a call by its input alone.
func DescribeInput(tool string, input jsontext.Value, folder string) *Call {
	block := &transcript.Block{Type: "tool_use", Name: tool, Input: input}
	m := &normalize.Message{Kind: normalize.Call, Name: tool, Record: new(transcript.Record), Block: block}
	return Describe(&normalize.Group{Call: m}, Context{Folder: folder})
}

// find returns the tool of a call, or that of its family.
func find(m *normalize.Message) *Tool {
	t := toolOf(m.Name, m.Block.Input)
	switch {
	case m.Block.Type == "server_tool_use" && strings.Contains(m.Name, "_"): // the API's own: web_search
		return registered["server_tool_use"]
	case t != nil:
	case strings.HasPrefix(m.Name, "mcp__"), m.Block.Type == "mcp_tool_use":
		return registered["mcp__*"]
	case m.Block.Type == "server_tool_use":
		return registered["server_tool_use"]
	}
	return t
}

func newCall(g *normalize.Group, context Context) *Call {
	return &Call{Tool: NameOf(g), group: g, context: context}
}

// NameOf returns the name of a called tool in the log, on one line; "Result" if the log has no call.
func NameOf(g *normalize.Group) string {
	if g.Call == nil {
		return "Result"
	}
	if name := words.Line(g.Call.Name, 60); name != "" {
		return name
	}
	return "Unnamed tool"
}

// complete fills in fields that follow from the others.
func (c *Call) complete() {
	c.Known = true
	if c.Path == "" && len(c.Changes) > 0 && c.Command == "" {
		c.Path = c.Changes[0].Path
	}
	if c.Path != "" && c.Target == "" {
		c.Target = words.Line(c.Short(c.Path), 400)
		if c.Part != "" {
			c.Target += " · " + c.Part
		}
	}
	if c.Description != "" && c.Command == "" && !c.Prose { // rows of commands show it, and targets of agents are it
		c.Content = slices.Insert(c.Content, 0, Section{Shape: Prose, Given: true, Text: c.Description})
	}
}

// input decodes the input of the call, see fields.Decode.
func (c *Call) input(to any) error { return fields.Decode(c.group.Call.Block.Input, to) }

// result decodes the structured result of a call and reports whether there was one. It is often a string, an array or
// missing: a description must work without it.
func (c *Call) result(to any) bool {
	return c.group.Result != nil && fields.Decode(c.structured(), to) == nil
}

// structured returns the structured result of the call, nil if the log has none.
func (c *Call) structured() jsontext.Value {
	if c.group.Result == nil {
		return nil
	}
	return structuredOf(c.group)
}

// failed reports whether the result is an error, for any reason.
func (c *Call) failed() bool { return c.group.Result != nil && c.group.Result.Block.IsError }

// answered reports whether there is a result that is not an error.
func (c *Call) answered() bool { return c.group.Result != nil && !c.failed() }

// Group returns the call with everything that belongs to it.
func (c *Call) Group() *normalize.Group { return c.group }

// Took returns how long the call took, as the tool states it or from the call to its result; 0 if unknown. For a call
// in the background it is the time of its start.
func (c *Call) Took() time.Duration {
	if c.tookSaid > 0 {
		return c.tookSaid
	}
	if start, end, ok := stats.CallTime(c.group); ok {
		return end.Sub(start)
	}
	return 0
}

// Short returns a path as it is shown: relative to the folder of the session if it is in it.
func (c *Call) Short(path string) string { return Short(path, c.context.Folder) }

// Short shortens a path below a folder; "." is the folder itself.
func Short(path, folder string) string {
	if path == folder && path != "" || transcript.IsWindows(folder) && strings.EqualFold(path, folder) {
		return "."
	}
	for _, sep := range []string{"/", `\`} {
		if dir := strings.TrimSuffix(folder, sep); dir != "" {
			if rest, ok := transcript.CutFolder(path, dir+sep, transcript.IsWindows(folder)); ok && rest != "" {
				return rest
			}
		}
	}
	return path
}

// target sets the text on the line of the call; the rest of a long one is added to Cut.
func (c *Call) target(name, s string, n int) {
	c.Target = words.Line(s, n)
	if strings.HasSuffix(c.Target, "…") && !strings.HasSuffix(s, "…") {
		c.Cut = append(c.Cut, Field{Name: name, Value: s, Long: true})
	}
}

// fact adds a remark unless it is empty.
func (c *Call) fact(text string) {
	if text != "" {
		c.Facts = append(c.Facts, Fact{Text: text})
	}
}

// mark adds a remark that is also shown on narrow screens.
func (c *Call) mark(text string, tone Tone) {
	c.Facts = append(c.Facts, Fact{Text: text, Tone: tone, Main: true})
}

// given adds a section of the input, read a section of the result. Empty texts are left out.
func (c *Call) given(s Section) {
	s.Given = true
	c.Content = append(c.Content, s)
}

func (c *Call) read(s Section) { c.Content = append(c.Content, s) }

// lasted sets how long the call took, in milliseconds.
func (c *Call) lasted(ms float64) { c.tookSaid = words.Millis(ms) }
