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
		"rm *.go":                                     "alter /w/.?", // which ones is unknown
		"rm $F a.go":                                  "alter /w/a.go",
		"cd cmd && rm a.go":                           "delete /w/cmd/a.go",
		"cd /tmp; rm a.go":                            "delete /tmp/a.go",
		"(cd b; ls); rm a.go":                         "delete /w/a.go",
		"cd b && cd - && rm a":                        "",
		"cd $D; rm a.go /w/b":                         "alter /w/b",
		"cd $D; rm /w/b; cd /x; rm a":                 "delete /w/b, delete /x/a",
		"cd $(mktemp -d)\ncat > a.go <<'EOF'\nx\nEOF": "",
		"git rm -f a.go":                              "delete /w/a.go",
		"git rm --cached a.go":                        "",
		"mv a.go b.go":                                "rename /w/a.go /w/b.go",
		"git mv a.go b.go c/":                         "rename /w/a.go /w/c//a.go, rename /w/b.go /w/c//b.go",
		// b may be a folder.
		"mv a.go b":             "alter /w/b, alter /w/b/a.go, alter /w/a.go",
		"mv -t b a.go":          "alter /w/a.go, alter /w/a.go/b, alter /w/b",
		"git checkout a.go":     "restore /w/a.go",
		"git checkout -- a.go":  "restore /w/a.go",
		"git checkout HEAD a b": "restore /w/a, restore /w/b",
		"git restore .":         "restore /w/.",
		"git checkout HEAD":     "",
		"mv a.go .":             "rename /w/a.go /w/./a.go",
		"mv a.go b/":            "rename /w/a.go /w/b//a.go",
		"mv a.go $D/":           "alter /w/a.go",
		"mv -f; git; rm a.go":   "delete /w/a.go",
		"git checkout -b x":     "",
		"git checkout -q main":  "alter /?",
		"git restore -S a.go":   "",

		"cat > a.txt <<'EOF'\nx $y\nEOF\nls":       `change /w/a.txt "x $y\n"`,
		"cat <<EOF >a.txt\nx\ny\nEOF":              `change /w/a.txt "x\ny\n"`,
		"cat <<-\"E\" > a.txt\n\tx\n\tE":           `change /w/a.txt "x\n"`,
		"tee a.txt <<'EOF' > /dev/null\nx\nEOF":    `change /w/a.txt "x\n"`,
		"cat > a.txt <<EOF\nx $y\nEOF":             "alter /w/a.txt", // the shell replaces $y
		"cat >> a.txt <<'EOF'\nx\nEOF":             "alter /w/a.txt",
		"cat b > a.txt <<'EOF'\nx\nEOF":            "alter /w/a.txt",
		"tee a.txt b <<'EOF'\nx\nEOF":              "alter /w/a.txt, alter /w/b",
		"cat b - > a.txt <<'EOF'\nx\nEOF":          "alter /w/a.txt",
		"cat > a.txt <<'EOF'\nx":                   "alter /w/a.txt", // the end is missing
		"cat > $F <<'EOF'\nx\nEOF":                 "",
		"cat <<'EOF' | sh > a.txt\nx\nEOF":         "alter /w/a.txt",
		"git commit -F - <<'EOF'\nrm a.go\nEOF":    "",
		"test -f a || cat > a <<'EOF'\nx\nEOF":     "alter /w/a", // it may not have run
		"if [ -f a ]; then rm a; fi":               "alter /w/a",
		"make && rm a; ls":                         "alter /w/a",
		"make && rm a":                             "delete /w/a",
		"mkdir -p b && cat > b/a <<'EOF'\nEOF\nls": `change /w/b/a ""`,
		"echo rm a.go":                             "",

		"sed -i 's/a/b/' a.go b.go":                "alter /w/a.go, alter /w/b.go",
		"sed -i.bak -e s/a/b/ -e '2d' a.go":        "alter /w/a.go",
		"sed -i '' -E 's/a/b/' a.go":               "alter /w/a.go",
		"sed -i s/a/b/ src/*.go":                   "alter /w/src?",
		"sed -n '1,9p' a.go; sed s/a/b/ a.go":      "",
		"sed s/a/b/ a.go > b.go":                   "alter /w/b.go",
		"for f in *.go; do sed -i s/a/b/ $f; done": "alter /?",
		"find . -name '*.go' -exec sed -i x {} +":  "alter /w/.?",
		"find . -name '*.go' -delete":              "alter /w/.?",
		"find . -name '*.go'":                      "",
		"grep -l a *.go | xargs sed -i s/a/b/":     "alter /w/.?",
		"grep -l a *.go | xargs wc -l":             "",
		"perl -pi -e 's/a/b/' a.go":                "alter /w/a.go",
		"perl -ne 'print' a.go":                    "",
		"gofmt -w a.go":                            "alter /w/a.go .go",
		"gofmt -w . && gofmt -l b.go":              "alter /w/.? .go",
		"go fmt ./...":                             "alter /w/.? .go",
		"npx prettier --write src/":                "alter /w/src/?",
		"npx prettier --check src/":                "",
		"black -q . && ruff check --fix a.py":      "alter /w/.? .py, alter /w/a.py .py",
		"black --check .":                          "",
		"eslint --fix .; npm run lint:fix":         "alter /w/.?, alter /w/.?",
		"make test":                                "",
		"cp a.go b.go":                             "alter /w/b.go, alter /w/b.go/a.go",
		"echo x >> a.go; echo y > /dev/null 2>&1":  "alter /w/a.go",
		"> a.go":                                     "alter /w/a.go",
		"go test ./... > $LOG":                       "",
		"git stash; git stash list":                  "alter /?",
		"git reset --hard HEAD~1; git reset a.go":    "alter /?",
		"git checkout main a.go":                     "alter /w/main, alter /w/a.go",
		"git checkout HEAD~1 -- a.go":                "alter /w/a.go",
		"git checkout -q .":                          "alter /w/.",
		"git restore --source=HEAD~1 a.go":           "alter /w/a.go",
		"cd /x && git pull":                          "alter /x?",
		"git apply --check a.patch":                  "",
		"git switch -c x; git log; git diff":         "",
		"python3 -c \"open('a.go','w').write('x')\"": "alter /w/a.go",
		"python3 - <<'EOF'\np = 'src/a.go'\nopen(p).write_text('x')\nEOF": "alter /w/src/a.go",
		"python3 -c \"print(open('a.go').read())\"":                       "",
		"Set-Content -Path src\\a.go -Value 'x'":                          "alter /w/src/a.go",
	} {
		input, _ := json.Marshal(map[string]string{"command": command})
		g := shown("Bash", string(input), "")
		g.Call.Record = &transcript.Record{CWD: "/w"}
		var all []string
		for _, op := range FileOps(g) {
			s := [...]string{"read", "change", "delete", "rename", "restore", "alter"}[op.Kind] + " " + op.Path
			if op.To != "" {
				s += " " + op.To
			}
			if op.Kind == AlterFile && op.IfKnown {
				s += "?"
			}
			if op.Ending != "" {
				s += " " + op.Ending
			}
			if op.Kind == ChangeFile {
				s += fmt.Sprintf(" %q", *op.Load().After)
			}
			if op.Kind != AlterFile && op.IfKnown == (op.Kind == ChangeFile) {
				t.Errorf("%q: %s: IfKnown is %t", command, s, op.IfKnown)
			}
			all = append(all, s)
		}
		if got := strings.Join(all, ", "); got != want {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}

// TestFailedCommand: a command that failed may have done anything of what it says, or nothing.
func TestFailedCommand(t *testing.T) {
	g := shown("Bash", `{"command":"rm a.go"}`, "rm: a.go: Permission denied")
	for state, want := range map[normalize.State][]FileOp{
		normalize.Failed: {{Kind: AlterFile, Path: "a.go"}}, normalize.Stopped: {{Kind: AlterFile, Path: "a.go"}},
		normalize.CallDenied: nil, normalize.Blocked: nil,
	} {
		if g.State = state; !cmp.Equal(FileOps(g), want) {
			t.Errorf("%v: got %+v, want %+v", state, FileOps(g), want)
		}
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

// TestPrintedToFile: what goes to a file is not printed.
func TestPrintedToFile(t *testing.T) {
	want := []FileOp{{Kind: AlterFile, Path: "b.go"}}
	if got := FileOps(shown("exec_command", `{"cmd":"cat a.go > b.go"}`, "x\n")); !cmp.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
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
