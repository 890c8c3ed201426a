package normalize

import (
	"strings"
	"time"

	"viewer/transcript"
)

// Facts are what the records say about the session as a whole. Of records that
// are written again and again the last one wins (format, section 3).
type Facts struct {
	SessionID string
	CWD       string   // the first; it can change within a session
	Branches  []string // in order of appearance
	Models    []string
	Versions  []string
	TeamName  string
	AgentName string // of the team member that the session belongs to

	Start, End time.Time

	CustomTitle, AITitle, NamedTitle string
	LeafTitle                        string // the summary that names a record of this session
	FirstPrompt                      string

	PullRequests []string // addresses, in order of appearance

	// Streamed says that the log is what a run printed, or the execution file of
	// the CI action: it has a start and an end of its own, and may lack the prompts.
	Streamed bool
}

// Title is the best name that the session has (design, section 5.12).
func (f *Facts) Title() string {
	for _, t := range []string{f.CustomTitle, f.AITitle, f.NamedTitle, f.LeafTitle} {
		if t = unquoted(strings.TrimSpace(t)); t != "" {
			return t
		}
	}
	return headline(strings.TrimSpace(f.FirstPrompt))
}

// headline is the heading that a prompt begins with, or all of a prompt.
func headline(prompt string) string {
	first, _, _ := strings.Cut(prompt, "\n")
	if words := strings.TrimLeft(first, "#"); words != first && len(words) > 10 && words[0] == ' ' {
		return first
	}
	return prompt
}

// unquoted takes off the quotes around a whole title, which models like to add.
func unquoted(title string) string {
	for _, q := range []struct{ open, close string }{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"`", "`"}} {
		inner, opened := strings.CutPrefix(title, q.open)
		inner, closed := strings.CutSuffix(inner, q.close)
		if opened && closed && !strings.Contains(inner, q.open) && !strings.Contains(inner, q.close) {
			return strings.TrimSpace(inner)
		}
	}
	return title
}

// renamed is what /rename prints.
const renamed = "Session renamed to: "

// A gathering collects the facts of one file. summaries gives titles by the uuid of
// the leaf that they describe, from all files of the project: most name a
// session other than the one they stand in. A record that is shared with another
// session, which draws it, stands for that one's title.
type gathering struct {
	summaries map[string]string
	shared    map[string]bool

	facts                                Facts
	branches, versions, models, requests distinct
	last                                 *transcript.Record
}

// add takes the messages of some more records, and gives the facts of all so far.
func (g *gathering) add(messages []*Message) Facts {
	f := &g.facts
	for _, m := range messages {
		r := m.Record
		if f.FirstPrompt == "" && m.Kind == Prompt && m.Rule == "" && strings.TrimSpace(m.Text) != "" {
			f.FirstPrompt = m.Text
		}
		if r == g.last {
			continue
		}
		g.last = r
		if m.Kind == Output && strings.HasPrefix(m.Text, renamed) {
			f.CustomTitle, _, _ = strings.Cut(m.Text[len(renamed):], "\n")
		}
		first(&f.SessionID, r.SessionID)
		first(&f.CWD, r.CWD)
		first(&f.TeamName, r.TeamName)
		if r.Type != "agent-name" {
			first(&f.AgentName, r.AgentName)
		}
		if r.GitBranch != "HEAD" {
			g.branches.add(r.GitBranch)
		}
		if r.UUID != "" {
			g.versions.add(r.Version)
			if title, ok := g.summaries[r.UUID]; ok && !g.shared[r.UUID] {
				f.LeafTitle = title
			}
		}
		if r.Message != nil && r.Type == "assistant" && !strings.HasPrefix(r.Message.Model, "<") {
			g.models.add(r.Message.Model)
		}
		switch r.Type {
		case "system":
			f.Streamed = f.Streamed || r.Subtype == "init"
		case "custom-title":
			f.CustomTitle = transcript.String(transcript.Field(r.Raw, "customTitle"))
		case "ai-title":
			f.AITitle = transcript.String(transcript.Field(r.Raw, "aiTitle"))
		case "agent-name":
			f.NamedTitle = r.AgentName
		case "pr-link":
			g.requests.add(transcript.String(transcript.Field(r.Raw, "prUrl")))
		}
	}
	f.Branches, f.Versions, f.Models, f.PullRequests = g.branches.all, g.versions.all, g.models.all, g.requests.all
	f.Start, f.End = spanFrom(f.Start, f.End, messages)
	return *f
}

func first(to *string, s string) {
	if *to == "" {
		*to = s
	}
}

// A distinct is a list of strings, each once, in order of appearance.
type distinct struct {
	all   []string
	known map[string]bool
	last  string // nearly always the next one, too
}

func (d *distinct) add(s string) {
	if s == d.last || s == "" || d.known[s] {
		return
	}
	if d.known == nil {
		d.known = make(map[string]bool)
	}
	d.all, d.known[s], d.last = append(d.all, s), true, s
}
