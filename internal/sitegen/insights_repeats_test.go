package sitegen

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"viewer/internal/insights"
	"viewer/internal/shell"
	"viewer/internal/sitegen/redaction"
	"viewer/internal/testing/corpus"
)

// A recountedCall is a call in a log file with its result.
type recountedCall struct {
	name, text, denial string
	input              json.RawMessage
	answered, failed   bool
	blocked            bool   // blocked by a hook
	approved           bool   // a plan: the next prompt has it
	exit               string // of a command in the background, "" if unknown
	at, answeredAt     time.Time
	change             recountedChange
}

// A recountedChange has what a result says about the file that its call changed.
type recountedChange struct {
	Type, FilePath, Content string
	OldString, NewString    string
	OriginalFile            *string
	ReplaceAll              bool
	Edits                   []recountedEdit
}

type recountedEdit struct {
	OldString  string `json:"old_string"`
	NewString  string `json:"new_string"`
	ReplaceAll bool   `json:"replace_all"`
}

// A recountedStep is a record that insights count: a call, a prompt, a text of the model, or an interruption.
type recountedStep struct {
	call            *recountedCall
	prompt, stopped bool
	queued          bool // a prompt that was sent while the model worked
	at              time.Time
	said            string
}

// recountedSteps reads a log of Claude Code line by line, without code of the program.
func recountedSteps(t *testing.T, file string) []recountedStep {
	t.Helper()
	var all []recountedStep
	calls, counted := map[string]*recountedCall{}, map[string]bool{}
	lines := recountedLines(t, file)
	for _, l := range lines { // results first, because one may come before its call
		for _, b := range l.blocks {
			if b.Type == "tool_use" && calls[b.ID] == nil {
				calls[b.ID] = &recountedCall{name: b.Name, input: b.Input, at: l.Timestamp}
			}
		}
	}
	for _, l := range lines {
		if c := calls[l.Attachment.ToolUseID]; c != nil && l.Attachment.Type == "hook_blocking_error" {
			c.blocked = true
		}
		a := l.Attachment
		if a.Type == "queued_command" && a.CommandMode == "prompt" && a.Origin.Kind != "coordinator" || l.delivered {
			all = append(all, recountedStep{queued: true, at: l.Timestamp})
		}
		for _, b := range l.blocks {
			switch c := calls[b.ID+b.ToolUseID]; {
			case b.Type == "thinking":
				all = append(all, recountedStep{said: b.Thinking})
			case b.Type == "tool_use" && !counted[b.ID]:
				counted[b.ID] = true
				all = append(all, recountedStep{call: c})
			case b.Type == "tool_result" && c != nil && !c.answered:
				c.answered, c.failed, c.text, c.denial = true, b.IsError, string(b.Content), l.ToolDenialKind
				c.answeredAt = l.Timestamp
				_ = json.Unmarshal(l.ToolUseResult, &c.change)
			}
		}
		for _, report := range reportedExit.FindAllStringSubmatch(l.text+string(l.Attachment.Prompt), -1) {
			if c := calls[report[1]]; c != nil {
				c.exit = report[2]
			}
		}
		switch {
		case l.Type == "assistant" && l.text != "":
			all = append(all, recountedStep{said: l.text})
		case l.stopped():
			all = append(all, recountedStep{stopped: true})
		case l.approval:
			all[len(all)-1].call.approved = true
		case l.typed():
			all = append(all, recountedStep{prompt: true, at: l.Timestamp})
		}
	}
	return all
}

// reportedExit finds the call and the exit code in a report of a command in the background.
var reportedExit = regexp.MustCompile(`(?s)<tool-use-id>(\w+)</tool-use-id>.*?<summary>[^<]* exit code (\d+)\)?</summary>`)

// commandEnded is howEnded, but a command that failed later in the background failed.
func (c *recountedCall) commandEnded() string {
	if how := c.howEnded(); how != "done" || c.exit == "" || c.exit == "0" {
		return how
	}
	return "failed"
}

// howEnded returns how a call ended: done, failed, who stopped it, stopped, cancelled or missing.
func (c *recountedCall) howEnded() string {
	var text string
	var parts []struct{ Text string }
	if json.Unmarshal([]byte(c.text), &text) != nil && json.Unmarshal([]byte(c.text), &parts) == nil && len(parts) > 0 {
		text = parts[0].Text
	}
	text = strings.TrimPrefix(text, "<tool_use_error>")
	begins := func(all ...string) bool {
		return slices.ContainsFunc(all, func(one string) bool { return strings.HasPrefix(text, one) })
	}
	switch {
	case !c.answered:
		return "missing"
	case c.approved:
		return "done"
	case c.denial == "user-rejected":
		return "by a person"
	case c.denial == "interrupted", begins("[Request interrupted by user"):
		return "stopped"
	case strings.HasPrefix(c.denial, "automode"):
		return "by a classifier"
	case c.denial == "permission-rule" && !c.failed:
		return "by a rule"
	case !c.failed:
		return "done"
	case begins("The user doesn't want to proceed", "The user doesn't want to take",
		"The agent proposed a plan that was rej"):
		return "by a person"
	case begins("Claude requested permissions", "This command requires approval",
		"This Bash command contains multiple operations"),
		begins("Permission to use") && strings.Contains(text, "(prompts unavailable)"):
		return "nobody was there to ask"
	case begins("Permission for this action"):
		return "by a classifier"
	case begins("Permission for this tool", "Permission to use"), c.denial == "permission-rule",
		begins("ls in '", "cd to '") && strings.Contains(text, "' was blocked. For security"):
		return "by a rule"
	case begins("Cancelled: parallel tool call", "Sibling tool call errored"):
		return "cancelled"
	case c.blocked:
		return "by a hook"
	}
	return "failed"
}

// recountRepeats counts by the rules of docs/insights.md: by kind, name and detail.
func recountRepeats(steps []recountedStep) map[insights.Kind]map[string]int {
	counts := map[insights.Kind]map[string]int{}
	add := func(kind insights.Kind, name string, n int) {
		if counts[kind] == nil {
			counts[kind] = map[string]int{}
		}
		counts[kind][name] += n
	}
	var calls []*recountedCall
	stopped := false
	for _, s := range steps {
		switch {
		case s.call != nil:
			calls = append(calls, s.call)
			how := s.call.howEnded()
			stopped = stopped || how == "by a person"
			if strings.HasPrefix(how, "by ") || how == "nobody was there to ask" {
				add(insights.Denied, s.call.name+" "+how, 1)
			}
			var in struct {
				Skill, Command string
				Type           string `json:"subagent_type"`
			}
			_ = json.Unmarshal(s.call.input, &in)
			used := func(kind insights.Kind, name string) {
				add(kind, name, 1)
				if how == "failed" || how == "by a hook" {
					add(kind, name+" failed", 1)
				}
				if took := s.call.answeredAt.Sub(s.call.at); !s.call.at.IsZero() && took > 0 {
					add(kind, name+" ms", int(took.Milliseconds()))
				}
			}
			used(insights.Tool, s.call.name)
			switch s.call.name {
			case "Skill":
				used(insights.Skill, in.Skill+in.Command)
			case "Task", "Agent":
				used(insights.Agent, cmp.Or(in.Type, s.call.name))
			}
			if parts := strings.Split(s.call.name, "__"); parts[0] == "mcp" && len(parts) > 2 {
				used(insights.Server, strings.TrimPrefix(parts[1], "plugin_"))
			}
		case s.stopped:
			stopped = true
			add(insights.Interruption, "by a person", 1)
		case s.prompt, s.queued:
			if !s.at.IsZero() {
				add(insights.Hour, s.at.UTC().Format("15"), 1)
			}
			if s.queued {
				break
			}
			if stopped {
				add(insights.Correction, "prompts", 1)
			}
			stopped = false
		}
	}
	for _, n := range loopsOf(calls) {
		add(insights.Loop, "", n)
	}
	again, unused := readsOf(steps)
	for _, n := range again {
		add(insights.ReadAgain, "", n)
	}
	add(insights.Unused, "", unused)
	for name, n := range mendedOf(calls, func(name string, failed int) {
		add(insights.Command, name, 1)
		add(insights.Command, name+" failed", failed)
	}) {
		add(insights.Mended, name, n)
	}
	for _, n := range undoneOf(calls) {
		add(insights.Undone, "", n)
	}
	return counts
}

// command returns the command of a call of Bash, "" for other calls.
func (c *recountedCall) command() string {
	var in struct{ Command string }
	if c.name == "Bash" {
		_ = json.Unmarshal(c.input, &in)
	}
	return in.Command
}

// undoneOf counts the changes of files that ended as they began, from the contents in the results, and of new files
// that a command removed again.
func undoneOf(calls []*recountedCall) []int {
	type file struct {
		first, last   *string
		changes       int
		created, gone bool
	}
	files := map[string]*file{}
	for _, c := range calls {
		if words := strings.Fields(c.command()); c.howEnded() == "done" && slices.Contains(words, "rm") {
			for name, f := range files {
				if slices.Contains(words, name) {
					f.changes++
					f.gone = true
				}
			}
		}
		r := c.change
		if c.howEnded() != "done" || r.FilePath == "" || !changesFile.MatchString(c.name) {
			continue
		}
		f := files[r.FilePath]
		if f == nil {
			f = &file{first: r.OriginalFile, created: r.Type == "create"}
			files[r.FilePath] = f
		}
		f.changes++
		f.gone = false
		after := r.Content
		if c.name != "Write" && r.OriginalFile != nil {
			after = *r.OriginalFile
			for _, e := range append(r.Edits, recountedEdit{r.OldString, r.NewString, r.ReplaceAll}) {
				n := 1
				if e.ReplaceAll {
					n = -1
				}
				if e.OldString != "" {
					after = strings.Replace(after, e.OldString, e.NewString, n)
				}
			}
		}
		f.last = &after
	}
	var all []int
	for _, f := range files {
		if f.gone && f.created || !f.gone && f.first != nil && *f.first == *f.last {
			all = append(all, f.changes)
		}
	}
	return all
}

// mendedOf returns how many failures of a command came before its success, by name.
func mendedOf(calls []*recountedCall, run func(name string, failed int)) map[string]int {
	all := map[string]int{}
	input := func(c *recountedCall) (name, command string) {
		command = c.command()
		return shell.Name(command), command // the names of commands have their own test
	}
	settled := map[string]int{}
	for i, c := range calls {
		name, _ := input(c)
		if name == "" {
			continue
		}
		how := c.commandEnded()
		if how == "failed" || how == "by a hook" {
			run(name, 1)
		} else {
			run(name, 0)
		}
		if how != "failed" || i < settled[name] {
			continue
		}
		result, changed := "not within 40 calls", false
		settled[name] = min(i+41, len(calls))
		for j := i + 1; j < len(calls) && j <= i+40; j++ {
			switch next, _ := input(calls[j]); {
			case calls[j].commandEnded() != "done":
			case next == name:
				result = "by other words of the command"
				if changed {
					result = "after a change of files"
				} else if string(calls[j].input) == string(c.input) {
					result = "by the same command again"
				}
				settled[name] = j
			case changesFile.MatchString(calls[j].name):
				changed = true
			}
			if settled[name] == j {
				break
			}
		}
		all[name+" "+result]++
	}
	return all
}

func loopsOf(calls []*recountedCall) (all []int) {
	same := func(a, b *recountedCall) bool {
		return a.name == b.name && string(a.input) == string(b.input) && a.text == b.text
	}
	calls = slices.DeleteFunc(slices.Clone(calls), func(c *recountedCall) bool { return !c.answered })
	for from := 0; from < len(calls); {
		to := from + 1
		for to < len(calls) && same(calls[to-1], calls[to]) {
			to++
		}
		if to-from >= 3 {
			all = append(all, to-from)
		}
		from = to
	}
	return all
}

// changesFile matches the tools that change files.
var changesFile = regexp.MustCompile(`^(Edit|Write|MultiEdit|NotebookEdit)$`)

// wordsOfFiles matches words of a text that can be file names.
var wordsOfFiles = regexp.MustCompile(`[\pL\pN\pM._+@~-]+`)

func readsOf(steps []recountedStep) (again []int, unused int) {
	type file struct {
		reads, streak, longest int
		named                  bool
	}
	files := map[string]*file{}
	name := func(text string) {
		for _, word := range wordsOfFiles.FindAllString(text, -1) {
			for p, f := range files {
				base := path.Base(p)
				f.named = f.named || base == strings.TrimRight(word, ".") || base == strings.Trim(word, ".")
			}
		}
	}
	for _, s := range steps {
		if s.call == nil {
			if !s.prompt {
				name(s.said)
			}
			continue
		}
		var in struct {
			FilePath     string `json:"file_path"`
			NotebookPath string `json:"notebook_path"`
		}
		_ = json.Unmarshal(s.call.input, &in)
		p := in.FilePath + in.NotebookPath
		done := s.call.answered && !s.call.failed
		switch {
		case s.call.name == "Read" && p != "":
			if done {
				if files[p] == nil {
					files[p] = &file{}
				}
				f := files[p]
				f.reads++
				f.streak++
				f.longest = max(f.longest, f.streak)
			}
		default:
			name(string(s.call.input))
			if f := files[p]; f != nil && done && changesFile.MatchString(s.call.name) {
				f.streak = 0
			}
		}
	}
	for _, f := range files {
		if f.longest >= 3 {
			again = append(again, f.longest)
		} else if f.reads == 1 && !f.named {
			unused++
		}
	}
	return again, unused
}

// TestInsightsRepeatsRecounted counts repetitions, times and contexts of sessions of one file independently, by the
// rules of docs/insights.md.
func TestInsightsRepeatsRecounted(t *testing.T) {
	n := map[insights.Kind]int{}
	for _, name := range append(corpus.Share(corpus.Optional(t, "dev/*/*/*.jsonl")), recountFixtures(t)...) {
		// In test data of a program, ids of calls repeat.
		at := filepath.ToSlash(name)
		if strings.Contains(at, "/fixtures/") || strings.HasPrefix(path.Base(at), "agent-") {
			continue
		}
		sessions, _, err := List(context.Background(),
			Options{Sources: []string{name}, Version: "test",
				Redaction: redaction.Settings{Off: true}}, ListOptions{Insights: true})
		if err != nil || len(sessions) != 1 || sessions[0].Totals.Agents > 0 {
			continue // empty sessions, and sessions of several files
		}
		got := map[insights.Kind]map[string]int{}
		for _, r := range sessions[0].Insights.Rows {
			if got[r.Kind] == nil {
				got[r.Kind] = map[string]int{}
			}
			switch r.Kind {
			case insights.Loop, insights.ReadAgain, insights.Unused, insights.Undone:
				r.Name = ""
			case insights.Hook:
				if len(r.Name) >= 80 {
					continue
				}
				got[r.Kind][r.Name+" ms"] += int(r.Time.Milliseconds())
				got[r.Kind][r.Name+" failed"] += r.Failed
			case insights.Tool, insights.Skill, insights.Agent, insights.Server:
				got[r.Kind][r.Name+" ms"] += int(r.Time.Milliseconds())
				got[r.Kind][r.Name+" failed"] += r.Failed
			case insights.Command:
				got[r.Kind][r.Name+" failed"] += r.Failed
			}
			got[r.Kind][strings.TrimSpace(r.Name+" "+r.Detail)] += r.Count
		}
		compareTime(t, name, sessions[0].Insights, recountTime(t, name))
		want := recountRepeats(recountedSteps(t, name))
		want[insights.Hook] = recountHooks(recountedLines(t, name))
		for _, kind := range recountedKinds {
			for one, count := range want[kind] {
				n[kind] += count
				if got[kind][one] != count {
					t.Errorf("%s: kind %d: %q has %d, want %d", name, kind, one, got[kind][one], count)
				}
			}
			for one, count := range got[kind] {
				if want[kind][one] == 0 && count > 0 {
					t.Errorf("%s: kind %d: %q has %d, want 0", name, kind, one, count)
				}
			}
		}
	}
	if corpus.Full() {
		t.Logf("counted by kind: %v", n)
	}
}

var recountedKinds = []insights.Kind{
	insights.Tool, insights.Server, insights.Hook,
	insights.Loop, insights.ReadAgain, insights.Unused, insights.Command, insights.Mended, insights.Denied,
	insights.Skill, insights.Agent, insights.Undone, insights.Interruption, insights.Correction, insights.Hour,
}

// recountHooks counts the runs of hooks with short commands, from the records of each hook, or of all hooks at the end
// of a turn.
func recountHooks(lines []recountedLine) map[string]int {
	all := map[string]int{}
	add := func(command string, millis int, blocked bool) {
		if command = strings.Join(strings.Fields(command), " "); len(command) >= 80 {
			return
		}
		all[command]++
		all[command+" ms"] += millis
		if blocked {
			all[command+" failed"]++
		}
	}
	summed := map[string]bool{}
	for _, l := range lines {
		if l.Subtype != "stop_hook_summary" {
			continue
		}
		summed[l.ToolUseID] = l.ToolUseID != ""
		for _, h := range l.HookInfos {
			add(cmp.Or(h.Command, "Stop"), h.DurationMs, l.PreventedContinuation)
		}
	}
	for _, l := range lines {
		a := &l.Attachment
		if hookRan.MatchString(a.Type) && !summed[a.ToolUseID] {
			add(cmp.Or(a.Command, a.BlockingError.Command, a.HookName, a.HookEvent), a.DurationMs,
				a.Type == "hook_blocking_error")
		}
	}
	return all
}

// hookRan matches the types of attachments that record a run of a hook.
var hookRan = regexp.MustCompile(`^hook_(success|cancelled|(non_)?blocking_error|error_during_execution)$`)
