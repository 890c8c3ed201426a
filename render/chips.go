package render

import (
	"strings"

	"viewer/internal/markup"
	"viewer/normalize"
)

// A chip is an attachment of a prompt.
type chip struct {
	Icon   string
	Kind   string // in words, for screen readers
	Label  string
	Code   bool
	Href   string
	Detail *output
}

var chipIcons = map[normalize.ContextKind]string{
	normalize.ContextFile:        "file",
	normalize.ContextWeb:         "globe",
	normalize.ContextFolder:      "folder",
	normalize.ContextSymbol:      "symbol",
	normalize.ContextTerminal:    "term",
	normalize.ContextProblems:    "warn",
	normalize.ContextGit:         "git",
	normalize.ContextSelection:   "select",
	normalize.ContextWorkspace:   "home",
	normalize.ContextMemory:      "memory",
	normalize.ContextSkill:       "skill",
	normalize.ContextImage:       "image",
	normalize.ContextDiagnostics: "warn",
	normalize.ContextAgent:       "agent",
	normalize.ContextReminder:    "message",
	normalize.ContextBlocked:     "stop",
	normalize.ContextOther:       "question",
}

func (p *pageState) chips(contexts []normalize.Context) []chip {
	var all []chip
	for _, c := range contexts {
		ch := chip{Icon: chipIcons[c.Kind], Kind: c.Kind.String(), Label: p.path(c.Label)}
		if c.Name != "" { // it has no name in words
			ch.Kind, ch.Label = oneLine(c.Name, 60), strings.TrimSpace(c.Name+" "+ch.Label)
		}
		switch c.Kind {
		case normalize.ContextFile, normalize.ContextFolder, normalize.ContextSymbol, normalize.ContextSelection:
			ch.Code = true
		case normalize.ContextWeb:
			ch.Href = markup.Link(c.Label)
			ch.Label = domain(c.Label)
		}
		if len(c.Detail) <= 80 && !strings.Contains(c.Detail, "\n") {
			if c.Detail != "" && !strings.HasSuffix(c.Detail, c.Label) {
				ch.Label += " " + c.Detail
			}
		} else {
			ch.Detail = p.plain(c.Detail)
		}
		ch.Label = oneLine(ch.Label, 160)
		all = append(all, ch)
	}
	return all
}
