package tools

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// UnknownIcon is the icon of calls of unknown tools.
const UnknownIcon = "gear"

// Unknown describes a call of an unknown tool: the input as JSON, the result as text.
func Unknown(g *normalize.Group, context Context) *Call {
	c := newCall(g, context)
	c.Icon = UnknownIcon
	c.asItIs("")
	c.Target = firstShort(g.Call.Block.Input)
	return c
}

// asItIs shows input and result unchanged. told is the member of the input that is the target.
func (c *Call) asItIs(told string) {
	c.Generic = true
	c.given(Section{Shape: Members, JSON: c.group.Call.Block.Input, Told: told})
	c.anyOutput()
}

func (c *Call) anyOutput() {
	if !c.failed() {
		c.read(Section{Shape: Any, Text: c.text()})
	}
}

func orphan(g *normalize.Group, context Context) *Call {
	c := newCall(g, context)
	c.Icon, c.Generic, c.Known = UnknownIcon, true, true
	c.anyOutput()
	return c
}

// Limits of the search for a target: the number of members, and the length of their names in bytes.
const (
	maxMembers = 200
	longName   = 200
	longValue  = 80
)

// firstShort returns the first member of an input that fits on a line.
func firstShort(input jsontext.Value) string {
	n := 0
	for quoted, value := range transcript.QuotedMembers(input) {
		if transcript.Kind(value) == 'n' || len(quoted) > longName {
			continue
		}
		if n++; n > maxMembers {
			break
		}
		if s := memberText(value); s != "" && len(s) <= longValue && !strings.Contains(s, "\n") {
			return words.Line(s, 120)
		}
	}
	return ""
}

func memberText(v jsontext.Value) string {
	if k := transcript.Kind(v); k == '{' || k == '[' {
		return transcript.Pretty(v)
	}
	return transcript.TextOf(v)
}

// unparsed returns the input of a call that was not JSON, as the program logs it since 2.1.209.
func unparsed(input jsontext.Value) (raw jsontext.Value, ok bool) {
	for name, value := range transcript.Members(input) {
		if name != "__unparsedToolInput" {
			return nil, false
		}
		raw, ok = value, true
	}
	return raw, ok
}

// describeUnparsed describes a call by its unparsed input, whatever its tool.
func describeUnparsed(g *normalize.Group, context Context, noted jsontext.Value) *Call {
	var in struct {
		Raw fields.Text
		Len fields.Number
		fields.Extra
	}
	if fields.Decode(noted, &in) != nil {
		in.Raw = fields.Text(transcript.TextOf(noted))
	}
	c := newCall(g, context)
	c.Icon, c.Target, c.Prose, c.Known, c.Rest = UnknownIcon, "input that is not JSON", true, true, in.Rest
	c.given(Section{Shape: Fields, List: []Field{{Name: "input", Value: string(in.Raw), Long: true}}})
	if n := int(in.Len); n > len(in.Raw) {
		c.fact(words.Count(n) + " characters, cut by the log")
	}
	c.anyOutput()
	return c
}

// Without returns an object without the members of these names, nil if nothing is left.
func Without(object jsontext.Value, names ...string) jsontext.Value {
	out := []byte{'{'}
	for quoted, value := range transcript.QuotedMembers(object) {
		if slices.Contains(names, transcript.String(quoted)) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quoted...), ':'), value...)
	}
	switch {
	case len(out) > 1:
		return append(out, '}')
	case transcript.Kind(object) == '{' || transcript.Kind(object) == 'n':
		return nil
	}
	return object
}
