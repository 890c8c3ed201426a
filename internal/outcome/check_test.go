package outcome

import (
	"fmt"
	"strings"
	"testing"
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
		{[]string{"go test ./... | tail -5 => ok  \tviewer/a\t0.1s"}, "test go test ×1 green"},
		{[]string{"go test ./... | tail -5 => --- FAIL: TestX (0.00s)\nok  \tviewer/b\t0.1s"}, "test go test ×1 red"},
		{[]string{"go test ./... || true => FAIL\tviewer/a"}, "test go test ×1 red"},
		{[]string{"go vet ./... && go build ./... && go test ./..."}, "lint go vet ×1 green, build go build ×1 green, test go test ×1 green"},
		{[]string{"npm run lint:fix; npm run build => 0 errors"}, "lint npm run lint:fix ×1 green, build npm run build ×1 green"},
		{[]string{"uv run pytest -q tests => 1 failed, 3 passed"}, "test pytest ×1 green"}, // the exit code decides
		{[]string{"uv run pytest -q tests | tail -1 => 1 failed, 3 passed"}, "test pytest ×1 red"},
		{[]string{"npx --yes eslint . --fix", "python3 -m pytest"}, "lint eslint ×1 green, test pytest ×1 green"},
		{[]string{"make", "make install", "make test", "./gradlew test --info"}, "build make ×1 green, test make test ×1 green, test gradlew test ×1 green"},
		{[]string{"golangci-lint --version", "echo go test", `git commit -m "go test; go build"`, "grep -rn 'npm test' ."}, ""},
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
		"npm run lint && npm test => " + lint + "Found 1 error.":              "npm run lint red",
		"npm run lint && npm test => " + lint + test + "1 failed":             "npm run lint green, npm test red",
		"npm run lint && npm test => " + test + "1 failed":                    "npm run lint green, npm test red",
		"npm run lint && npm test => " + lint + "[3 lines truncated]":         "npm run lint ran, npm test red",
		"mise run fmt && mise run lint => [fmt] $ gofmt\n[lint] $ x\nERROR":   "mise run fmt green, mise run lint red",
		"npm run lint && npm test && git push => " + lint + test + "3 passed": "npm run lint green, npm test green",
		// nobody names the other one
		"npm run lint && npx biome check => " + lint + "error: unknown option": "npm run lint ran, biome ran",
		"go vet ./... && go test ./... => --- FAIL: TestX":                     "go vet ran, go test red",
		// all of them ran
		"npx biome format a.ts; npm run lint => Formatted 1 file\n" + lint + "Found 2 errors": "biome ran, npm run lint red",
		"go vet ./...; go test ./... | tail; false => FAIL\ta":                                "go vet red, go test red",
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
