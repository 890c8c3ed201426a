package sitegen

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A recountedLine has the fields of a line of a log of Claude Code that recounts use.
type recountedLine struct {
	Type, Subtype, UUID, ParentUUID       string
	Operation                             string // of the queue
	ToolDenialKind, ParentToolUseID       string
	Timestamp                             time.Time
	IsMeta, IsSidechain, IsCompactSummary bool
	IsVisibleInTranscriptOnly             bool
	Content, ToolUseResult                json.RawMessage
	Origin                                struct{ Kind string }
	Message                               struct {
		ID, Model string
		Content   json.RawMessage
		Usage     *struct {
			Input int64 `json:"input_tokens"`
			Read  int64 `json:"cache_read_input_tokens"`
			Write int64 `json:"cache_creation_input_tokens"`
		}
	}
	Attachment struct {
		Type, ToolUseID, CommandMode, HookEvent string
		Command, HookName                       string
		Prompt                                  json.RawMessage
		BlockingError                           struct{ Command string }
		DurationMs                              int
		Origin                                  struct{ Kind string }
	}
	ToolUseID             string
	PreventedContinuation bool
	HookInfos             []struct {
		Command    string
		DurationMs int
	}
	Data struct{ Type, HookEvent, HookName string }

	text      string // the text of the message
	blocks    []recountedBlock
	delivered bool // a prompt of the queue that the model was given in the middle of a turn; logs without attachments
	approval  bool // an interruption by which the user approved the plan before it: the next prompt has the plan
}

type recountedBlock struct {
	Type, ID, Name, Text, Thinking string
	Input, Content                 json.RawMessage
	ToolUseID                      string `json:"tool_use_id"`
	IsError                        bool   `json:"is_error"`
}

// recountedLines reads a log without code of the program: each record once, without those of agents.
func recountedLines(t *testing.T, file string) []recountedLine {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []recountedLine
	var queue loggedQueue
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var l recountedLine
		err := json.Unmarshal(lines.Bytes(), &l)
		queue.attachments = queue.attachments || l.Type == "attachment"
		if err == nil && l.Type == "queue-operation" {
			if _, l.delivered = queue.delivers(l.Operation, text(l.Content)); l.delivered {
				all = append(all, l)
			}
		}
		if err != nil || l.UUID == "" || seen[l.UUID] || l.IsSidechain {
			continue
		}
		seen[l.UUID] = true
		if json.Unmarshal(l.Message.Content, &l.text) != nil {
			_ = json.Unmarshal(l.Message.Content, &l.blocks)
		}
		for _, b := range l.blocks {
			l.text += b.Text
		}
		if l.typed() {
			queue.prompted()
		}
		all = append(all, l)
	}
	var stop, plan *recountedLine
	for i := range all {
		l := &all[i]
		switch {
		case l.stopped():
			stop = l
		case len(l.blocks) > 0 && l.blocks[0].Name == "ExitPlanMode":
			plan, stop = l, nil
		case l.Type == "assistant":
			plan = nil
		case strings.HasPrefix(l.text, "Implement the following plan:") && plan != nil && stop != nil:
			stop.approval = true
		}
	}
	return all
}

// stopped reports whether a line records an interruption by a person.
func (l *recountedLine) stopped() bool {
	return l.Type == "user" && strings.HasPrefix(l.text, "[Request interrupted by user") && !l.approval
}

// typed reports whether a person wrote the text of a line.
func (l *recountedLine) typed() bool {
	if l.Type != "user" || l.IsMeta || l.IsCompactSummary || l.IsVisibleInTranscriptOnly || l.stopped() || l.approval ||
		l.Origin.Kind != "" && l.Origin.Kind != "human" {
		return false
	}
	text := l.text
	for aroundPrompts.MatchString(text) {
		text = aroundPrompts.ReplaceAllString(text, "")
	}
	return !byProgram.MatchString(text)
}

// aroundPrompts matches text that editors and Claude Code put before a typed prompt.
var aroundPrompts = regexp.MustCompile(`(?s)^\s*<(?:ide_\w+|system-reminder)>.*?</(?:ide_\w+|system-reminder)>\s*`)

// byProgram matches the start of texts that look like prompts but are not typed.
var byProgram = regexp.MustCompile(
	`^\s*(<(command-|local-command|bash-|task-notification|teammate-message|user-memory)|Caveat: )|^$`)

// byPerson matches the start of typed commands.
var byPerson = regexp.MustCompile(`^"?\s*<(command-|bash-input)`)
