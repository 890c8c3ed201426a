package listing

import (
	"viewer/internal/export"
	"viewer/internal/sitegen"
)

// A listed is a session in the output of list --json.
type listed struct {
	ID      string        `json:"id"`
	Title   string        `json:"title"`
	Project string        `json:"project"`
	Agent   string        `json:"agent"`
	CWD     string        `json:"cwd,omitempty"`
	File    string        `json:"file"`
	Branch  string        `json:"branch,omitempty"`
	Start   string        `json:"start,omitempty"`
	End     string        `json:"end,omitempty"`
	Seconds float64       `json:"seconds"`
	Models  []string      `json:"models"`
	Prompts int           `json:"prompts"`
	Calls   int           `json:"calls"`
	Failed  int           `json:"failed"`
	Agents  int           `json:"agents"`
	Tokens  export.Tokens `json:"tokens"`
	export.Spent
	export.Net
}

// JSON returns a list of sessions for programs.
func JSON(sessions []sitegen.Listed) any {
	all := make([]listed, 0, len(sessions))
	for _, s := range sessions {
		t := s.Totals
		all = append(all, listed{
			s.ID, s.Title, s.Project, s.Agent, s.CWD, s.File, s.Branch, export.Stamp(s.Start), export.Stamp(s.End),
			t.Time.Seconds(), append([]string{}, s.Models...),
			t.Prompts, t.Tools, t.Failed, t.Agents, export.TokensOf(t.Usage), export.SpentOn(t), s.Net,
		})
	}
	return all
}
