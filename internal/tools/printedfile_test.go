package tools

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPrintedFiles: a command reads a file if it prints the whole of it, and nothing else.
func TestPrintedFiles(t *testing.T) {
	whole := FileTexts{Before: new("x\ny\n")}
	for _, c := range []struct {
		input, output, path string // path is "" if the command reads no file
		want                FileTexts
	}{
		{`{"cmd":"cat a.go"}`, "x\ny\n", "a.go", whole},
		{`{"cmd":"cat 'a.go'","workdir":"/w/cmd"}`, "x\ny\n", "/w/cmd/a.go", whole},
		{`{"cmd":"cat /w/a.go","workdir":"/w/cmd"}`, "x\ny\n", "/w/a.go", whole},
		{`{"command":["bash","-lc","cat a.go"]}`, "x\ny\n", "a.go", whole},
		{`{"cmd":"sed -n '1,200p' a.go"}`, "x\ny\n", "a.go", whole},
		{`{"cmd":"sed -n \"1,3p\" a.go"}`, "x\ny\n", "a.go", whole},
		{`{"cmd":"sed -n 1,2p a.go"}`, "x\ny\n", "a.go", FileTexts{}}, // there may be more
		{`{"cmd":"cat a.go"}`, "", "a.go", FileTexts{}},
		{`{"cmd":"cat a.go"}`, "x…12 tokens truncated…y\n", "a.go", FileTexts{}},
		{`{"cmd":"cat a.go"}`, "Total output lines: 900\n\nx\n", "a.go", FileTexts{}},
		{`{"cmd":"sed -n '2,200p' a.go"}`, "y\n", "", FileTexts{}},
		{`{"cmd":"sed -n '1,200d' a.go"}`, "y\n", "", FileTexts{}},
		{`{"cmd":"cat a.go b.go"}`, "x\ny\n", "", FileTexts{}},
		{`{"cmd":"cat a.go | head"}`, "x\ny\n", "", FileTexts{}},
		{`{"cmd":"cat -n a.go"}`, "1 x\n", "", FileTexts{}},
		{`{"cmd":"cat *.go"}`, "x\n", "", FileTexts{}},
		{`{"cmd":"cat 'a b.go'"}`, "x\n", "", FileTexts{}},
		{`{"cmd":"go test ./..."}`, "ok\n", "", FileTexts{}},
	} {
		tool := "exec_command"
		if strings.HasPrefix(c.input, `{"command"`) {
			tool = "shell"
		}
		ops := FileOps(shown(tool, c.input, c.output))
		if c.path == "" {
			if ops != nil {
				t.Errorf("%s: got %+v, want no read", c.input, ops)
			}
			continue
		}
		if len(ops) != 1 || ops[0].Kind != ReadFile || ops[0].Path != c.path {
			t.Errorf("%s: got %+v, want a read of %s", c.input, ops, c.path)
			continue
		}
		if diff := cmp.Diff(c.want, ops[0].Load()); diff != "" {
			t.Errorf("%s printed %q: -want +got\n%s", c.input, c.output, diff)
		}
	}
}

// TestPrintedLater: a command that failed, or that still runs, has not printed the whole file.
func TestPrintedLater(t *testing.T) {
	for _, structured := range []string{`{"exitCode":"1"}`, `{"session":"7"}`} {
		g := shown("exec_command", `{"cmd":"cat a.go"}`, "x\n")
		g.Result.Record.ToolUseResult = []byte(structured)
		if got := FileOps(g)[0].Load(); got.Before != nil {
			t.Errorf("%s: got %q, want no text", structured, *got.Before)
		}
	}
}
