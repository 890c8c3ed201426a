package tools

import (
	"slices"
	"strings"
	"time"

	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// A Use is the kind of thing that a call uses besides its tool.
type Use uint8

const (
	NoUse Use = iota
	UseSkill
	UseAgent
	UseServer // of MCP
)

// UseOf returns what a call uses, and its name: of a skill, of a type of agents, or of a server.
func UseOf(g *normalize.Group) (Use, string) {
	if g.Call == nil {
		return NoUse, ""
	}
	if server, _ := serverOf(g.Call); server != "" {
		return UseServer, server
	}
	t := find(g.Call)
	if t == nil {
		return NoUse, ""
	}
	if t.Skill != "" {
		name, _ := stringMember(g.Call.Block.Input, t.Skill)
		if name, _, _ = strings.Cut(strings.TrimSpace(name), " "); name != "" {
			return UseSkill, words.Line(name, 60)
		}
	}
	if len(g.Agents) > 0 || t.Action == Delegate && t.Icon == "agent" { // its log may be missing
		name, _ := stringMember(g.Call.Block.Input, "subagent_type", "agent_type", "agent_name", "agent")
		if name = words.Line(name, 60); name == "" {
			name = NameOf(g)
		}
		return UseAgent, name
	}
	return NoUse, ""
}

// serverOf returns the MCP server of a call, and its tool there; "" for other calls.
func serverOf(m *normalize.Message) (server, tool string) {
	if m.Block.Type == "mcp_tool_use" { // the block names the server, which ran it
		return words.Line(transcript.TextOf(transcript.Field(m.Block.Raw, "server_name")), 40), ""
	}
	after, ok := strings.CutPrefix(m.Name, "mcp__")
	if !ok {
		return "", ""
	}
	name, tool, ok := strings.Cut(after, "__")
	if !ok {
		return "", ""
	}
	return words.Line(strings.TrimPrefix(name, "plugin_"), 40), tool
}

// ActionOf returns the kind of thing that a call does, as far as it follows from the tool.
func ActionOf(g *normalize.Group) Action {
	if g.Call == nil {
		return Other
	}
	if t := find(g.Call); t != nil {
		return t.Action
	}
	return Other
}

// AnsweredByPerson reports whether a person gave the result of a call: an answer to a question, what became of a plan,
// or a refusal.
func AnsweredByPerson(g *normalize.Group) bool {
	if g.Call == nil || g.Result == nil {
		return false
	}
	t := find(g.Call)
	return g.State == normalize.CallDeclined || t != nil && (t.Action == Ask || t.Approved)
}

// LostAgents counts the agents that calls of a session started, those of its agents included, and whose logs are
// missing.
func LostAgents(c *normalize.Conversation) (n int) {
	for inner := range c.Kept() {
		var copied time.Time // when the history of another session ends
		for _, m := range inner.Messages {
			if m.Copied() {
				copied = m.Time()
			}
		}
		for g := range inner.Groups() {
			use, _ := UseOf(g)
			if use == UseAgent && isLost(g, c.Unseen) && (copied.IsZero() || g.Call.Time().After(copied)) {
				n++
			}
		}
	}
	return n
}

// isLost reports whether a call started an agent that no log has. Another session may have its log: that of a member of
// a team, or the one whose history this session begins with.
func isLost(g *normalize.Group, elsewhere []*normalize.Agent) bool {
	if g.State != normalize.Done || g.Result == nil || len(g.Agents) > 0 || g.Resumes != nil {
		return false
	}
	result := g.Result.Structured()
	id := transcript.String(transcript.Field(result, "agentId"))
	isElsewhere := func(a *normalize.Agent) bool { return a.ID == id }
	return transcript.String(transcript.Field(result, "status")) != "teammate_spawned" &&
		!slices.ContainsFunc(elsewhere, isElsewhere)
}
