package outcome

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// checked runs commands in a session and describes the checks: "!" marks a command that failed, and its output follows
// " => ".
func checked(commands ...string) string {
	f := of(func(l *logWriter) {
		l.prompt("Ask")
		for _, c := range commands {
			c, output, _ := strings.Cut(c, " => ")
			if after, ok := strings.CutPrefix(c, "! "); ok {
				l.failed(after, output)
			} else {
				l.ran(c, output)
			}
		}
		l.answer("Done.")
	})
	var all []string
	for _, c := range f.Checks {
		all = append(all, fmt.Sprintf("%s %s ×%d %s", c.Kind, c.Name, c.Calls, c.Last))
	}
	return strings.Join(all, ", ")
}

func TestChecks(t *testing.T) {
	for _, c := range []struct {
		commands []string
		want     string
	}{
		{[]string{"go test ./..."}, "test go test ×1 green"},
		{[]string{"! go test ./...", "go test -run X ./a"}, "test go test ×2 green"},
		{[]string{"go test ./...", "! go test ./..."}, "test go test ×2 red"},
		{[]string{"cd a && CGO_ENABLED=0 timeout 60 go -C x test ./... 2>&1"}, "test go test ×1 green"},
		{[]string{"go test ./... | tail -5"}, "test go test ×1 ran"},
		{[]string{"! go test ./... => Exit code 143\nCommand timed out after 2m 0.0s"}, "test go test ×1 ran"},
		{[]string{"! go test ./... => Exit code 143\nCommand timed out after 5s\nFAIL\tviewer/a"}, "test go test ×1 red"},
		{[]string{"! go test ./... => Exit code 143\nTerminated"}, "test go test ×1 red"},
		{[]string{"go test ./... | tail -5 => ok  \tviewer/a\t0.1s"}, "test go test ×1 green"},
		{[]string{"go test ./... | tail -5 => --- FAIL: TestX (0.00s)\nok  \tviewer/b\t0.1s"}, "test go test ×1 red"},
		{[]string{"go test ./... || true => FAIL\tviewer/a"}, "test go test ×1 red"},
		{[]string{"go vet ./... && go build ./... && go test ./..."}, "lint go vet ×1 green, build go build ×1 green, test go test ×1 green"},
		{[]string{"npm run lint:fix; npm run build => 0 errors"}, "lint npm run lint:fix ×1 green, build npm run build ×1 green"},
		{[]string{"uv run pytest -q tests => 1 failed, 3 passed"}, "test pytest ×1 green"}, // the exit code decides
		{[]string{"uv run pytest -q tests | tail -1 => 1 failed, 3 passed"}, "test pytest ×1 red"},
		{[]string{"npx --yes eslint . --fix", "python3 -m pytest"}, "lint eslint ×1 green, test pytest ×1 green"},
		{[]string{"make", "make -j8", "make install", "make test", "./gradlew test --info"}, "build make ×2 green, test make test ×1 green, test gradlew test ×1 green"},
		{[]string{"goreleaser check", "pytest --markers", "go test -h"}, "lint goreleaser check ×1 green"},
		{[]string{"golangci-lint --version", "echo go test", `git commit -m "go test; go build"`, "grep -rn 'npm test' ."}, ""},
		{[]string{"pytest -l"}, "test pytest ×1 green"},
		{[]string{"pnpm --filter web test", "cargo -q clippy"}, "test pnpm test ×1 green, lint cargo clippy ×1 green"},
		{[]string{"for i in 1 2; do go test ./...; done"}, "test go test ×1 ran"},
		{[]string{"go \\\n  test ./... # and go vet", "go test ./... |& tail"}, "test go test ×2 ran"},
		{[]string{"go test ./...", "! go test => The user doesn't want to proceed with this tool use. It was rejected"}, "test go test ×1 green"},
		{[]string{"! go vet ./... => Cancelled: parallel tool call Bash(make) errored", "! go test => PreToolUse:Bash hook error: no"}, ""},
		{[]string{"bun --bun run check:types", "! pnpm check-types", "npx tsgo -p a.json"}, "lint bun run check:types ×1 green, lint pnpm check-types ×1 red, lint tsgo ×1 green"},
		{[]string{"Invoke-Pester -Path a 2>&1 | Select-Object -Last 1 => Tests Passed: 1, Failed: 1"}, "test Invoke-Pester ×1 red"},
		{[]string{"Invoke-Pester -Path a 2>&1 | Select-Object -Last 1 => Tests Passed: 1, Failed: 0"}, "test Invoke-Pester ×1 green"},
		{[]string{"command -v shellcheck || true", "command -V eslint", "command go vet"}, "lint go vet ×1 green"},
		{[]string{"sudo -u me nice -n 10 timeout -k 5 60 go test ./..."}, "test go test ×1 green"},
	} {
		if got := checked(c.commands...); got != c.want {
			t.Errorf("%q: got %s, want %s", c.commands, got, c.want)
		}
	}
}

// TestBlame: of several checks in a call that failed, only those are red that did fail.
func TestBlame(t *testing.T) {
	const lint, test = "> tide@1.0.0 lint\n> biome\n", "> tide@1.0.0 test\n> vitest\n"
	for command, want := range map[string]string{
		// their runner names those that ran
		"npm run lint && npm test => " + lint + "Found 1 error.":                           "npm run lint red",
		"npm run lint && npm test => " + lint + test + "1 failed":                          "npm run lint green, npm test red",
		"npm run lint && npm test => " + test + "1 failed":                                 "npm run lint green, npm test red",
		"npm run lint && npm test => " + lint + "> the test\nFound 1 error.":               "npm run lint red",
		"pnpm run lint && pnpm test => " + lint + "Found 1 error.":                         "pnpm run lint red",
		"npm run lint && npm test => " + lint + "[3 lines omitted]":                        "npm run lint ran, npm test ran",
		"cd a && npm run lint | cat && npm test => " + test + "1 failed":                   "npm run lint ran, npm test red",
		"cd a && npm run lint 2>x && npm test => " + test + "1 failed":                     "npm run lint green, npm test red",
		"cd a && npm run -s lint && npm test => " + test + "1 failed":                      "npm run lint green, npm test red",
		"cd a && npm run --silent lint && npm test => " + test + "1 failed":                "npm run lint green, npm test red",
		"npm run lint && npm test => " + lint + "[3 lines truncated]":                      "npm run lint ran, npm test ran",
		"mise run fmt && mise run lint => [fmt] $ gofmt\n[lint] $ x\nERROR":                "mise run fmt green, mise run lint red",
		"npm run lint && npm test && git push => " + lint + test + "3 passed":              "npm run lint green, npm test green",
		"npm run format && npm run check => > tide@1.0.0 format\n> biome\nFound 2 errors.": "npm run format red",
		// nobody names the other one
		"npm run lint && npx biome check => " + lint + "error: unknown option":                     "npm run lint ran, biome ran",
		"go vet ./... && go test ./... => --- FAIL: TestX":                                         "go vet green, go test red",
		"npm run format && npx biome check => > tide@1.0.0 format\n> biome\nerror: unknown option": "npm run format ran, biome ran",
		"gofmt -w a.go && go vet ./... => a.go:1:2: expected 'package'":                            "gofmt ran, go vet ran",
		// all of them ran
		"npx biome format a.ts; npm run lint => Formatted 1 file\n" + lint + "Found 2 errors": "biome ran, npm run lint red",
		"go vet ./...; go test ./... | tail; false => FAIL\ta":                                "go vet ran, go test red",
	} {
		got := strings.ReplaceAll(checked("! "+command), " ×1", "")
		for _, kind := range []string{"test ", "lint ", "build "} {
			got = strings.TrimPrefix(strings.ReplaceAll(got, ", "+kind, ", "), kind)
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", command, got, want)
		}
	}
}

// TestSharedOutput: what one check of a call printed says nothing about the others.
func TestSharedOutput(t *testing.T) {
	const passed, failed = "ok  \tviewer/a\t0.1s", "--- FAIL: TestX (0.1s)\nFAIL\tviewer/a"
	const wrong = "# viewer/a\na/a.go:1:2: undefined: x"
	for _, c := range []struct{ command, want string }{
		{"golangci-lint run | tail; go test ./... | tail => " + passed, "lint golangci-lint ×1 ran, test go test ×1 green"},
		{"golangci-lint run | tail; go test ./... | tail => " + failed, "lint golangci-lint ×1 ran, test go test ×1 red"},
		{"npx eslint . | tail; npx knip | tail => 0 problems", "lint eslint ×1 ran, lint knip ×1 ran"},
		{"mise run fmt && mise run lint | tail => 0 issues.", "lint mise run fmt ×1 green, lint mise run lint ×1 green"},
		{"mise run lint | tail => [lint] ERROR task failed", "lint mise run lint ×1 red"},
		{"golangci-lint run | tail => 3 issues:\n* unparam: 3", "lint golangci-lint ×1 red"},

		// a command joined by && shows that those before it succeeded
		{"! go build ./... && go test ./... => " + failed, "build go build ×1 green, test go test ×1 red"},
		{"! go build ./... && go test ./... => " + wrong, "build go build ×1 ran, test go test ×1 ran"},
		{"! make lint && make test => make: *** [lint] Error 1", "lint make lint ×1 red"},
		{"! make lint && make test => " + failed + "\nmake: *** [test] Error 1", "lint make lint ×1 green, test make test ×1 red"},
		{"! mise run fmt && mise run lint => 1 issues:", "lint mise run fmt ×1 green, lint mise run lint ×1 red"},

		// another command decides the exit code
		{"npm test && npm run build; git status", "test npm test ×1 ran, build npm run build ×1 ran"},
		{"(cd web && npm test) 2>&1 | tail => 1 failed", "test npm test ×1 red"},
		{"npm test & wait", "test npm test ×1 ran"},
		{"npm test -- a || npm test -- b => 1 failed\n3 passed", "test npm test ×1 red"},
		{"(cd web && npm test);", "test npm test ×1 green"},
		{"cd web &&\nnpm test &&\nls", "test npm test ×1 green"},

		// texts between the checks divide the output
		{"echo '== a'; npx eslint . | tail; echo '== b'; npx knip | tail => == a\n1 problems\n== b\n0 problems",
			"lint eslint ×1 red, lint knip ×1 green"},
		{"npx eslint . | tail; echo x; echo '== b'; npx knip | tail => 1 problems\n== b\n0 problems",
			"lint eslint ×1 red, lint knip ×1 green"},
		{"cat a | npm test | tail; echo \"exit: ${PIPESTATUS[0]}\" => exit: 0", "test npm test ×1 ran"}, // of cat
		{"npm test > log && echo PASSED || { echo FAILED; npm test | tail; } => PASSED", "test npm test ×1 green"},
		{"npm test > log && echo PASSED || echo FAILED; ls => FAILED", "test npm test ×1 red"},
		{"npm test > log || echo FAILED; ls => FAILED", "test npm test ×1 red"},
		{"npm test > log; echo \"exit: $?\"; ls => exit: 0", "test npm test ×1 green"},
		{"npm test > log; echo \"exit: $?\"; ls => exit: 1", "test npm test ×1 red"},
		{"npm test | tail -1; echo \"exit: $?\" => exit: 0", "test npm test ×1 ran"},
		{"npm test | tail -1; echo \"exit: ${PIPESTATUS[0]}\" => exit: 1", "test npm test ×1 red"},
		{"go vet; echo \"exit: $?\"; npm test; echo \"exit: $?\" => exit: 0\nexit: 1",
			"lint go vet ×1 green, test npm test ×1 red"},
		{"go vet && echo \"exit: $?\"; npm test; echo \"exit: $?\" => exit: 1",
			"lint go vet ×1 ran, test npm test ×1 red"},
		{"npm test; echo $?; echo => 2\n0", "test npm test ×1 ran"}, // which of them is the exit code?
		{"npm test; echo $?; echo => 0\n0", "test npm test ×1 green"},
		{"npm test | tail; echo \"\\n== lint ==\"; npx knip | tail => \n1 failed\n== lint ==\n0 problems",
			"test npm test ×1 red, lint knip ×1 green"},
		{"npm test; echo \"exit: $?\"; ls => 1 failed\nexit: 0", "test npm test ×1 green"},
		{"npm test; echo \"exit: ${?}\"; ls => exit: 1", "test npm test ×1 red"},
		{"npm test | tail -1; echo \"exit: ${pipestatus[1]}\" => exit: 1", "test npm test ×1 red"},
		{"(npm test | tail -1); echo \"exit: ${PIPESTATUS[0]}\" => exit: 0", "test npm test ×1 ran"},
		{"npm test > log || echo BAD; ls => BAD", "test npm test ×1 red"},
		{"npm test > log && ls || echo BAD; pwd => BAD", "test npm test ×1 ran"}, // or ls failed
		{"npm test > log && echo \"a\\tb\" || echo BAD; pwd => BAD", "test npm test ×1 red"},
		{"npx eslint . | tail; echo -e '\\n== b'; npx knip | tail => 1 problems\n\n== b\n0 problems",
			"lint eslint ×1 red, lint knip ×1 green"},
		{"npx eslint . | tail; npm run build | tail => Build failed", "lint eslint ×1 ran, build npm run build ×1 red"},
		{"npm run format | cat; npm run check | tail => error: no", "lint npm run format ×1 ran, lint npm run check ×1 red"},
		{"go vet ./... | tail => a.go:1:2: bad\nexit status 1", "lint go vet ×1 red"},
		{"for d in a b; do npm test; echo $?; done => 0", "test npm test ×1 ran"},
		{"for d in a b; do npm test && echo PASSED; done => PASSED", "test npm test ×1 ran"},

		// some programs print only what is wrong
		{"gofmt -l . && echo clean => a/a.go\nclean", "lint gofmt ×1 red"},
		{"gofmt -l .", "lint gofmt ×1 green"},
		{"gofmt -d a.go | head => diff a.go.orig a.go\n--- a.go.orig", "lint gofmt ×1 red"},
		{"go build ./... 2>&1 | head; go test ./... | tail => " + failed, "build go build ×1 green, test go test ×1 red"},
		{"go build ./... | head; go test ./a | tail => " + wrong + "\n" + passed, "build go build ×1 red, test go test ×1 green"},
		{"go build ./... | head; go test ./a | tail => a/a_test.go:1:2: undefined: x\n" + failed,
			"build go build ×1 ran, test go test ×1 red"},
		{"go build ./... | head; go vet ./... | head => " + wrong, "build go build ×1 ran, lint go vet ×1 ran"},
		{"go build ./... 2>/dev/null | head", "build go build ×1 ran"},
		{"go build ./... 2>&1 | grep a.go", "build go build ×1 ran"},
		{"go vet ./... 2>&1 | tail; git status => M a.go", "lint go vet ×1 ran"},
	} {
		if got := checked(c.command); got != c.want {
			t.Errorf("%q: got %s, want %s", c.command, got, c.want)
		}
	}
}

// TestManyChecks: what a long output says about many checks is not read for each pair of them.
func TestManyChecks(t *testing.T) {
	var command strings.Builder
	for i := range 50 {
		fmt.Fprintf(&command, "go vet -fmt && gofmt -w && mise run test%d && ", i)
	}
	output := strings.Repeat("rror ail ERR ok 0 errorx\n", 64<<10/24)
	echoes := strings.Repeat("go vet; echo $?; ", 90) + "true => " + strings.Repeat("a1\n", 80<<10)
	marks := "go test | cat; " + strings.Repeat("echo c; ", 190) + "true => " + strings.Repeat("b\n", 120<<10)
	for name, call := range map[string]string{
		"patterns": command.String() + "true => " + output, "codes": echoes, "marks": marks,
	} {
		began := time.Now()
		checked("! " + call)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s: took %s", name, took)
		}
	}
}

func TestBackground(t *testing.T) {
	f := of(func(l *logWriter) {
		l.prompt("Ask")
		l.call("go test ./...")
		l.result("Command running in background with ID: b1", false, `{"backgroundTaskId":"b1"}`)
		l.answer("It runs.")
	})
	if len(f.Checks) != 1 || f.Checks[0].Last != Unclear {
		t.Errorf("got %+v, want one with an unclear end", f.Checks)
	}
	f = of(func(l *logWriter) {
		l.prompt("Ask")
		l.call("go test ./...")
		l.result("Command running in background with ID: b1", false, `{"backgroundTaskId":"b1"}`)
		l.prompt("<task-notification><task-id>b1</task-id><summary>It failed with exit code 1</summary></task-notification>")
		l.answer("It failed.")
	})
	if len(f.Checks) != 1 || f.Checks[0].Last != Red {
		t.Errorf("got %+v, want one that is red", f.Checks)
	}
}
