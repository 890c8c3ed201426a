package render

import "strings"

var _ = register(tools, "Grep", "text", viewGrep)

type grep struct {
	row
	Output *output
}

type grepInput struct {
	Pattern, Path, Glob, Type text
	extra
}

func viewGrep(c call) (grep, error) {
	var in grepInput
	if err := c.input(&in); err != nil {
		return grep{}, err
	}
	v := grep{row: row{Icon: "find", Target: string(in.Pattern)}}
	where := strings.Join(nonEmpty(c.d.path(string(in.Path)), string(in.Glob), string(in.Type)), " ")
	if where != "" {
		v.Target += " in " + where
	}
	v.More = c.d.fields(in.Rest)
	c.about(&v.row, "pattern", v.Target, 200)
	if c.failed() {
		return v, nil
	}
	var res struct {
		Mode               text
		Filenames          []text
		NumFiles, NumLines number
		NumMatches         number
		Content            text
		AppliedLimit       number
	}
	if !c.result(&res) {
		v.Output = c.d.plain(c.text())
		return v, nil
	}
	switch {
	case res.Content != "":
		v.Output = c.d.plain(string(res.Content))
		if res.NumMatches > 0 {
			v.Facts = facts(plural(int(res.NumMatches), "match", "matches"))
		} else if v.Output != nil {
			v.Facts = facts(plural(v.Output.Lines, "line", "lines"))
		}
		if res.NumFiles > 0 {
			v.Facts = append(v.Facts, fact{Text: plural(int(res.NumFiles), "file", "files")})
		}
	case len(res.Filenames) > 0:
		v.Output = c.d.files(res.Filenames)
		v.Facts = facts(plural(len(res.Filenames), "file", "files"))
	default:
		v.Output, v.Facts = c.d.found(c.text()), facts("no matches")
	}
	if res.AppliedLimit > 0 {
		v.Facts = append(v.Facts, fact{Text: "first " + count(int(res.AppliedLimit))})
	}
	return v, nil
}

// found draws what a search without results says beyond "No matches found".
func (p *pageState) found(s string) *output {
	if s = strings.TrimSpace(s); strings.HasPrefix(s, "No ") && !strings.Contains(s, "\n") {
		return nil
	}
	return p.plain(s)
}

// files draws a list of paths, one a line.
func (p *pageState) files(names []text) *output {
	var all []string
	for _, n := range names {
		all = append(all, p.path(string(n)))
	}
	return p.plain(strings.Join(all, "\n"))
}
