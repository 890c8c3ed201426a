package render

import (
	"strings"
	"testing"

	"viewer/internal/stats"
	"viewer/normalize"
)

func TestSafeName(t *testing.T) {
	for in, want := range map[string]string{
		"a1b2c3d":          "a1b2c3d",
		"pilot-a1b2":       "pilot-a1b2",
		"snake_case.x":     "snake_case.x",
		"../../etc/passwd": "etc-passwd",
		"/":                "x-",
		"..":               "x-",
		"":                 "x-",
		".hidden":          "hidden",
		"a b\tc":           "a-b-c",
		"name@team":        "name-team",
		"<script>":         "script",
		"潮汐":               "x-",
		"port 潮 9":         "port-9",
		"CON":              "x-CON",
		"nul.txt":          "x-nul.txt",
		"com9":             "x-com9",
		"LPT4.b":           "x-LPT4.b",
		"com10":            "com10",
		"console":          "console",
		"end.":             "end",
		"a//b":             "a-b",
		`C:\tide`:          "C-tide",
	} {
		if got := SafeName(in); got != want {
			t.Errorf("SafeName(%q) = %q, want %q", in, got, want)
		}
	}
	if got := SafeName(strings.Repeat("tide", 100)); len(got) > 80 {
		t.Errorf("SafeName of a long name has %d bytes, want at most 80", len(got))
	}
	for _, in := range []string{"a1b2c3d", "x y", "../z", "CON", ""} {
		if once := SafeName(in); SafeName(once) != once && once != "x-" {
			t.Errorf("SafeName(SafeName(%q)) = %q, want %q", in, SafeName(once), once)
		}
	}
}

// TestAgentNames: agents whose ids give the same name get different names, also on file systems that ignore case.
func TestAgentNames(t *testing.T) {
	d := testDrawer(new(normalize.Conversation), stats.Prices{})
	plan := pagePlanner{data: d.sessionData}
	agent := func(id string) *normalize.Agent {
		return &normalize.Agent{ID: id, Conversation: new(normalize.Conversation)}
	}
	a, b, c := agent("Pilot"), agent("pilot"), agent("pilot")
	for _, x := range []struct {
		agent *normalize.Agent
		want  string
	}{{a, "Pilot"}, {b, "pilot_2"}, {c, "pilot_3"}, {a, "Pilot"}, {b, "pilot_2"}} {
		if got := plan.register(d.ofAgent(x.agent)).name; got != x.want {
			t.Errorf("the page of agent %s is %q, want %q", x.agent.ID, got, x.want)
		}
	}
}
