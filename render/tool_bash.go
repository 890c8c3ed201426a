package render

import (
	"viewer/internal/markup"
	"viewer/internal/tools"
)

var _ = register(toolTemplates, "bash", "bash", viewBash)

type bash struct {
	Description string
	Command     *output
	Output      *output
	Stderr      *output
	Note        string // remark of the program about the exit code
	PR, PRHref  string // the pull request that it made
}

func viewBash(c call) (bash, error) {
	b, err := detail[tools.Bash](c)
	if err != nil {
		return bash{}, err
	}
	said := oneLine(c.Description, 2*purposeLength)
	if said == oneLine(c.Description, purposeLength) { // the row shows all of it
		said = ""
	}
	return bash{
		Description: said, Command: c.d.plain(c.Command),
		Stderr: c.d.terminal(b.Stderr), Output: c.d.terminal(b.Stdout),
		Note: b.Note, PR: b.PullRequest, PRHref: markup.Link(b.Address),
	}, nil
}
