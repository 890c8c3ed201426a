package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/sources"
	"viewer/internal/sources/all"
	"viewer/internal/testing/golden"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestOddInput: an input that a tool cannot have is described as it is.
func TestOddInput(t *testing.T) {
	crowded := `{"odd":[` + strings.Repeat("1,", fields.Most) + `1]}`
	for _, name := range tools.Names() {
		for _, input := range []string{`["odd"]`, `"odd"`, `{"other":"odd"}`, crowded, `{"input":["odd"]}`,
			`{"commands":[["odd"]]}`, `{"files":[["odd"]]}`, `{"queries":[["odd"]]}`, `{"requests":["odd"]}`} {
			c := tools.DescribeInput(name, jsontext.Value(input), "/w")
			if c.Err == nil && !strings.Contains(fmt.Sprintf("%+v", c), "odd") {
				t.Errorf("%s: the description of %.20s lacks it", name, input)
			}
		}
	}
}

// TestMoreInput: members of an input that a tool does not have yet are described, too.
func TestMoreInput(t *testing.T) {
	for name, data := range golden.Sections(t, "../../render/testdata/tool/*.txtar", "in.jsonl") {
		f := all.Sources.Read("in.jsonl", data, transcript.Options{})
		c := normalize.Build(normalize.Input{ID: "s", Main: &f})
		for g := range c.Groups() {
			if g.Call == nil || transcript.Kind(g.Call.Block.Input) != '{' {
				continue
			}
			members := []any{"seldom", "an odd value"}
			for name, v := range transcript.Members(g.Call.Block.Input) {
				members = append(members, name, v)
			}
			g.Call.Block.Input = sources.Make(members...)
			if d := tools.Describe(g, tools.Context{}); !strings.Contains(fmt.Sprintf("%+v", d), "an odd value") {
				t.Errorf("%s: the description of %s %.200s lacks a member", name, g.Call.Name, g.Call.Block.Input)
			}
		}
	}
}
