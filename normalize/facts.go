package normalize

import (
	"strings"
	"time"

	"viewer/internal/transcript"
)

// Facts are what the records say about the session as a whole. Of records that are written repeatedly the last one
// counts.
type Facts struct {
	SessionID string
	CWD       string   // the first; it can change within a session
	Branches  []string // in order of appearance
	Models    []string
	Versions  []string
	TeamName  string
	AgentName string // of the team member that the session belongs to

	Start, End time.Time // of a session: the end of its agents, too

	CustomTitle, AITitle, NamedTitle string
	LeafTitle                        string // the summary of a record of this session
	FirstPrompt                      string // see firstPrompt

	PullRequests []string // addresses, in order of appearance

	// Streamed means that the log is the output of a run, or the execution file of the CI action: it states start and
	// end of the run, and may lack the prompts.
	Streamed bool

	// AgentsWithoutLog counts the agents of a session whose log is missing, 0 if there is a log.
	AgentsWithoutLog int
}

// take sets the facts of a session without a log, from those of its agents.
func (f *Facts) take(agents []*Agent) {
	f.AgentsWithoutLog = len(agents)
	for _, a := range agents {
		from := &a.Conversation.Facts
		first(&f.CWD, from.CWD)
		if !from.Start.IsZero() && (f.Start.IsZero() || from.Start.Before(f.Start)) {
			f.Start = from.Start
		}
	}
}

// outlast sets the end of a session to that of the agent that ran longest, as one in the background may after the last
// message of the session.
func (f *Facts) outlast(agents []*Agent) {
	for _, a := range agents {
		if end := a.Conversation.Facts.End; end.After(f.End) && !f.Start.IsZero() {
			f.End = end
		}
	}
}

// GivenTitle returns the title that a person or the program gave the session, "" for none.
func (f *Facts) GivenTitle() string {
	for _, t := range []string{f.CustomTitle, f.AITitle, f.NamedTitle, f.LeafTitle} {
		if t = plainTitle(unquoted(strings.TrimSpace(t))); t != "" {
			return t
		}
	}
	return ""
}

// Request returns the request of the session, as a title.
func (f *Facts) Request() string { return headline(PlanOf(plainTitle(f.FirstPrompt))) }

// headline returns the heading at the beginning of a prompt, or the whole prompt.
func headline(prompt string) string {
	first, _, _ := strings.Cut(prompt, "\n")
	if words := strings.TrimLeft(first, "#"); words != first && len(words) > 10 && words[0] == ' ' {
		return first
	}
	return prompt
}

// unquoted removes quotes around a whole title, which models like to add.
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

// gather collects the facts of one file. summaries has titles by the uuid of the leaf that they describe, from all
// files of the project: most are in the file of another session. The title of a record that another session draws
// belongs to that session.
func gather(messages []*Message, summaries map[string]string, shared map[string]bool) Facts {
	var f Facts
	var branches, versions, models, requests distinct
	worktrees := worktreeNames(messages)
	var last *transcript.Record
	for _, m := range messages {
		r := m.Record
		if r == last {
			continue
		}
		last = r
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
			branches.add(r.GitBranch)
		}
		if r.UUID != "" || r.Message != nil { // other records have other versions
			versions.add(r.Version)
		}
		if r.UUID != "" {
			if title, ok := summaries[r.UUID]; ok && !shared[r.UUID] {
				f.LeafTitle = title
			}
		}
		if r.Message != nil && r.Type == "assistant" && !strings.HasPrefix(r.Message.Model, "<") {
			models.add(r.Message.Model)
		}
		switch r.Type {
		case "system":
			f.Streamed = f.Streamed || r.Subtype == "init"
		case "custom-title":
			if title := transcript.String(transcript.Field(r.Raw, "customTitle")); !worktrees[title] {
				f.CustomTitle = title
			}
		case "ai-title":
			f.AITitle = transcript.String(transcript.Field(r.Raw, "aiTitle"))
		case "agent-name":
			if !worktrees[r.AgentName] {
				f.NamedTitle = r.AgentName
			}
		case "pr-link":
			requests.add(transcript.String(transcript.Field(r.Raw, "prUrl")))
		}
	}
	f.Branches, f.Versions, f.Models, f.PullRequests = branches.all, versions.all, models.all, requests.all
	f.Start, f.End = span(messages)
	return f
}

// worktreeNames returns the names of the worktrees that the session entered, after which Claude Code names the session
// (from 2.1.223): nobody chose such a title, and it says less than a generated one.
func worktreeNames(messages []*Message) map[string]bool {
	var names map[string]bool
	for _, m := range messages {
		if m.Record.Type != "worktree-state" {
			continue
		}
		name := transcript.String(transcript.Field(transcript.Field(m.Record.Raw, "worktreeSession"), "worktreeName"))
		if name == "" {
			continue // left
		}
		if names == nil {
			names = map[string]bool{}
		}
		names[name] = true
		names[strings.ReplaceAll(name, "/", "+")] = true // as in the path and the branch
	}
	return names
}

// firstPrompt returns the first prompt of more than a word that no hook blocked, otherwise the first one.
func firstPrompt(messages []*Message) (prompt string) {
	for _, m := range messages {
		if m.Kind == Prompt && m.Rule == "" && strings.TrimSpace(m.Text) != "" {
			if !IsWord(m.Text) && !m.Blocked() {
				return m.Text
			}
			first(&prompt, m.Text)
		}
	}
	return prompt
}

// IsWord reports whether a prompt is only one word, such as a greeting or a command that the program does not know.
// The request is then in a later prompt, if there is one. Only ASCII is looked at: not all scripts separate words.
func IsWord(prompt string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	word := strings.ToLower(strings.TrimRight(strings.TrimSpace(prompt), ".!?,"))
	return word != "" && strings.Trim(strings.TrimPrefix(word, "/"), letters) == ""
}

func first(to *string, s string) {
	if *to == "" {
		*to = s
	}
}

// A distinct is a list of strings, each once, in order of appearance.
type distinct struct {
	all  []string
	seen map[string]bool
	last string // nearly always the next one, too
}

// add adds a text, unless it is blank: pages could show neither a link nor a button for it.
func (d *distinct) add(s string) {
	if s == d.last || d.seen[s] || strings.TrimSpace(s) == "" {
		return
	}
	if d.seen == nil {
		d.seen = make(map[string]bool)
	}
	d.all, d.seen[s], d.last = append(d.all, s), true, s
}
