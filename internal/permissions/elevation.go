package permissions

import (
	"strings"

	"viewer/internal/shell"
	"viewer/internal/words"
	"viewer/normalize"
)

// An Elevation is a call that asked for more rights than usual.
type Elevation struct {
	What    string // "sudo", "without sandbox", "--dangerously-skip-permissions"
	Command string // one line
	Why     string // the reason that the model gave, "" for none
	State   normalize.State
	At      *normalize.Message
}

var elevating = words.Set("sudo doas su pkexec run0 runas gsudo sudoedit")

// starters are programs that run the command in their arguments.
var starters = words.Set("xargs parallel watch")

// rightsOf records elevated rights of a simple command.
func (s *shellCall) rightsOf(layer []string, written *shell.Simple) {
	name := layer[0]
	if elevating[name] {
		s.elevated(name, written.String(), "")
	}
	for _, w := range layer[1:] {
		switch {
		case starters[name] && elevating[w]:
			s.elevated(w, written.String(), "")
		case strings.HasPrefix(w, "--dangerously"):
			flag, _, _ := strings.Cut(w, "=")
			s.elevated(flag, written.String(), "")
		case w == "--yolo" && agents[name], w == "--privileged" && containers[name]:
			s.elevated(w, written.String(), "")
		case w == "bypassPermissions" && agents[name], w == "danger-full-access" && agents[name]:
			s.elevated(w, written.String(), "")
		}
	}
}

var (
	agents     = words.Set("claude codex gemini copilot qwen kimi cursor-agent opencode")
	containers = words.Set("docker podman nerdctl docker-compose")
)

// elevated adds the call to the list, once for each kind of rights.
func (s *shellCall) elevated(what, command, why string) {
	what = words.Line(what, 60)
	if s.rights[what] {
		return
	}
	if s.rights == nil {
		s.rights = make(map[string]bool)
	}
	s.rights[what] = true
	s.Elevated = append(s.Elevated, Elevation{
		What: what, Command: words.Line(command, 400), Why: words.Line(why, maxWhy),
		State: s.group.State, At: s.group.Head(),
	})
}
