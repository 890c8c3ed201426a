package normalize

import (
	"strings"
	"testing"
)

// TestCopies: a history that was copied to the end of its file with other uuids is hidden, and counts once.
func TestCopies(t *testing.T) {
	record := func(kind, uuid, second, message string) string {
		return `{"type":"` + kind + `","uuid":"` + uuid + `","sessionId":"s","timestamp":"2026-01-21T15:30:` + second +
			`Z","message":` + message + "}\n"
	}
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	user := func(uuid, second, blocks string) string {
		return record("user", uuid, second, `{"role":"user","content":[`+blocks+`]}`)
	}
	assistant := func(uuid, second, id, block string) string {
		return record("assistant", uuid, second, `{"id":"`+id+`","role":"assistant","content":[`+block+`]}`)
	}
	call := func(id string) string { return `{"type":"tool_use","id":"` + id + `","name":"Read","input":{}}` }
	result := func(id string) string {
		return `{"type":"tool_result","tool_use_id":"` + id + `","content":"ok"}`
	}
	file := text("<ide_opened_file>a.md</ide_opened_file>")
	history := user("u1", "10", file+","+text("Count.")) + assistant("a1", "12", "m1", text("I look.")) +
		assistant("a2", "13", "m1", call("t1")) + assistant("a3", "14", "m1", call("t2")) +
		user("r1", "15", result("t1")) + assistant("a4", "17", "m2", text("Two."))
	copied := user("v0", "10", file) + user("v1", "10", text("Count.")) +
		assistant("b1", "12", "m1", text("I look.")) + assistant("b2", "13", "m1", call("t1")) +
		assistant("b3", "14", "m1", call("t2")) + user("w1", "15", result("t1")) +
		assistant("b4", "17", "m2", text("Two.")) + user("w2", "40", result("t2"))
	again := user("v2", "50", text("Count.")) + assistant("b5", "52", "m3", text("Two."))

	for name, c := range map[string]struct {
		log                    string
		prompts, calls, hidden int
	}{
		"no copy":            {history + again, 2, 2, 0},
		"a copy":             {history + copied + again, 2, 2, 7},
		"other times":        {history + strings.ReplaceAll(copied, "15:30", "15:31") + again, 3, 4, 0},
		"parts of an answer": {history + assistant("b6", "17", "m2", text("Two.")), 1, 2, 0},
		"times of a clock that stands": {
			user("u1", "10", text("yes")) + assistant("a1", "10", "m1", text("One.")) +
				user("u2", "10", text("yes")) + assistant("a2", "10", "m2", text("One.")) +
				user("u3", "09", text("no")), 3, 0, 0,
		},
	} {
		built := build(c.log)
		calls, hidden := 0, 0
		for g := range built.Groups() {
			if g.Call != nil {
				calls++
			}
		}
		for _, m := range built.Messages {
			if m.Rule == ruleRepeated {
				hidden++
			}
		}
		if p := built.Prompts(); p != c.prompts || calls != c.calls || hidden != c.hidden {
			t.Errorf("%s: got %d prompts, %d calls, %d hidden messages, want %d, %d, %d", name, p, calls, hidden,
				c.prompts, c.calls, c.hidden)
		}
	}
}
