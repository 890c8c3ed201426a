package tools

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/words"
)

// Edits of Cline and Roo Code that are written as blocks of a text to search and its replacement. Those of Aider are
// parsed in package aider. They are parts of the text of an answer, after which the model says nothing.
var (
	_ = register(Tool{
		Name: "SEARCH/REPLACE", Icon: "edit", Label: "Edit", Action: Edit, Final: true,
		Describe: describeReplace, Files: replaceFiles,
	})
	_ = register(Tool{
		Name: "replace_in_file", Icon: "edit", Label: "Edit", Action: Edit,
		Describe: describeReplaceBlocks, Files: replaceBlocksFiles,
	})
	_ = register(Tool{
		Name: "apply_diff", Icon: "edit", Label: "Edit", Action: Edit,
		Describe: describeReplaceBlocks, Files: replaceBlocksFiles,
	})
)

func describeReplaceBlocks(c *Call) error {
	var in struct {
		Path, Diff fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	if overlong(string(in.Diff)) {
		return fields.ErrCrowded
	}
	c.Path, c.Rest = string(in.Path), in.Rest
	all := replaceBlocks(string(in.Diff))
	if len(all) == 0 {
		c.given(Section{Shape: Text, Text: string(in.Diff)})
		c.anyOutput()
		return nil
	}
	ch := Change{Path: c.Path}
	for _, r := range all {
		ch.Hunks = append(ch.Hunks, markup.Edits(r.Old, r.New)...)
	}
	c.changed(ch)
	c.given(Section{Shape: Diff, Hunks: ch.Hunks, Lang: c.Path})
	if n := len(all); n > 1 {
		c.fact(words.Plural(n, "edit", "edits"))
	}
	return nil
}

func replaceBlocksFiles(input, _ jsontext.Value) []FileOp {
	path, _ := stringMember(input, "path")
	return oneFile(ChangeFile, path, func() FileTexts {
		diff, _ := stringMember(input, "diff")
		return FileTexts{Edits: replaceBlocks(diff)}
	})
}

// replaceBlocks reads blocks like
//
//	<<<<<<< SEARCH        or ------- SEARCH, and lines ":start_line:12" and "-------" of Roo Code
//	old
//	=======
//	new
//	>>>>>>> REPLACE       or +++++++ REPLACE
func replaceBlocks(text string) []Replacement {
	var all []Replacement
	var before, after []string
	const outside, old, fresh = 0, 1, 2
	part := outside
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		mark := strings.TrimRight(line, " ")
		switch {
		case mark == "<<<<<<< SEARCH", mark == "------- SEARCH", mark == "<<<<<<< SEARCH>":
			part, before, after = old, nil, nil
		case part == old && mark == "=======":
			part = fresh
		case part == fresh && (mark == ">>>>>>> REPLACE" || mark == "+++++++ REPLACE"):
			all = append(all, Replacement{Old: strings.Join(before, "\n"), New: strings.Join(after, "\n")})
			part = outside
		case part == old && len(before) == 0 && (strings.HasPrefix(line, ":start_line:") || mark == "-------"):
		case part == old:
			before = append(before, line)
		case part == fresh:
			after = append(after, line)
		}
	}
	return all
}
