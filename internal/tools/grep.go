package tools

import (
	"strings"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/words"
)

var (
	_ = register(Tool{Name: "Grep", Icon: "find", Action: Search, Describe: describeGrep})
	_ = register(Tool{Name: "rg", Icon: "find", Label: "Grep", Action: Search, Describe: describeGrep})
)

func describeGrep(c *Call) error {
	var in struct {
		Pattern, Path, Paths, Glob, Type fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	target := string(in.Pattern)
	where := words.NonEmpty(c.Short(string(in.Path+in.Paths)), string(in.Glob), string(in.Type))
	if len(where) > 0 {
		target += " in " + strings.Join(where, " ")
	}
	c.target("pattern", target, 200)
	c.Rest = in.Rest
	if c.failed() {
		return nil
	}
	var res struct {
		Mode               fields.Text
		Filenames          []fields.Text
		NumFiles, NumLines fields.Number
		NumMatches         fields.Number
		Content            fields.Text
		AppliedLimit       fields.Number
	}
	if !c.result(&res) {
		c.read(Section{Text: c.text()})
		return nil
	}
	switch {
	case res.Content != "":
		c.read(Section{Text: string(res.Content)})
		if res.NumMatches > 0 {
			c.fact(words.Plural(int(res.NumMatches), "match", "matches"))
		} else if shown := trimmed(string(res.Content)); shown != "" {
			c.fact(words.Plural(markup.Lines(shown), "line", "lines"))
		}
		if res.NumFiles > 0 {
			c.fact(words.Plural(int(res.NumFiles), "file", "files"))
		}
	case len(res.Filenames) > 0:
		c.files(res.Filenames)
		c.fact(words.Plural(len(res.Filenames), "file", "files"))
	default:
		c.found(c.text())
		c.fact("no matches")
	}
	if res.AppliedLimit > 0 {
		c.fact("first " + words.Count(int(res.AppliedLimit)))
	}
	return nil
}
