package normalize

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestSpilledOutput(t *testing.T) {
	for _, c := range []struct{ text, field, want string }{
		{"<persisted-output>\nOutput too large (35KB). Full output saved to: /home/x/tool-results/b1.txt\n\nPreview:\nabc", "", "b1.txt"},
		{"<persisted-output>\nFull output saved to: C:\\Users\\x\\tool-results\\b2.txt\n", "", "b2.txt"},
		{"preview", `{"persistedOutputPath":"/home/x/b3.txt"}`, "b3.txt"},
		{"<persisted-output>\nFull output saved to: /h/text.txt\n", `{"persistedOutputPath":"/h/field.txt"}`, "field.txt"},
		{"Error: result (81,234 characters) exceeds maximum allowed tokens. Output has been saved to " +
			"/h/tool-results/mcp-pier-list-17.txt.\nFormat: Plain text\n", "", "mcp-pier-list-17.txt"},
		{"Error: result (9 characters across 2 lines) exceeds maximum allowed tokens. Output has been saved to " +
			"C:\\x\\m.json.\nFormat: JSON", "", "m.json"},
		{"He said: ) exceeds maximum allowed tokens. Output has been saved to /etc/passwd", "", ""},
		{"Full output saved to: /etc/passwd", "", ""},
		{"<persisted-output>\nno path", "", ""},
		{"x", `{"persistedOutputPath":"/h/.."}`, ""},
		{"x", `{"persistedOutputPath":"/"}`, ""},
		{"x", `{"persistedOutputPath":".ssh"}`, ""},
		{"x", `{"persistedOutputPath":["/h/a"]}`, ""},
		{"x", `"a string"`, ""},
	} {
		field := c.field
		if field == "" {
			field = "null"
		}
		text, err := json.Marshal(c.text)
		if err != nil {
			t.Fatal(err)
		}
		conversation := build(
			fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":%s}]},"toolUseResult":%s}`, text, field))
		for g := range conversation.Groups() {
			if got := SpilledOutput(g); got != c.want {
				t.Errorf("SpilledOutput of %q, %s = %q, want %q", c.text, c.field, got, c.want)
			}
		}
	}
	if got := SpilledOutput(&Group{}); got != "" {
		t.Errorf("SpilledOutput without result = %q, want none", got)
	}
}
