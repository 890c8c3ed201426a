package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"viewer/normalize"
)

var hexID = regexp.MustCompile(`^[0-9a-f]+$`)

// TestOTLPHolds: in the traces of every session, ids are valid and unique, parents are in the same trace, spans do not
// end before they start, and each call has a span.
func TestOTLPHolds(t *testing.T) {
	eachSession(t, func(name string, s Session) {
		data, err := OTLP(s, Options{Level: Tools})
		if errors.Is(err, errNoSteps) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		tools, seen := 0, make(map[string]bool)
		for line := range bytes.Lines(data) {
			var all traces
			if err := json.Unmarshal(line, &all); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			inTrace, turnEnd := make(map[string]bool), uint64(0)
			for i, span := range all.Resources[0].Scopes[0].Spans {
				formed := len(span.Trace) == 32 && len(span.ID) == 16 && hexID.MatchString(span.Trace+span.ID)
				if !formed || seen[span.ID] {
					t.Errorf("%s: invalid or duplicate id of span %s of trace %s", name, span.ID, span.Trace)
				}
				if (i == 0) != (span.Parent == "") || i > 0 && !inTrace[span.Parent] {
					t.Errorf("%s: span %d has the parent %q", name, i, span.Parent)
				}
				inTrace[span.ID], seen[span.ID] = true, true
				start, err := strconv.ParseUint(span.Start, 10, 64)
				end, err2 := strconv.ParseUint(span.End, 10, 64)
				if err != nil || err2 != nil || end < start {
					t.Errorf("%s: invalid times of a span from %s to %s", name, span.Start, span.End)
				}
				if i == 0 {
					turnEnd = end
				} else if span.Parent == all.Resources[0].Scopes[0].Spans[0].ID && end > turnEnd {
					t.Errorf("%s: span %q ends after its turn", name, span.Name)
				}
				if strings.HasPrefix(span.Name, "execute_tool ") {
					tools++
				}
				for _, a := range span.Attributes {
					if value := a.Value.String; value != nil && strings.HasSuffix(a.Key, ".messages") &&
						!json.Valid([]byte(*value)) {
						t.Errorf("%s: %s is not JSON: %.80q", name, a.Key, *value)
					}
				}
			}
		}
		if want := madeCalls(s.Conversation); tools != want {
			t.Errorf("%s: got %d spans of calls, want %d", name, tools, want)
		}
	})
}

// TestOTLPTimes: a turn lasts as long as what is in it, also if that is only a line of the program.
func TestOTLPTimes(t *testing.T) {
	c := read(`{"type":"system","subtype":"informational","uuid":"u1","content":"a","timestamp":"2026-03-01T10:00:00Z"}`)
	data, err := OTLP(Session{Conversation: c}, Options{Level: Everything})
	if err != nil {
		t.Fatal(err)
	}
	var all traces
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, span := range all.Resources[0].Scopes[0].Spans {
		if span.Start == "0" || span.End == "0" {
			t.Errorf("span %q has no time", span.Name)
		}
	}
}

// madeCalls counts the calls of a session and its agents that were not rewound.
func madeCalls(c *normalize.Conversation) int {
	n := 0
	for g := range c.Groups() {
		if g.Call != nil {
			n++
		}
		for _, a := range g.Agents {
			n += madeCalls(a.Conversation)
		}
	}
	for _, a := range c.Agents {
		n += madeCalls(a.Conversation)
	}
	return n
}

// TestMessagesHold: the conversations of a data set have the order that inference servers require: the results of the
// calls of an answer follow it directly, one for each call.
func TestMessagesHold(t *testing.T) {
	eachSession(t, func(name string, s Session) {
		data, err := Messages(s, Options{Level: Everything})
		if errors.Is(err, errNoSteps) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		calls := 0
		for line := range bytes.Lines(data) {
			var c chat
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var open []string
			for i, m := range c.Messages {
				switch {
				case m.Role == "tool":
					if len(open) == 0 || open[0] != m.Call {
						t.Errorf("%s: message %d is a result of %q, want one of %q", name, i, m.Call, open)
						return
					}
					open = open[1:]
					continue
				case len(open) > 0:
					t.Errorf("%s: message %d is before the results of %q", name, i, open)
					return
				case m.Role == "assistant" && m.Content == nil && m.Calls == nil && m.Reasoning == "":
					t.Errorf("%s: message %d is empty", name, i)
				case m.Role != "user" && m.Role != "assistant" || m.Role == "user" && m.Content == nil:
					t.Errorf("%s: message %d of role %q has the content %v", name, i, m.Role, m.Content)
				}
				for _, call := range m.Calls {
					calls++
					open = append(open, call.ID)
					if !json.Valid([]byte(call.Function.Arguments)) {
						t.Errorf("%s: the arguments of a call are not JSON: %.80q", name, call.Function.Arguments)
					}
				}
			}
			if len(open) > 0 {
				t.Errorf("%s: no results of %q", name, open)
			}
		}
		if want := madeCalls(s.Conversation); calls != want {
			t.Errorf("%s: got %d calls, want %d", name, calls, want)
		}
	})
}

// TestExitAfterCall: formats have the exit code of a command that failed after its call was done. The time of the call
// is not that of the command.
func TestExitAfterCall(t *testing.T) {
	c := read(`{"type":"assistant","uuid":"a","timestamp":"2026-03-01T10:00:00Z","message":{"id":"m",`+
		`"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash",`+
		`"input":{"command":"make","run_in_background":true}}]}}`,
		`{"type":"user","uuid":"b","timestamp":"2026-03-01T10:00:02Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",`+
			`"content":"Command running in background with ID: b1"}]},"toolUseResult":{"backgroundTaskId":"b1"}}`,
		`{"type":"user","uuid":"c","origin":{"kind":"task-notification"},"message":{"role":"user","content":`+
			`"<task-notification><task-id>b1</task-id><tool-use-id>t1</tool-use-id>`+
			`<summary>Background command \"make\" failed with exit code 3</summary></task-notification>"}}`)
	for _, format := range []struct {
		name  string
		write func(Session, Options) ([]byte, error)
		want  []string
	}{
		{"json", JSON, []string{`"state": "done"`, `"exit": "3"`}},
		{"atif", ATIF, []string{`"exit": "3"`}},
		{"otlp", OTLP, []string{`"process.exit.code","value":{"intValue":"3"}`, `"message":"exit 3"`}},
		{"text", Text, []string{"* Bash make  (in background, exit 3)\n"}},
		{"md", Markdown, []string{"<code>make</code> · in background · exit 3</summary>"}},
	} {
		out, err := format.write(Session{Conversation: c}, Options{Level: Tools})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range format.want {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s lacks %s:\n%s", format.name, want, out)
			}
		}
	}
}
