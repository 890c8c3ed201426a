package permissions

import (
	"strings"

	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// A Mode is a permission mode that was in force.
type Mode struct {
	Name     string // as pages show it
	Usual    bool   // the default of the program
	Elevated bool   // calls run without a question or without a sandbox
	Calls    int    // number of calls in this mode, including those of agents
	At       *normalize.Message
}

// claudeModes are the names that pages show for the modes of Claude Code.
var claudeModes = map[string]Mode{
	"default":           {Name: "asked as the rules say", Usual: true},
	"acceptEdits":       {Name: "edits accepted"},
	"plan":              {Name: "plan mode"},
	"auto":              {Name: "auto mode"},
	"bypassPermissions": {Name: "permissions bypassed", Elevated: true},
	"dontAsk":           {Name: "denied without asking"},
}

// ModeWords returns the name that pages show for a mode of a record, "" for the default.
func ModeWords(name string) string {
	m, known := claudeModes[name]
	switch {
	case m.Usual || name == "":
		return ""
	case known:
		return m.Name
	}
	return "mode " + words.Line(name, 40)
}

// A modeState has the settings that decide the mode at one place of a conversation.
type modeState struct {
	named                             string // by a record of Claude Code
	approvals, sandbox, network, mode string // by the settings of another writer
}

func (s *modeState) isKnown() bool { return *s != modeState{} }

// read reads the settings in a message, and reports whether it has any.
func (s *modeState) read(m *normalize.Message) bool {
	if name := m.Record.PermissionMode; name != "" && m.Part == 0 {
		s.named = name
		return true
	}
	if m.Kind != normalize.System || m.Name != "settings" {
		return false
	}
	said := false
	for name, v := range transcript.Members(m.Record.Raw) {
		text := transcript.String(v)
		if text == "" {
			continue
		}
		switch name {
		case "approvals":
			s.approvals, said = text, true
		case "sandbox":
			s.sandbox, said = text, true
		case "network":
			s.network, said = text, true
		case "mode":
			s.mode, said = text, true
		}
	}
	return said
}

// describe returns the mode that the settings so far make.
func (s *modeState) describe() Mode {
	if s.named != "" {
		if m, ok := claudeModes[s.named]; ok {
			return m
		}
		return Mode{Name: "mode " + words.Line(s.named, 40)}
	}
	var said []string
	for _, part := range []struct{ name, value string }{
		{"approvals", s.approvals}, {"sandbox", s.sandbox}, {"network", s.network}, {"mode", s.mode},
	} {
		if part.value != "" {
			said = append(said, part.name+" "+words.Line(part.value, 40))
		}
	}
	return Mode{
		Name:     strings.Join(said, ", "),
		Usual:    s.approvals != "never" && s.sandbox != "read-only" && !s.elevated(),
		Elevated: s.elevated(),
	}
}

func (s *modeState) elevated() bool {
	return strings.HasPrefix(s.sandbox, "danger") || s.approvals == "all allowed" || s.approvals == "yolo"
}

// modesOf counts the calls of a conversation and its agents by the mode at their start.
func (k *collector) modesOf(c *normalize.Conversation, now modeState) {
	inside := make(map[*normalize.Message]*normalize.Group) // calls that started agents
	for g := range c.Groups() {
		if g.Call != nil && len(g.Agents) > 0 {
			inside[g.Call] = g
		}
	}
	first := now
	at := -1
	if now.isKnown() {
		at = k.noteMode(now, nil)
	}
	for _, m := range c.Messages {
		if now.read(m) {
			at = k.noteMode(now, m)
			continue
		}
		if m.Kind != normalize.Call || m.Rule != "" {
			continue
		}
		if at >= 0 {
			k.Modes[at].Calls++
		}
		if g := inside[m]; g != nil {
			for _, a := range g.Agents {
				k.modesOf(a.Conversation, now)
			}
		}
	}
	for b := range c.Branches() {
		k.modesOf(b.Conversation, first)
	}
	for _, a := range c.Agents {
		k.modesOf(a.Conversation, first)
	}
}

// noteMode returns the index of a mode in the list, adding it if necessary. A message that is on no page is not linked.
func (k *collector) noteMode(s modeState, m *normalize.Message) int {
	mode := s.describe()
	i, known := k.modes[mode.Name]
	if !known {
		i = len(k.Modes)
		k.modes[mode.Name] = i
		k.Modes = append(k.Modes, mode)
	}
	if m != nil && m.Rule == "" && k.Modes[i].At == nil {
		k.Modes[i].At = m
	}
	return i
}
