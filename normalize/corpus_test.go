package normalize

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"viewer/internal/testing/corpus"
	"viewer/internal/transcript"
)

const testdata = "../testdata/projects"

// corpora returns folders of sessions: testdata, and real sessions if they exist on this machine.
func corpora(t *testing.T) []string {
	t.Helper()
	return append([]string{testdata}, corpus.Optional(t, "")...)
}

// TestCorpus builds every session of the corpora and makes the checks that hold for any session.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	for _, root := range corpora(t) {
		t.Run(filepath.Base(root), func(t *testing.T) { sweep(t, root) })
	}
}

func sweep(t *testing.T, root string) {
	for _, path := range sessionFiles(t, root) {
		rel, _ := filepath.Rel(root, path)
		t.Run(filepath.ToSlash(rel), func(t *testing.T) {
			t.Parallel()
			in := sessionAt(t, path)
			c := Build(in)
			checkPlaces(t, in, c)
			checkCalls(t, in, c)
			checkAgents(t, in, c)
			if got, want := c.Prompts(), countPrompts(in.Main.Records); got != want {
				t.Errorf("Prompts() = %d, want %d: see countPrompts", got, want)
			}
		})
	}
}

// sessionFiles returns the main files of the sessions below a folder; of real sessions, those that corpus.Share
// selects.
func sessionFiles(t *testing.T, root string) []string {
	t.Helper()
	paths := corpus.Files(t, func(path string) bool {
		name := filepath.Base(path)
		return (strings.HasSuffix(name, ".jsonl") ||
			strings.Contains(path, "/sdk/") && strings.HasSuffix(name, ".json")) &&
			name != "journal.jsonl" && !strings.HasPrefix(name, "agent-")
	}, root)
	if len(paths) == 0 {
		t.Fatalf("no sessions below %s", root)
	}
	if root != testdata {
		paths = corpus.Share(paths)
	}
	return paths
}

// sessionAt reads a session and its agents, in both layouts of the format.
func sessionAt(t *testing.T, path string) Input {
	t.Helper()
	read := func(path string) *transcript.File {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f := transcript.Read(path, data)
		return &f
	}
	in := Input{ID: strings.TrimSuffix(filepath.Base(path), ".jsonl"), Main: read(path)}
	sub := strings.TrimSuffix(path, ".jsonl")
	agents, _ := filepath.Glob(globEscape(sub) + "/subagents/agent-*.jsonl")
	more, _ := filepath.Glob(globEscape(sub) + "/subagents/workflows/*/agent-*.jsonl")
	beside, _ := filepath.Glob(globEscape(filepath.Dir(path)) + "/agent-*.jsonl")
	for _, p := range slices.Concat(agents, more, beside) {
		f := read(p)
		if filepath.Dir(p) == filepath.Dir(path) && !slices.ContainsFunc(f.Records, func(r transcript.Record) bool {
			return r.SessionID == in.ID
		}) {
			continue
		}
		a := AgentFile{ID: strings.TrimPrefix(strings.TrimSuffix(filepath.Base(p), ".jsonl"), "agent-"), File: f}
		if meta, err := os.ReadFile(strings.TrimSuffix(p, ".jsonl") + ".meta.json"); err == nil {
			a.Meta = meta
		}
		in.Agents = append(in.Agents, a)
	}
	return in
}

func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// checkAgents checks that no file of an agent is lost: each agent is below a call, listed at the end, or a warm-up.
func checkAgents(t *testing.T, in Input, c *Conversation) {
	t.Helper()
	shown := make(map[string]bool) // by the file of its records
	for inner := range c.All() {
		for _, m := range inner.Messages {
			shown[m.Record.Pos.File] = true
		}
	}
	for _, a := range in.Agents {
		if len(a.File.Records) > 0 && !shown[a.File.Name] {
			t.Errorf("agent %s has a file with %d records and is in no place: %s", a.ID,
				len(a.File.Records), a.File.Name)
		}
	}
}

// checkCalls checks that every tool_use is in exactly one group, with its result if the file has one.
func checkCalls(t *testing.T, in Input, c *Conversation) {
	t.Helper()
	type key struct{ file, id string }
	type count struct{ calls, groups, withResult int }
	counts := make(map[key]*count)
	results := make(map[key]bool)
	of := func(k key) *count {
		if counts[k] == nil {
			counts[k] = new(count)
		}
		return counts[k]
	}
	files := []*transcript.File{in.Main}
	for _, a := range in.Agents {
		files = append(files, a.File)
	}
	for _, f := range files {
		seen := make(map[string]bool) // records that occur twice
		for i := range f.Records {
			r := &f.Records[i]
			if seen[r.UUID] && r.UUID != "" {
				continue
			}
			seen[r.UUID] = true
			for _, b := range content(r) {
				switch b.Type {
				case "tool_use":
					of(key{f.Name, b.ID}).calls++
				case "tool_result":
					results[key{f.Name, b.ToolUseID}] = true
				}
			}
		}
	}
	for inner := range c.All() {
		if inner.Derived { // only known from progress records: no file has its calls
			continue
		}
		for g := range inner.Groups() {
			if g.Call == nil {
				continue
			}
			if g.Call.Block.Type != "tool_use" || g.Call.Rule == ruleWarmup {
				continue
			}
			n := of(key{g.Call.Record.Pos.File, g.Call.Block.ID})
			n.groups++
			if g.Result != nil {
				n.withResult++
				if got := g.Result.Block.ToolUseID; got != g.Call.Block.ID {
					t.Errorf("%s: result of call %s is in the group of %s", at(g.Result), got, g.Call.Block.ID)
				}
			}
		}
	}
	for k, n := range counts {
		if n.groups != n.calls {
			t.Errorf("%s: tool_use %s is in %d groups, want %d", k.file, k.id, n.groups, n.calls)
		}
		if results[k] && n.withResult == 0 && k.id != "" {
			t.Errorf("%s: tool_use %s has a result in the file, but none in its group", k.file, k.id)
		}
	}
}

// countPrompts counts prompts of people with the simplest possible rules. Prompts must give the same number.
func countPrompts(records []transcript.Record) int {
	chat := false
	for _, r := range records {
		chat = chat || !r.IsSidechain && r.ParentToolUseID == "" && (r.Type == "user" || r.Type == "assistant")
	}
	answered := make(map[string]bool) // texts that ran a command, which the next record has the output of
	for i, r := range records[min(1, len(records)):] {
		if r.Subtype == "local_command" && strings.HasPrefix(r.Text(), "<local-command-std") &&
			r.ParentUUID == records[i].UUID {
			answered[r.ParentUUID] = true
		}
	}
	seen := make(map[string]bool)
	repeated := make(map[string]bool) // logged twice with the same time, before an answer
	n := 0
	var queue promptQueue
	for _, r := range records {
		n += queue.delivers(r)
		if chat && (r.IsSidechain || r.ParentToolUseID != "") {
			continue
		}
		if r.UUID != "" && seen[r.UUID] {
			continue
		}
		seen[r.UUID] = true
		if r.Type == "assistant" {
			clear(repeated)
		}
		switch {
		case isQueued(r), isBlockedPrompt(r):
			n++
		case r.Type == "user" && r.Message != nil && isHuman(r):
			words := ""
			for _, b := range r.Message.Content {
				words += b.Text
			}
			// An agent that was only started to fill a cache.
			if words == "Warmup" && r.IsSidechain && len(records) <= 2 {
				continue
			}
			if answered[r.UUID] && typedCommandPattern.MatchString(words) {
				continue
			}
			key := r.Timestamp.String() + words
			if words == "" || r.Timestamp.IsZero() || !repeated[key] {
				n++
			}
			repeated[key] = true
		}
	}
	return n
}

// A promptQueue has the prompts that wait until the model has ended its turn, in logs without attachments.
type promptQueue struct {
	waiting             []string
	queued, attachments bool
}

// delivers returns the number of prompts that a record takes from the queue for the model in the middle of its turn.
func (q *promptQueue) delivers(r transcript.Record) int {
	q.attachments = q.attachments || r.Attachment != nil
	if r.Type == "user" && r.Message != nil && isHuman(r) {
		if !q.queued {
			q.waiting = nil
		}
		q.queued = false
	}
	var in struct{ Operation, Content string }
	if r.Type == "queue-operation" {
		_ = json.Unmarshal(r.Raw, &in)
	}
	switch {
	case in.Operation == "enqueue":
		q.waiting = append(q.waiting, in.Content)
	case in.Operation == "" || len(q.waiting) == 0:
	case in.Operation == "popAll":
		q.waiting = slices.DeleteFunc(q.waiting, func(s string) bool { return s == in.Content })
	default:
		text := q.waiting[0]
		q.waiting = q.waiting[1:]
		q.queued = in.Operation == "dequeue"
		if !q.queued && !q.attachments && text != "" && !strings.ContainsAny(text[:1], "</") {
			return 1
		}
	}
	return 0
}

var typedCommandPattern = regexp.MustCompile(`^/[A-Za-z0-9_][A-Za-z0-9_:-]*( |$)`)

func isHuman(r transcript.Record) bool {
	image, texts := false, []string(nil)
	for _, b := range r.Message.Content {
		switch b.Type {
		case "tool_result":
			return false // rule 1
		case "text":
			if s := strings.TrimSpace(b.Text); s != "" {
				texts = append(texts, s)
			}
		case "image", "document":
			image = true
		}
	}
	switch {
	case r.IsCompactSummary, r.IsVirtual, r.IsTranscriptOnly: // rule 2
		return false
	case r.Origin == "human" && len(texts) == 1 && strings.HasPrefix(texts[0], "<ci-monitor-event>") &&
		strings.HasSuffix(texts[0], "</ci-monitor-event>"):
		return false // an event, not typed
	case r.Origin != "": // rule 3
		return r.Origin == "human"
	case r.IsMeta: // rule 4
		return false
	}
	for _, s := range texts { // rules 5 and 6: typed text, or a picture
		if !isMarkup(s) {
			return true
		}
	}
	return image && len(texts) == 0
}

// isMarkup reports whether a text starts with a tag of an envelope that is not typed. Tags that may precede a typed
// text are skipped; if nothing follows them, it returns true.
func isMarkup(s string) bool {
	if strings.HasPrefix(s, "[Request interrupted by user at 20") || s == "Operation stopped by hook" ||
		strings.HasPrefix(s, "Operation stopped by hook: ") {
		return true
	}
	switch s {
	case "[Request interrupted by user]", "[Request interrupted by user for tool use]", "No response requested.",
		"[Tool result missing due to internal error]",
		"The user doesn't want to take this action right now. STOP what you are doing and wait for the user to tell you how to proceed.",
		"The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, " +
			"the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.":
		return true
	}
	for _, name := range []string{
		"command-name", "command-message", "local-command-stdout", "local-command-stderr", "local-command-caveat",
		"bash-input", "bash-stdout",
		"task-notification", "teammate-message", "agent-message", "user-prompt-submit-hook", "channel",
		"cross-session-message", "fork-boilerplate", "user-memory-input",
	} {
		if (strings.HasPrefix(s, "<"+name+">") || strings.HasPrefix(s, "<"+name+" ")) &&
			strings.Contains(s, "</"+name+">") {
			return true
		}
	}
	for _, name := range []string{
		"ide_opened_file", "ide_selection", "system-reminder", "mcp-resource", "new-diagnostics",
	} {
		if strings.HasPrefix(s, "<"+name+">") || strings.HasPrefix(s, "<"+name+" ") {
			_, rest, closed := strings.Cut(s, "</"+name+">")
			rest = strings.TrimSpace(rest)
			return closed && (rest == "" || isMarkup(rest))
		}
	}
	return false
}

// isBlockedPrompt reports whether a remark of the program has a prompt that a hook blocked.
func isBlockedPrompt(r transcript.Record) bool {
	return r.Type == "system" && r.Subtype == "informational" &&
		strings.HasPrefix(r.Text(), "UserPromptSubmit operation blocked by hook:") &&
		strings.Contains(r.Text(), "\n\nOriginal prompt: ")
}

func isQueued(r transcript.Record) bool {
	if r.Attachment == nil || r.Attachment.Type != "queued_command" {
		return false
	}
	field := func(name string) string { return transcript.String(transcript.Field(r.Attachment.Raw, name)) }
	blocks := transcript.Field(r.Attachment.Raw, "prompt")
	text, said := field("prompt"), field("prompt") != ""
	for e := range transcript.Elements(blocks) {
		text, said = text+transcript.String(transcript.Field(e, "text")), true
	}
	origin := transcript.String(transcript.Field(transcript.Field(r.Attachment.Raw, "origin"), "kind"))
	switch field("commandMode") {
	case "", "prompt", "bash":
		return said && !isMarkup(text) && (origin == "" || origin == "human") &&
			string(transcript.Field(r.Attachment.Raw, "isMeta")) != "true"
	}
	return false
}
