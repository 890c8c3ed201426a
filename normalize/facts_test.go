package normalize

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"viewer/internal/transcript"
)

func build(lines string) *Conversation {
	f := transcript.Read("in.jsonl", []byte(lines))
	return Build(Input{ID: "in", Main: &f})
}

func TestFacts(t *testing.T) {
	c := build(`{"type":"mode","sessionId":"s1","timestamp":"2020-01-01T00:00:00Z"}
{"type":"user","uuid":"u1","sessionId":"s1","cwd":"/w","gitBranch":"main","version":"2.1.1","teamName":"blue","agentName":"ann","timestamp":"2026-03-01T10:00:05Z","message":"go"}
{"type":"assistant","uuid":"u2","sessionId":"other","cwd":"/w/sub","gitBranch":"HEAD","version":"2.1.1","timestamp":"2026-03-01T10:00:01Z","message":{"id":"m","model":"big","content":"a"}}
{"type":"assistant","uuid":"u3","gitBranch":"fix","version":"2.1.2","message":{"id":"m2","model":"<synthetic>","content":"b"}}
{"type":"assistant","uuid":"u4","gitBranch":"main","timestamp":"2026-03-01T10:00:09Z","message":{"id":"m3","model":"small","content":"c"}}
{"type":"assistant","uuid":"u5","gitBranch":"","message":{"id":"m4","model":"big","content":"d"}}
{"type":"assistant","uuid":"u6","gitBranch":" ","message":{"id":"m5","model":"\n","content":"e"}}
{"type":"pr-link","prUrl":"https://x.test/1","version":3}
{"type":"pr-link","prUrl":"https://x.test/2"}
{"type":"pr-link","prUrl":"https://x.test/1","timestamp":"2027-01-01T00:00:00Z"}
`)
	want := Facts{
		SessionID: "s1", CWD: "/w", Branches: []string{"main", "fix"}, Models: []string{"big", "small"},
		Versions: []string{"2.1.1", "2.1.2"},
		TeamName: "blue", AgentName: "ann", FirstPrompt: "go",
		Start:        time.Date(2026, 3, 1, 10, 0, 1, 0, time.UTC),
		End:          time.Date(2026, 3, 1, 10, 0, 9, 0, time.UTC),
		PullRequests: []string{"https://x.test/1", "https://x.test/2"},
	}
	if diff := cmp.Diff(want, c.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestFactsWithoutTimes(t *testing.T) {
	f := build(`{"type":"user","message":"go","timestamp":"soon"}`).Facts
	if !f.Start.IsZero() || !f.End.IsZero() {
		t.Errorf("Start, End = %v, %v, want zero: a missing time is never now", f.Start, f.End)
	}
}

// TestEndOfAgents: a session lasts as long as its agents, of which one in the background may run on.
func TestEndOfAgents(t *testing.T) {
	read := func(lines string) *transcript.File {
		f := transcript.Read("in.jsonl", []byte(lines))
		return &f
	}
	message := func(at string) string {
		return `{"type":"user","message":"go","timestamp":"2026-03-01T` + at + `Z"}` + "\n"
	}
	agents := []AgentFile{
		{ID: "a1", File: read(message("10:00:05") + message("10:09:00"))}, {ID: "a2", File: read(message("10:00:07"))},
	}
	for log, want := range map[string]time.Time{
		message("10:00:00") + message("10:00:10"): time.Date(2026, 3, 1, 10, 9, 0, 0, time.UTC),
		message("10:00:00") + message("10:20:00"): time.Date(2026, 3, 1, 10, 20, 0, 0, time.UTC),
		`{"type":"user","message":"go"}`:          {},
	} {
		f := Build(Input{ID: "in", Main: read(log), Agents: agents}).Facts
		if !f.End.Equal(want) {
			t.Errorf("%s: ends at %v, want %v", log, f.End, want)
		}
	}
}

func TestTurn(t *testing.T) {
	c := build(`{"type":"mode"}
{"type":"user","timestamp":"2026-03-01T10:00:05Z","message":"one"}
{"type":"assistant","timestamp":"2026-03-01T10:00:02Z","message":{"id":"m1","content":"a","usage":{"input_tokens":1,"output_tokens":2}}}
{"type":"assistant","timestamp":"2026-03-01T10:00:07Z","message":{"id":"m1","content":"b","usage":{"input_tokens":1,"output_tokens":5}}}
{"type":"assistant","message":{"id":"m2","content":"c","usage":{"input_tokens":10,"output_tokens":20}}}
{"type":"user","timestamp":"2026-03-01T10:09:00Z","isMeta":true,"message":"It is late."}
{"type":"assistant","timestamp":"2026-03-01T10:10:00Z","message":{"model":"<synthetic>","content":"No response requested."}}
{"type":"user","message":"<command-name>/x</command-name>"}
{"type":"assistant","message":{"id":"m1","content":"copied","usage":{"input_tokens":1,"output_tokens":5}}}
`)
	if len(c.Turns) != 3 {
		t.Fatalf("%d turns, want 3:\n%s", len(c.Turns), outline(c))
	}
	for i, want := range []struct {
		asked bool
		usage transcript.Usage
		head  int
		span  time.Duration
	}{
		{false, transcript.Usage{}, 1, 0},
		{true, transcript.Usage{Input: 11, Output: 25}, 2, 5 * time.Second},
		{false, transcript.Usage{}, 8, 0},
	} {
		turn := c.Turns[i]
		if got := turn.Asked(); got != want.asked {
			t.Errorf("turn %d: Asked() = %v, want %v", i, got, want.asked)
		}
		if got := turn.Usage(); got != want.usage {
			t.Errorf("turn %d: Usage() = %+v, want %+v: each message once in a session", i, got, want.usage)
		}
		if got := turn.Head().Record.Pos.Line; got != want.head {
			t.Errorf("turn %d: Head() is in line %d, want %d", i, got, want.head)
		}
		start, end := turn.Span()
		if got := end.Sub(start); got != want.span {
			t.Errorf("turn %d: Span() = %v to %v, want %v", i, start, end, want.span)
		}
	}
}

// TestNames: all names and signs are set, so that a new constant without one is noticed.
func TestNames(t *testing.T) {
	names := make(map[string]bool)
	check := func(name string) {
		t.Helper()
		if name == "" || names[name] {
			t.Errorf("name %q is empty or used twice", name)
		}
		names[name] = true
	}
	for k := range Kind(len(kindNames)) {
		check("kind " + k.String())
	}
	for s := range State(len(stateNames)) {
		check("state " + s.String())
		if s.OK() != (s == Done) {
			t.Errorf("%s: OK() = %v, want %v", s, s.OK(), !s.OK())
		}
	}
	if got, want := State(len(stateNames)-1), Unlogged; got != want {
		t.Errorf("the last name of a state is that of %d, want %d", got, want)
	}
	for k := range ContextKind(len(contextKinds)) {
		check("context " + k.String())
		check("sign " + k.Emoji())
	}
	for kind, emoji := range map[ContextKind]string{
		ContextFile: "📄", ContextWeb: "🌐", ContextFolder: "📁", ContextSymbol: "🔗", ContextTerminal: "💻",
		ContextProblems: "⚠️", ContextGit: "🔀", ContextSelection: "✏️", ContextWorkspace: "🏠",
	} {
		if got := kind.Emoji(); got != emoji {
			t.Errorf("%s: Emoji() = %s, want %s", kind, got, emoji)
		}
	}
}

// TestAllStops: All stops when the loop over it ends.
func TestAllStops(t *testing.T) {
	in := inputOf(t, "testdata/agent/trap23_nested.txtar")
	c := Build(in)
	for most := 1; most <= 3; most++ {
		n := 0
		for range c.All() {
			if n++; n == most {
				break
			}
		}
		if n != most {
			t.Errorf("%d conversations, want %d", n, most)
		}
	}
}

func TestElement(t *testing.T) {
	tag := Tag{Body: "<a> x </a><b>unclosed<c></c>"}
	for name, want := range map[string]string{"a": "x", "b": "", "c": "", "d": ""} {
		if got := tag.Element(name); got != want {
			t.Errorf("Element(%s) = %q, want %q", name, got, want)
		}
	}
}

func TestTagAttrs(t *testing.T) {
	for in, want := range map[string]map[string]string{
		`<teammate-message teammate_id="ann" summary="a b">x</teammate-message>`: {"teammate_id": "ann", "summary": "a b"},
		`<teammate-message>x</teammate-message>`:                                 nil,
		`<teammate-message a="1" b="unclosed>x</teammate-message>`:               {"a": "1"},
		`<teammate-message a='1'>x</teammate-message>`:                           nil,
	} {
		tag, rest, ok := cutTag(in + "rest")
		if !ok || rest != "rest" || tag.Body != "x" {
			t.Errorf("cutTag(%s) = %+v, %q, %v, want the tag and true", in, tag, rest, ok)
		}
		for _, name := range []string{"teammate_id", "summary", "a", "b", "y"} {
			if got := tag.Attr(name); got != want[name] {
				t.Errorf("%s: %s is %q, want %q", in, name, got, want[name])
			}
		}
	}
}

// TestStreamed: the output of a run need not begin with a prompt, nor have one between two answers.
func TestStreamed(t *testing.T) {
	const answers = `{"type":"assistant","uuid":"u1","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"a"}]}}
{"type":"result","subtype":"success"}
{"type":"assistant","uuid":"u2","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"b"}]}}
`
	if c := build(answers); c.Facts.Streamed || len(c.Problems) != 2 {
		t.Errorf("a session file: streamed %v, problems %v, want two", c.Facts.Streamed, c.Problems)
	}
	if c := build(`{"type":"system","subtype":"init","session_id":"s"}` + "\n" + answers); !c.Facts.Streamed ||
		len(c.Problems) != 0 {
		t.Errorf("a stream: streamed %v, problems %v, want none", c.Facts.Streamed, c.Problems)
	}
}

// TestTitleHeadline: the title is the heading at the start of the first prompt, without the text after it.
func TestTitleHeadline(t *testing.T) {
	for prompt, want := range map[string]string{
		"# Close all remaining gaps\n\n> Requires a team": "# Close all remaining gaps",
		"\n## Add lamps to the pier\ntext":                "## Add lamps to the pier",
		"# Plan\n\nAdd lamps":                             "# Plan\n\nAdd lamps", // the heading is too short
		"#1 is wrong, see the log":                        "#1 is wrong, see the log",
		"Fix this\n# not the heading of it":               "Fix this\n# not the heading of it",
	} {
		if got := titleOf(&Facts{FirstPrompt: prompt}); got != want {
			t.Errorf("the title of %q is %q, want %q", prompt, got, want)
		}
	}
}

// TestIsWord: a greeting or an unknown command alone is no request; a word of another script may be.
func TestIsWord(t *testing.T) {
	for prompt, want := range map[string]bool{
		"hi": true, " Hello!\n": true, "/mode": true, "Go...": true,
		"": false, "!": false, "Fix it": false, "#17": false, "ENG-98": false, "修复这个错误": false, "src/lamp.go": false,
	} {
		if got := IsWord(prompt); got != want {
			t.Errorf("%q: got %t, want %t", prompt, got, want)
		}
	}
}

// TestAdvised: each answer that another model advised has one note, at its first visible message.
func TestAdvised(t *testing.T) {
	record := func(typ, id, advisor, rule string) *Message {
		r := &transcript.Record{Type: typ, RequestID: id, Rare: &transcript.Rare{AdvisorModel: advisor}}
		return &Message{Record: r, Rule: rule}
	}
	messages := []*Message{
		record("assistant", "r1", "", ""), record("assistant", "r2", "m", ruleEmpty), record("user", "r2", "m", ""),
		record("assistant", "r2", "m", ""), record("assistant", "r2", "m", ""), record("assistant", "r3", "m", ""),
	}
	markAdvised(messages)
	for i, want := range []bool{false, false, false, true, false, true} {
		if messages[i].Advised != want {
			t.Errorf("message %d is advised: %v, want %v", i, messages[i].Advised, want)
		}
	}
}

// TestShowPersonal shows what was hidden as personal, and nothing else.
func TestShowPersonal(t *testing.T) {
	messages := []*Message{{Rule: rulePersonal}, {Rule: ruleEmpty}, {}}
	showPersonal(messages)
	if messages[0].Rule != "" || messages[1].Rule != ruleEmpty || messages[2].Rule != "" {
		t.Errorf("got the rules %q, %q and %q", messages[0].Rule, messages[1].Rule, messages[2].Rule)
	}
}
