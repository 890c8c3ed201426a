package tools

import (
	"cmp"
	"strings"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/words"
)

// Searches of Gemini CLI and its forks, in files and in the web.
var (
	_ = foreignGrep("grep_search")
	_ = foreignGrep("search_file_content")
	_ = register(Tool{Name: "glob", Icon: "find", Label: "Glob", Action: Search, Describe: describeForeignGlob})
	_ = register(Tool{
		Name: "google_web_search", Icon: "globe", Label: "Web search", Action: Fetch, Describe: describeGoogleSearch,
	})
	_ = register(Tool{
		Name: "web_fetch", Icon: "globe", Label: "Web page", Action: Fetch, Describe: describeFetchPrompt,
	})
)

func foreignGrep(name string) struct{} {
	return register(Tool{Name: name, Icon: "find", Label: "Grep", Action: Search, Describe: describeForeignGrep})
}

func describeForeignGrep(c *Call) error {
	var in struct {
		Pattern, Query, DirPath, Path, SearchPath, IncludePattern, Include, Glob fields.Text
		Includes                                                                 []fields.Text
		MatchPerLine                                                             fields.Ignored
		caption
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	target, dir := string(in.Pattern+in.Query), string(cmp.Or(in.DirPath, in.Path, in.SearchPath))
	parts := words.NonEmpty(c.Short(dir), string(cmp.Or(in.IncludePattern, in.Include, in.Glob)))
	for _, p := range in.Includes {
		parts = append(parts, string(p))
	}
	where := strings.Join(parts, " ")
	c.Description = in.words()
	if where != "" {
		target += " in " + where
	}
	c.target("pattern", target, 200)
	c.Rest = in.Rest
	if !c.answered() {
		return nil
	}
	c.cutOff()
	c.countFound()
	c.read(Section{Text: c.text()})
	return nil
}

// countFound adds the number of hits that a result states.
func (c *Call) countFound() {
	text := strings.TrimSpace(c.text())
	var n int
	first, _, _ := strings.Cut(text, "\n")
	for word := range strings.FieldsSeq(first) {
		if n = 0; word != "" && strings.Trim(word, "0123456789") == "" && len(word) < 8 {
			for _, digit := range word {
				n = n*10 + int(digit-'0')
			}
			break
		}
	}
	switch {
	case strings.HasPrefix(first, "Found ") && strings.Contains(first, "match"):
		c.fact(words.Plural(n, "match", "matches"))
	case strings.HasPrefix(first, "Found ") && strings.Contains(first, "file"):
		c.fact(words.Plural(n, "file", "files"))
	case strings.HasPrefix(first, "No "):
		c.fact("no matches")
	}
}

func describeForeignGlob(c *Call) error {
	var in struct {
		Pattern, DirPath, Path       fields.Text
		GlobPattern, TargetDirectory fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Target, c.Rest = string(cmp.Or(in.Pattern, in.GlobPattern)), in.Rest
	if dir := cmp.Or(in.DirPath, in.Path, in.TargetDirectory); dir != "" {
		c.Target += " in " + c.Short(string(dir))
	}
	if c.answered() {
		c.countFound()
		c.read(Section{Text: c.text()})
	}
	return nil
}

func describeGoogleSearch(c *Call) error {
	var in struct {
		Query, Domain fields.Text
		caption
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	c.Description = in.words()
	c.target("query", string(in.Query), 160)
	c.fact(words.Line(string(in.Domain), 60))
	if c.answered() {
		c.cutOff()
		c.read(Section{Shape: Prose, Text: c.text()})
	}
	return nil
}

// describeFetchPrompt describes a fetch whose addresses are in the question.
func describeFetchPrompt(c *Call) error {
	var in struct {
		Prompt, URL, Query fields.Text
		URLs               []fields.Text
		caption
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Description, c.Rest = in.words(), in.Rest
	address := string(in.URL)
	if address == "" && len(in.URLs) > 0 {
		address = string(in.URLs[0])
	}
	for word := range strings.FieldsSeq(string(in.Prompt)) {
		if word = strings.Trim(word, `"'()[]<>,.`); address == "" && markup.Link(word) != "" &&
			strings.HasPrefix(word, "http") {
			address = word
		}
	}
	c.Address = address
	c.Target = words.Line(words.Domain(address), 160)
	c.given(Section{Shape: Prose, Text: string(cmp.Or(in.Prompt, in.Query))})
	for _, u := range in.URLs[min(1, len(in.URLs)):] {
		c.given(Section{Shape: Links, Links: []Link{{Title: string(u), URL: string(u)}}})
	}
	if address != "" {
		c.given(Section{Shape: Links, Links: []Link{{Title: address, URL: address}}})
	}
	if c.answered() {
		c.read(Section{Shape: Prose, Text: c.text()})
	}
	return nil
}
