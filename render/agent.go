package render

import (
	"cmp"
	"html/template"
	"path"
	"strings"

	"viewer/internal/markup"
	"viewer/internal/stats"
	"viewer/normalize"
	"viewer/render/page"
)

// agentView is an agent inside the page of its call.
type agentView struct {
	ID, Type, Description string
	Facts                 []page.Fact
	Turns                 []section
	Href                  string // of its own page
	Bare                  bool   // the row of the call has all facts: one click opens both
}

// agent draws an agent: inside the page when it is small, else as a link. alone means that its call started no other.
func (d *drawer) agent(a *normalize.Agent, alone bool) template.HTML {
	in := d.ofAgent(a)
	v := agentView{ID: "agent-" + in.name, Type: a.Type, Description: d.agentTask(a), Facts: d.agentFacts(a)}
	v.Type = cmp.Or(v.Type, "Agent")
	if in.hasPages {
		v.Href = d.base + pageName(in, 0)
		return page.Execute("partial/agentlink", v)
	}
	v.Turns, v.Bare = d.turns(in), alone
	return page.Execute("partial/agent", v)
}

func (s *sessionData) agentFacts(a *normalize.Agent) []page.Fact {
	t := s.tally.Of(a.Conversation)
	var all []page.Fact
	if t.Failed > 0 {
		all = append(all, page.Fact{Text: count(t.Failed) + " failed", Look: "bad"})
	}
	all = append(all, page.Fact{Text: plural(t.Tools, "call", "calls")})
	if n := agentTokens(a.Conversation); n > 0 {
		all = append(all, page.Fact{Text: short(n) + " tokens"})
	}
	if t.Time > 0 {
		all = append(all, page.Fact{Text: duration(t.Time)})
	}
	return all
}

// agentTokens returns the tokens of an agent at its end, its context plus its answer, as Claude Code counts them.
func agentTokens(c *normalize.Conversation) int64 {
	var most int64
	for _, l := range stats.ContextSizes(c) {
		most = max(most, l.Context+l.Output)
	}
	return most
}

// agentName returns the name of an agent for titles and links.
func (s *sessionData) agentName(a *normalize.Agent) string {
	name := cmp.Or(a.Type, "Agent")
	if what := s.agentTask(a); what != "" {
		name += ": " + what
	}
	return name
}

// agentTask returns the task of an agent in a few words: the name from its caller or its workflow, else the beginning
// of its prompt.
func (s *sessionData) agentTask(a *normalize.Agent) string {
	if s := strings.TrimSpace(a.Description); s != "" {
		return oneLine(s, 120)
	}
	if s := s.labels[a.ID]; s != "" {
		return s
	}
	return markup.Excerpt(a.Conversation.Facts.Request(), 100)
}

// SafeName makes a name for a file or folder that is valid on every file system and web host: letters, digits, '-', '_'
// and inner dots, at most 80 of them. Different names may become the same.
func SafeName(s string) string {
	var b strings.Builder
	for _, r := range path.Clean(s) {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_':
			b.WriteRune(r)
		case r == '.' && b.Len() > 0:
			b.WriteRune(r)
		default:
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
				b.WriteByte('-')
			}
		}
		if b.Len() >= 80 {
			break
		}
	}
	name := strings.Trim(b.String(), "-.")
	if name == "" || reserved[strings.ToLower(strings.SplitN(name, ".", 2)[0])] {
		return "x-" + name
	}
	return name
}

// reserved are the names that Windows reserves for devices.
var reserved = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true,
	"com1": true, "com2": true, "com3": true, "com4": true, "com5": true, "com6": true, "com7": true, "com8": true,
	"com9": true,
	"lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true, "lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true,
	"lpt9": true,
}

// resumed links the call that resumes an agent to the place where the agent is drawn.
func (p *pageState) resumed(a *normalize.Agent) template.HTML {
	v := page.Link{Text: p.agentName(a)}
	switch in := p.ofAgent(a); {
	case in.hasPages:
		v.Href = p.base + pageName(in, 0)
	case len(in.Turns) > 0 && len(in.Turns[0].Prompt) > 0:
		v.Href = p.href(in.Turns[0].Prompt[0].Anchor)
	}
	return page.Execute("partial/resumed", v)
}
