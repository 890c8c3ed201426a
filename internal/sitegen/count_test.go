package sitegen

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"viewer/internal/testing/corpus"
)

// TestIndependentCount counts prompts, texts, calls, results and hooks in files and on pages. It shares no code with
// the reader or the renderer, so that both cannot be wrong in the same way. Files of other agents in these folders have
// their own counters in the packages of their sources.
func TestIndependentCount(t *testing.T) {
	found := withSessions(t, corpus.Share(corpus.Optional(t, realFolders...)))
	for _, source := range append([]string{testdata}, found...) {
		t.Run(filepath.Base(source), func(t *testing.T) {
			t.Parallel()
			in := countLogs(t, source)
			if in.records == 0 {
				t.Skip("no records of sessions")
			}
			out := t.TempDir()
			_, err := Build(t.Context(), Options{
				Sources: []string{source}, Out: out, Filter: Filter{Agents: []string{"claude-code"}}, Version: "test",
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, finding := range in.compare(countPages(t, out, in.pairs)) {
				t.Error(finding)
			}
			t.Logf("%d records, %d texts compared", in.records, len(in.texts))
		})
	}
}

// TestIndependentCountDiffers: if the pages lack something of a file, whatever it is, the count finds it.
func TestIndependentCountDiffers(t *testing.T) {
	out, more := t.TempDir(), t.TempDir()
	buildInto(t, out, testdata)
	long := strings.Repeat("zephyr quokka umbra xylem ", 9)
	line := func(uuid, kind, rest string) string {
		return `{"type":"` + kind + `","uuid":"` + uuid + `-bbbb-4ccc-8ddd-eeeeeeeeeeee",` + rest + "}\n"
	}
	err := os.WriteFile(filepath.Join(more, "more.jsonl"), []byte(
		line("10000001", "user", `"message":{"content":"A prompt"}`)+
			line("30000002", "assistant", `"message":{"content":[{"type":"text","text":"A text"},{"type":"tool_use","id":"t","name":"Task"}]}`)+
			line("50000003", "user", `"message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"`+long+
				`"}]}`)+
			line("70000004", "attachment", `"attachment":{"type":"hook_success"}`)), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	in := countLogs(t, testdata)
	in.file(t, filepath.Join(more, "more.jsonl"), false)
	got := strings.Join(in.compare(countPages(t, out, in.pairs)), "\n")
	for _, want := range []string{
		"prompt of more.jsonl:1", "text of more.jsonl:2", "call of more.jsonl:2", "more.jsonl:3: result: on no page",
		"hook: ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got findings\n%[2]s\nwant %[1]q among them", want, got)
		}
	}
}

// compare returns the differences between the counts of files and pages.
func (l *logCounts) compare(shown *pageCounts) []string {
	var found []string
	say := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	for _, kind := range slices.Sorted(maps.Keys(l.kinds)) {
		c := l.kinds[kind]
		if n := shown.counts[kind]; n < len(c.unique) || n > c.all {
			say("%s: %d are drawn, want %d, or up to %d with copies", kind, n, len(c.unique), c.all)
		}
		missing := 0
		for _, id := range slices.Sorted(maps.Keys(c.unique)) {
			if s := c.unique[id]; s.anchor != "" && !strings.HasPrefix(s.anchor, "?") && !shown.has(kind, s.anchor) {
				if missing++; missing <= 3 {
					say("%s of %s is not drawn at its place #%s", kind, s.at, s.anchor)
				}
			}
		}
	}
	for _, s := range l.texts {
		if words := s.missing(shown.pairs); words != "" {
			say("%s: %s: on no page: %s ...", s.at, s.kind, words)
		}
	}
	return found
}

// A location is the position of an item in a file, and its anchor on a page.
type location struct{ at, anchor string }

// A tally counts items of one kind: each once, by the id of its record, and all of them, including copies.
type tally struct {
	unique map[string]location
	all    int
}

// A loggedText is a text of a log that must be on a page.
type loggedText struct {
	at, kind string
	words    []string
}

type logCounts struct {
	records int
	kinds   map[string]*tally
	texts   []loggedText
	pairs   map[string]bool // pairs of consecutive words to look for on pages
}

func (l *logCounts) add(kind, id, at, anchor string) {
	c := l.kinds[kind]
	if c == nil {
		c = &tally{unique: make(map[string]location)}
		l.kinds[kind] = c
	}
	c.all++
	if _, known := c.unique[id]; !known {
		c.unique[id] = location{at, anchor}
	}
}

// mayShow counts an item that pages show only in some cases, such as progress of an agent without a file.
func (l *logCounts) mayShow(kind string) {
	if kind != "" {
		l.add(kind, "", "", "")
		delete(l.kinds[kind].unique, "")
	}
}

func (l *logCounts) say(at, kind, text string) {
	s := loggedText{at: at, kind: kind, words: wordsOf(text)}
	for i := 1; i < len(s.words); i++ {
		l.pairs[s.words[i-1]+" "+s.words[i]] = false
	}
	l.texts = append(l.texts, s)
}

// A logLine has the fields of a record that are counted.
type logLine struct {
	Type, Subtype, UUID, Timestamp, AgentID, ParentUUID                     string
	Operation                                                               string // of the queue
	IsMeta, IsSidechain, IsCompactSummary, IsVirtual, IsVisibleInTranscript bool
	IsApiErrorMessage, IsVisibleInTranscriptOnly                            bool
	ParentToolUseID                                                         string `json:"parent_tool_use_id"`
	Origin                                                                  struct{ Kind string }
	Content                                                                 json.RawMessage
	Message                                                                 struct {
		Role, Model string
		Content     json.RawMessage
	}
	Attachment struct {
		Type, HookEvent, CommandMode string
		Prompt                       json.RawMessage
		IsMeta                       bool
		Origin                       struct{ Kind string }
	}
	Data struct {
		Type    string
		Message struct {
			Message struct{ Content json.RawMessage }
		}
	}
}

type logBlock struct {
	Type, Text, ID, Name string
	ToolUseID            string `json:"tool_use_id"`
	Content              json.RawMessage
}

// text returns content that is a string.
func text(content json.RawMessage) string {
	var s string
	_ = json.Unmarshal(content, &s) // not a string: no text
	return s
}

// blocksOf returns the blocks of a content. A string is one block of text.
func blocksOf(content json.RawMessage) []logBlock {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []logBlock{{Type: "text", Text: text}}
	}
	var all []logBlock
	_ = json.Unmarshal(content, &all) // not a list: no blocks
	return all
}

func countLogs(t *testing.T, source string) *logCounts {
	t.Helper()
	l := &logCounts{kinds: make(map[string]*tally), pairs: make(map[string]bool)}
	err := filepath.WalkDir(source, func(path string, d os.DirEntry, err error) error {
		name := d.Name()
		if err != nil || d.IsDir() || !strings.HasPrefix(filepath.Ext(name), ".json") ||
			strings.HasSuffix(name, ".meta.json") ||
			name == "journal.jsonl" || name == "history.jsonl" {
			return err
		}
		agent := strings.HasPrefix(name, "agent-") || strings.Contains(filepath.ToSlash(path), "/subagents/")
		l.file(t, path, agent)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *logCounts) file(t *testing.T, path string, agent bool) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := logLines(data)
	if agent && warmup(lines) {
		return
	}
	var queue loggedQueue
	for i, r := range lines {
		at := filepath.Base(path) + ":" + strconv.Itoa(i+1)
		id := r.UUID
		if len(id) != 36 { // an id made by hand, which other files may use too
			id = filepath.Base(path) + ":" + cmp.Or(id, at)
		}
		if r.Message.Content != nil || r.Type == "attachment" {
			l.records++
		}
		queue.attachments = queue.attachments || r.Type == "attachment"
		switch {
		case r.Type == "assistant":
			l.assistant(r, id, at)
		case r.Type == "progress" && r.Data.Type == "agent_progress": // shown if the agent has no file
			for _, b := range blocksOf(r.Data.Message.Message.Content) {
				l.mayShow(map[string]string{"text": "text", "tool_use": "call"}[b.Type])
			}
		case r.Type == "user":
			if l.user(r, id, at, agent || r.IsSidechain || r.ParentToolUseID != "") {
				queue.prompted()
			}
		case r.Type == "queue-operation" && !agent:
			if prompt, ok := queue.delivers(r.Operation, text(r.Content)); ok {
				l.add("prompt", at, at, "")
				l.say(at, "prompt", prompt)
			}
		case r.Type == "attachment" && r.Attachment.Type == "queued_command" && !agent:
			l.queued(r, id, at)
		default:
			l.hook(r, id, at)
		}
	}
}

// hook counts what a record says about a hook.
func (l *logCounts) hook(r logLine, id, at string) {
	switch {
	case r.Type == "attachment" && (strings.HasPrefix(r.Attachment.Type, "hook_") || r.Attachment.HookEvent != ""),
		r.Type == "progress" && r.Data.Type == "hook_progress", r.Type == "system" && r.Subtype == "hook_response":
		l.add("hook", id, at, "")
	case r.Type == "system" && r.Subtype == "" && strings.HasPrefix(text(r.Content), "\x1b[1m"): // a hook of 1.0.x
		l.add("hook", id, at, "")
	case r.Type == "system" && strings.HasPrefix(text(r.Content), "Running \x1b[1m"): // shown if nothing follows
		l.mayShow("hook")
	}
}

// logLines parses lines of JSON, or the JSON array of an execution file.
func logLines(data []byte) []logLine {
	values := bytes.Split(data, []byte("\n"))
	var array []json.RawMessage
	if json.Unmarshal(data, &array) == nil {
		values = values[:0]
		for _, v := range array {
			values = append(values, v)
		}
	}
	lines := make([]logLine, len(values))
	for i, v := range values {
		_ = json.Unmarshal(v, &lines[i]) // in spite of fields with another type
	}
	return lines
}

// warmup reports whether an agent was only started to fill a cache.
func warmup(lines []logLine) bool {
	calls, first := false, ""
	for _, r := range lines {
		for _, b := range blocksOf(r.Message.Content) {
			calls = calls || b.Type == "tool_use"
			if r.Type == "user" && first == "" {
				first = b.Text
			}
		}
	}
	return strings.TrimSpace(first) == "Warmup" && !calls
}

func (l *logCounts) assistant(r logLine, id, at string) {
	for i, b := range blocksOf(r.Message.Content) {
		part := id + "." + strconv.Itoa(i)
		switch {
		case b.Type == "text" && strings.TrimSpace(b.Text) != "" && !r.IsApiErrorMessage &&
			!interruption[strings.TrimSpace(b.Text)]:
			l.add("text", part, at, shortAnchor(r.UUID, i))
			l.say(at, "text", b.Text)
		case b.Type == "tool_use":
			l.add("call", part, at, shortAnchor(r.UUID, i))
		}
	}
}

// user counts what a user record has, and reports whether it is a prompt of the session.
func (l *logCounts) user(r logLine, id, at string, inside bool) (prompted bool) {
	blocks := blocksOf(r.Message.Content)
	answers, typed := false, ""
	for _, b := range blocks {
		if b.Type == "tool_result" {
			answers = true
			for _, inner := range blocksOf(b.Content) {
				l.say(at, "result", inner.Text)
			}
		}
		if text := strings.TrimSpace(b.Text); b.Type == "text" && isTyped(text) {
			typed += text
		} else if b.Type == "image" || b.Type == "document" {
			typed += b.Type
		}
	}
	human := r.Origin.Kind == "human" || r.Origin.Kind == "" && !r.IsMeta
	if human && !answers && typed != "" && !r.IsCompactSummary && !r.IsVirtual && !r.IsVisibleInTranscriptOnly {
		if inside { // in a file of an agent, which is shown as a session if its own is missing
			l.mayShow("prompt")
			return false
		}
		if r.Timestamp != "" { // the same prompt, logged twice, counts once
			id = r.Timestamp + typed
		}
		l.add("prompt", id, at, shortAnchor(r.UUID, 0))
		l.say(at, "prompt", typed)
		return true
	}
	return false
}

func (l *logCounts) queued(r logLine, id, at string) {
	a, text := r.Attachment, ""
	for _, b := range blocksOf(a.Prompt) {
		text += b.Text + "\n"
	}
	text = strings.TrimSpace(text)
	human := !a.IsMeta && (a.Origin.Kind == "" || a.Origin.Kind == "human")
	if human && isTyped(text) && slices.Contains([]string{"", "prompt", "bash"}, a.CommandMode) {
		l.add("prompt", id, at, shortAnchor(r.UUID, 0))
		l.say(at, "prompt", text)
	}
}

// untyped matches the start of texts that nobody typed, asideTags the tags that may precede a typed text.
var (
	untyped = regexp.MustCompile(`^<(command-|local-command-|bash-|task-notification|teammate-message|user-prompt-submit-hook|` +
		`agent-message|cross-session-message|channel|fork-boilerplate|user-memory-input)`)
	asideTags = regexp.MustCompile(`^(?:\s*<(?:system-reminder|ide_opened_file|ide_selection|ide_diagnostics|mcp-resource)[^>]*>(?:[^<]|<[^/])*</[a-z_-]+>)+\s*`)
)

// isTyped reports whether a person typed a text.
func isTyped(text string) bool {
	text = strings.TrimSpace(asideTags.ReplaceAllString(text, ""))
	return text != "" && !untyped.MatchString(text) && !interruption[text]
}

var interruption = map[string]bool{
	"[Request interrupted by user]": true, "[Request interrupted by user for tool use]": true,
	"No response requested.": true,
}

// pageCounts are the items on pages: their number for each kind, their anchors, and which pairs of words were found.
type pageCounts struct {
	counts map[string]int
	ids    map[string]map[string]bool
	pairs  map[string]bool
}

// has reports whether an item has an anchor, a longer form of it, or one with the prefix of an agent.
func (p *pageCounts) has(kind, anchor string) bool {
	name, part, _ := strings.Cut(anchor, ".")
	for id := range p.ids[kind] {
		own, ownPart, _ := strings.Cut(id[strings.LastIndexByte(id, '-')+1:], ".")
		// a prompt may begin with another part
		if strings.HasPrefix(own, name) && (ownPart == part || kind == "prompt") {
			return true
		}
	}
	return false
}

// drawnAs matches the start of each kind of item on pages.
var drawnAs = map[string]*regexp.Regexp{
	"prompt": regexp.MustCompile(`<div class="prompt" id="([^"]*)"><div class="who"><(?:h2|h3|b)>You<`),
	"text":   regexp.MustCompile(`<div class="prose (?:at-chat|answer|answer cut)" id="([^"]*)">`),
	"call":   regexp.MustCompile(`<(?:div|details) class="tool[^"]*" id="([^"]*)"[^>]*><(?:summary|div) class="row"><svg[^>]*><use[^>]*/></svg><span class="nm">(?:[^R]|R[^e]|Re[^s]|Res[^u])`),
	"hook":   regexp.MustCompile(`<use href="#i-hook"/></svg><b>()`),
}

func countPages(t *testing.T, out string, wanted map[string]bool) *pageCounts {
	t.Helper()
	p := &pageCounts{counts: make(map[string]int), ids: make(map[string]map[string]bool), pairs: wanted}
	for kind := range drawnAs {
		p.ids[kind] = make(map[string]bool)
	}
	err := filepath.WalkDir(out, func(path string, d os.DirEntry, err error) error {
		ext := filepath.Ext(path)
		if err != nil || ext != ".html" && ext != ".txt" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(data)
		if ext == ".html" {
			if !strings.Contains(filepath.ToSlash(path), "/s/") {
				return nil
			}
			for kind, begins := range drawnAs {
				for _, m := range begins.FindAllStringSubmatch(text, -1) {
					p.counts[kind]++
					p.ids[kind][m[1]] = true
				}
			}
			text = html.UnescapeString(withoutTags(text))
		}
		before := ""
		for _, word := range wordsOf(text) {
			if _, asked := p.pairs[before+" "+word]; asked {
				p.pairs[before+" "+word] = true
			}
			before = word
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// missing returns the first long sequence of words of a text that is on no page, or "".
func (s loggedText) missing(found map[string]bool) string {
	from := 1
	for i := 1; i < len(s.words); i++ {
		if found[s.words[i-1]+" "+s.words[i]] {
			from = i + 1
		} else if i-from >= longestRemark {
			return strings.Join(s.words[from:i+1], " ")
		}
	}
	return ""
}

// wordsOf splits a text into words of letters and digits. Words without a letter, such as line numbers, are left out.
func wordsOf(text string) []string {
	var all []string
	for word := range strings.FieldsFuncSeq(escapes.ReplaceAllString(text, " "), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if strings.IndexFunc(word, unicode.IsLetter) >= 0 {
			all = append(all, word)
		}
	}
	return all
}
