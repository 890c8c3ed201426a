package transcript

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// The file as it was before an edit stands in the result of each edit, and nobody looks at it: a remark takes its place.
// All else stays, and so does what only looks like it.
func TestUnread(t *testing.T) {
	for _, lines := range []int{60, 6000} { // which share a block with others, and which do not
		testUnread(t, strings.Repeat(`line \"one\" of many\n`, lines))
	}
}

func testUnread(t *testing.T, file string) {
	result := func(name string) string {
		return fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"tool_result","content":"done"}]},"toolUseResult":{"filePath":"a.go",%q:"%s","structuredPatch":[{"lines":["+x"]}]},"uuid":"u1"}`, name, file)
	}
	remark := fmt.Sprintf("(%d bytes left out)", len(file))
	for _, c := range []struct {
		what, line string
		left       int // texts that are left out
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
			"shared": Read("f", data),
			"own":    Options{Own: true}.Read("f", bytes.Clone(data)),
			"covered": Options{Rewrite: func(room, v []byte) []byte {
				return append(room, v...)
			}}.Read("f", data),
		} {
			if len(f.Records) != 1 || len(f.Problems) > 0 {
				t.Errorf("%s, %s: %d records, problems %v", c.what, how, len(f.Records), f.Problems)
			} else if got := string(f.Records[0].Raw); got != want {
				t.Errorf("%s, %s:\n%s, want\n%s", c.what, how, got, want)
			}
		}
	}
}

// What is no JSON does not become any because a part of it is left out.
func TestUnreadTorn(t *testing.T) {
	file := strings.Repeat("x", 2*least)
	for _, line := range []string{
		`{"toolUseResult":{"originalFile":"` + file + "\t" + `"},"type":"user"}`,
		`{"toolUseResult":{"originalFile":"` + file + `\q"},"type":"user"}`,
		`{"toolUseResult":{"originalFile":"` + file,
		`{"toolUseResult":{"originalFile":"` + file + `"},"type":"user"`,
	} {
		if cuts := unread([]byte(line)); len(cuts) > 0 {
			t.Errorf("%.60s...: %d cuts", line, len(cuts))
		}
	}
}

// Values that share a block stay as they are, of whatever size they are and however they got there.
func TestKeeper(t *testing.T) {
	var k keeper
	var all, want [][]byte
	for i := range 3000 {
		v := bytes.Repeat([]byte{byte(i)}, i*i%40000)
		want = append(want, v)
		if room := k.room(len(v)); i%3 == 0 && room != nil {
			all = append(all, k.take(append(room, v...)))
		} else {
			all = append(all, k.own(v))
		}
	}
	for i := range all {
		if !bytes.Equal(all[i], want[i]) {
			t.Fatalf("value %d of %d bytes is not what it was", i, len(want[i]))
		}
		_ = append(all[i], "over the next one"...)
	}
}
