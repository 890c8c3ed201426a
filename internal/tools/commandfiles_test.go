package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestCommandFiles: what commands did to files, by their words.
func TestCommandFiles(t *testing.T) {
	for command, want := range map[string]string{
		"rm a.go 'b c.go' /x/d":                       "delete /w/a.go, delete /w/b c.go, delete /x/d",
		"rm -rf build && ls":                          "delete /w/build",
		"rm *.go":                                     "", // which ones is unknown
		"rm $F a.go":                                  "",
		"cd cmd && rm a.go":                           "delete /w/cmd/a.go",
		"cd /tmp; rm a.go":                            "delete /tmp/a.go",
		"(cd b; ls); rm a.go":                         "delete /w/a.go",
		"cd b && cd - && rm a":                        "",
		"cd $D; rm a.go /w/b":                         "",
		"cd $D; rm /w/b; cd /x; rm a":                 "delete /w/b, delete /x/a",
		"cd $(mktemp -d)\ncat > a.go <<'EOF'\nx\nEOF": "",
		"git rm -f a.go":                              "delete /w/a.go",
		"git rm --cached a.go":                        "",
		"mv a.go b.go":                                "rename /w/a.go /w/b.go",
		"git mv a.go b.go c/":                         "rename /w/a.go /w/c//a.go, rename /w/b.go /w/c//b.go",
		"mv a.go b":                                   "", // b may be a folder
		"mv -t b a.go":                                "",
		"git checkout a.go":                           "restore /w/a.go",
		"git checkout -- a.go":                        "restore /w/a.go",
		"git checkout HEAD a b":                       "restore /w/a, restore /w/b",
		"git restore .":                               "restore /w/.",
		"git checkout HEAD":                           "",
		"mv a.go .":                                   "rename /w/a.go /w/./a.go",
		"mv a.go b/":                                  "rename /w/a.go /w/b//a.go",
		"mv a.go $D/":                                 "",
		"mv -f; git; rm a.go":                         "delete /w/a.go",
		"git checkout -b x":                           "",
		"git checkout -q main":                        "",
		"git restore -S a.go":                         "",

		"cat > a.txt <<'EOF'\nx $y\nEOF\nls":       `change /w/a.txt "x $y\n"`,
		"cat <<EOF >a.txt\nx\ny\nEOF":              `change /w/a.txt "x\ny\n"`,
		"cat <<-\"E\" > a.txt\n\tx\n\tE":           `change /w/a.txt "x\n"`,
		"tee a.txt <<'EOF' > /dev/null\nx\nEOF":    `change /w/a.txt "x\n"`,
		"cat > a.txt <<EOF\nx $y\nEOF":             "", // the shell replaces $y
		"cat >> a.txt <<'EOF'\nx\nEOF":             "",
		"cat b > a.txt <<'EOF'\nx\nEOF":            "",
		"tee a.txt b <<'EOF'\nx\nEOF":              "",
		"cat b - > a.txt <<'EOF'\nx\nEOF":          "",
		"cat > a.txt <<'EOF'\nx":                   "", // the end is missing
		"cat > $F <<'EOF'\nx\nEOF":                 "",
		"cat <<'EOF' | sh > a.txt\nx\nEOF":         "",
		"git commit -F - <<'EOF'\nrm a.go\nEOF":    "",
		"test -f a || cat > a <<'EOF'\nx\nEOF":     "", // it may not have run
		"if [ -f a ]; then rm a; fi":               "",
		"make && rm a; ls":                         "",
		"make && rm a":                             "delete /w/a",
		"mkdir -p b && cat > b/a <<'EOF'\nEOF\nls": `change /w/b/a ""`,
		"echo rm a.go":                             "",
	} {
		input, _ := json.Marshal(map[string]string{"command": command})
		g := shown("Bash", string(input), "")
		g.Call.Record = &transcript.Record{CWD: "/w"}
		var all []string
		for _, op := range FileOps(g) {
			s := [...]string{"read", "change", "delete", "rename", "restore"}[op.Kind] + " " + op.Path
			if op.To != "" {
				s += " " + op.To
			}
			if op.Kind == ChangeFile {
				s += fmt.Sprintf(" %q", *op.Load().After)
			}
			if op.IfKnown == (op.Kind == ChangeFile) {
				t.Errorf("%q: %s: IfKnown is %t", command, s, op.IfKnown)
			}
			all = append(all, s)
		}
		if got := strings.Join(all, ", "); got != want {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}

// TestFailedCommand: a command that failed may have done nothing.
func TestFailedCommand(t *testing.T) {
	g := shown("Bash", `{"command":"rm a.go"}`, "rm: a.go: Permission denied")
	if g.State = normalize.Failed; FileOps(g) != nil {
		t.Errorf("got %+v", FileOps(g))
	}
}

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
		{`{"cmd":"sed 1,200p a.go"}`, "x\nx\n", "", FileTexts{}},
		{`{"cmd":"sed -n 1,200p a.go b.go"}`, "x\ny\n", "", FileTexts{}},
		{`{"cmd":"sort -n 1,200p a.go"}`, "x\ny\n", "", FileTexts{}},
		{`{"cmd":"cat a.go b.go"}`, "x\ny\n", "", FileTexts{}},
		{`{"cmd":"cat a.go | head"}`, "x\ny\n", "", FileTexts{}},
		{`{"cmd":"cat -n a.go"}`, "1 x\n", "", FileTexts{}},
		{`{"cmd":"cat *.go"}`, "x\n", "", FileTexts{}},
		{`{"cmd":"cat 'a b.go'"}`, "x\ny\n", "a b.go", whole},
		{`{"cmd":"cat a.go > b.go"}`, "x\n", "", FileTexts{}},
		{`{"cmd":"cd cmd && cat a.go"}`, "x\n", "", FileTexts{}},
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

// TestPrintedOfOthers: OpenCode and Pi say so if they leave out a part, and Copilot adds the exit code.
func TestPrintedOfOthers(t *testing.T) {
	for output, want := range map[string]FileTexts{
		"x\ny\n": {Before: new("x\ny\n")},
		"x\n\n...output truncated...\n\nFull output saved to: /tmp/a":    {},
		"x\ny\n<exited with exit code 0>":                                {},
		"y\n\n[Showing lines 2-2 of 2. Full output: /tmp/pi-bash-1.log]": {},
	} {
		for _, input := range []string{`{"command":"cat a.go"}`, `{"command":"cat a.go","description":"Show it"}`} {
			if diff := cmp.Diff(want, FileOps(shown("bash", input, output))[0].Load()); diff != "" {
				t.Errorf("%s printed %q: -want +got\n%s", input, output, diff)
			}
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
