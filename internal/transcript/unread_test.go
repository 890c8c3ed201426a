package transcript

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestUnread: the result of each edit has the file before the edit, which nothing reads. It is replaced by a note.
// Everything else stays, including text that only looks like it.
func TestUnread(t *testing.T) {
	file := strings.Repeat(`line \"one\" of many\n`, 60)
	result := func(name string) string {
		return fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"tool_result","content":"done"}]},"toolUseResult":{"filePath":"a.go",%q:"%s","structuredPatch":[{"lines":["+x"]}]},"uuid":"u1"}`, name, file)
	}
	remark := fmt.Sprintf("(%d bytes left out)", len(file))
	for _, c := range []struct {
		what, line string
		left       int // number of texts that are left out
	}{
		{"the file before an edit", result("originalFile"), 1},
		{"its name in 1.0.x", result("originalFileContents"), 1},
		{"in a stream", strings.Replace(result("originalFile"), "toolUseResult", "tool_use_result", 1), 1},
		{"both", strings.Replace(result("originalFile"), `"filePath"`, `"originalFileContents":"`+file+`","filePath"`, 1), 2},
		{"another member", result("content"), 0},
		{"a short one", strings.Replace(result("originalFile"), file, "short", 1), 0},
		{"the input of a call", strings.Replace(result("originalFile"), `"toolUseResult"`, `"input"`, 1), 0},
		{"one level below", strings.NewReplacer(`"toolUseResult":{`, `"toolUseResult":{"a":{`, `]},"uuid"`, `]}},"uuid"`).Replace(result("originalFile")), 0},
		{"no text", strings.Replace(result("originalFile"), `"`+file+`"`, `["`+file+`"]`, 1), 0},
		{"quoted in a text", `{"type":"user","toolUseResult":"{\"originalFile\":\"` + file + `\"}"}`, 0},
	} {
		data := []byte(c.line + "\n")
		want := strings.Replace(c.line, file, remark, c.left)
		for how, f := range map[string]File{
			"shared":    Read("f", data),
			"own":       Options{Own: true}.Read("f", bytes.Clone(data)),
			"rewritten": Options{Rewrite: func(v, _ []byte) []byte { return bytes.Clone(v) }}.Read("f", data),
		} {
			if len(f.Records) != 1 || len(f.Problems) > 0 {
				t.Errorf("%s, %s: got %d records, problems %v", c.what, how, len(f.Records), f.Problems)
			} else if got := string(f.Records[0].Raw); got != want {
				t.Errorf("%s, %s: got\n%s\nwant\n%s", c.what, how, got, want)
			}
		}
	}
}

// TestUnreadTorn: invalid JSON does not become valid because a part of it is left out.
func TestUnreadTorn(t *testing.T) {
	file := strings.Repeat("x", 2*least)
	for _, line := range []string{
		`{"toolUseResult":{"originalFile":"` + file + "\t" + `"},"type":"user"}`,
		`{"toolUseResult":{"originalFile":"` + file + `\q"},"type":"user"}`,
		`{"toolUseResult":{"originalFile":"` + file,
		`{"toolUseResult":{"originalFile":"` + file + `"},"type":"user"`,
	} {
		if cuts := unread([]byte(line)); len(cuts) > 0 {
			t.Errorf("%.60s...: got %d cuts, want none", line, len(cuts))
		}
	}
}
