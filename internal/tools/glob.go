package tools

import (
	"cmp"
	"strings"

	"viewer/internal/fields"
	"viewer/internal/words"
)

var _ = register(Tool{Name: "Glob", Icon: "find", Action: Search, Describe: describeGlob})

func describeGlob(c *Call) error {
	var in struct {
		Pattern, Path                fields.Text
		GlobPattern, TargetDirectory fields.Text // of Cursor
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Target, c.Rest = string(cmp.Or(in.Pattern, in.GlobPattern)), in.Rest
	if dir := cmp.Or(in.Path, in.TargetDirectory); dir != "" {
		c.Target += " in " + c.Short(string(dir))
	}
	var res struct {
		Filenames []fields.Text
		Truncated fields.Bool
	}
	switch {
	case c.failed():
	case !c.result(&res):
		c.read(Section{Text: c.text()})
	case len(res.Filenames) == 0:
		c.found(c.text())
		c.fact("no files")
	default:
		c.files(res.Filenames)
		c.fact(words.Plural(len(res.Filenames), "file", "files"))
		if bool(res.Truncated) {
			c.fact("cut off")
		}
	}
	return nil
}

// found adds what a search without results says beyond "No matches found".
func (c *Call) found(s string) {
	if s = strings.TrimSpace(s); !strings.HasPrefix(s, "No ") || strings.Contains(s, "\n") {
		c.read(Section{Text: s})
	}
}

// files lists paths, one a line.
func (c *Call) files(names []fields.Text) {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = c.Short(string(n))
	}
	c.read(Section{Text: strings.Join(all, "\n")})
}
