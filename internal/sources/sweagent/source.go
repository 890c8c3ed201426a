// Package sweagent reads the trajectories of SWE-agent (.traj) and of mini-swe-agent (.traj.json): one JSON document a
// run with the messages that the model was sent, the commands, and the submitted patch. It never opens a file.
package sweagent

import (
	"bytes"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the trajectories of SWE-agent.
type Source struct{ sources.Defaults }

var _ sources.Source = Source{}

// Writer reports that trajectories do not tell which messages a request still contained.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "SWE-agent", NotSent: true} }

// Wants accepts documents.
func (Source) Wants(p string) bool { return path.Ext(p) == ".traj" || path.Ext(p) == ".json" }

// Match accepts documents that begin with steps of actions and observations, and those of mini-swe-agent, which name
// their format or begin with the configuration of the run. Old versions wrote a list of messages.
func (Source) Match(head sources.Head) bool {
	if bytes.HasPrefix(head.Trimmed(), []byte("[")) {
		return isList(head)
	}
	for name, value := range head.Members() {
		switch name {
		case "environment":
			if transcript.Kind(value) != '"' {
				return false
			}
		case "trajectory":
			return head.Contains(`"action"`) && head.Contains(`"observation"`) ||
				transcript.Kind(value) == '[' && head.Contains(`"history"`)
		case "trajectory_format":
			return strings.HasPrefix(transcript.String(value), "mini-swe-agent")
		case "info":
			if value == nil {
				return head.Contains(`"mini_version"`)
			}
			if transcript.Field(value, "mini_version") != nil {
				return true
			}
		case "messages", "history", "replay_config":
		default:
			return false
		}
	}
	return false
}

// isList reports whether a list begins with messages and commands in code blocks.
func isList(head sources.Head) bool {
	role, content := "", jsontext.Value(nil)
	for name, value := range head.Members() {
		switch name {
		case "role":
			role = transcript.String(value)
		case "content":
			content = value
		default:
			return false
		}
	}
	fenced := head.Contains("```bash\\n") || head.Contains("```mswea_bash_command\\n")
	return (role == "system" || role == "user") && transcript.Kind(content) == '"' && fenced
}

// FolderOf returns the folder after the agent's first command.
func (Source) FolderOf(head []byte) string {
	state := sources.FirstString(head, "state")
	return sources.FirstString([]byte(state), "working_dir")
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
