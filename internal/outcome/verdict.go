package outcome

import (
	"regexp"
	"strings"

	"viewer/internal/shell"
	"viewer/internal/tools"
)

// A checkRun is a check in a call.
type checkRun struct {
	kind    CheckKind
	name    string
	at      int // the index of its simple command
	verdict Verdict
}

// judge sets how the checks of a call ended, and leaves out those that did not run. The exit code of a call is that of
// its last command. It counts for a check if no later command could hide the exit code of the check. Otherwise the
// output decides, unless it is that of another check that failed.
func judge(sh tools.Shell, commands []shell.Simple, all []checkRun) []checkRun {
	if sh.Runs() {
		return all
	}
	failed, known := sh.Failed()
	printed := printedVerdict(sh.Output())
	for i := range all {
		run, last := &all[i], all[i].at == len(commands)-1
		switch s := commands[run.at]; {
		case known && failed && last && !s.Piped:
			run.verdict = Red
		case known && !failed && !s.Piped && (last || !s.Saved):
			run.verdict = Green // all commands joined by && succeeded
		default:
			run.verdict = printed
		}
	}
	if known && failed && len(all) > 1 {
		return blame(sh.Output(), commands, all)
	}
	return all
}

// blame decides which of several checks made a call fail. Of those that && joins, only one failed, those before it
// succeeded, and those after it did not run.
func blame(output string, commands []shell.Simple, all []checkRun) []checkRun {
	start := len(commands) - 1 // of the commands that && joins
	for start > 0 && !commands[start-1].Saved && !commands[start-1].Piped {
		start--
	}
	first, shown := len(all), -1 // the first check that && joins, and the last one that its runner names
	for i, run := range all {
		if run.at >= start {
			first = min(first, i)
		}
		if named, ok := runnerNames(output, run.name); ok && named && run.at >= start {
			shown = i
		}
	}
	end := len(all)
	for i := shown + 1; i < end && shown >= 0; i++ {
		if _, ok := runnerNames(output, all[i].name); ok { // its runner does not name it
			end = i
		}
	}
	isLast := all[len(all)-1].at == len(commands)-1
	all = all[:end]
	for i := range all {
		run, last := &all[i], i == len(all)-1
		switch {
		case first <= i && i < shown:
			run.verdict = Green
		case !isLast: // it may be another command that failed
		case i == shown && last:
			run.verdict = Red
		case 0 <= shown && shown <= i, !last && run.verdict == Red:
			run.verdict = Unclear
		}
	}
	return all
}

// runnerNames reports whether an output has the line by which a runner names a script before it runs: "> tide@1.0.0
// lint", "[lint] $ golangci-lint run". ok is false if the runner of a check writes no such line, or the output is cut.
func runnerNames(output, check string) (named, ok bool) {
	runner, script, _ := strings.Cut(check, " ")
	script = strings.TrimPrefix(script, "run ")
	if strings.Contains(output, "truncated") || strings.Contains(output, "omitted") {
		return false, false
	}
	for line := range strings.Lines(output) {
		words := strings.Fields(line)
		switch runner {
		case "npm", "pnpm":
			named = len(words) > 2 && words[0] == ">" && strings.Contains(words[1][1:], "@") && words[2] == script
		case "mise":
			named = len(words) > 2 && words[0] == "["+script+"]" && words[1] == "$"
		default:
			return false, false
		}
		if named {
			return true, true
		}
	}
	return false, true
}

// What test runners, linters and compilers print for failure and for success.
var (
	saysRed = expression(`(?m)^(?:--- FAIL|FAIL\b|FAILED\b|ERROR\b|error(?:\[\w+\])?:|panic:|make: \*\*\*)` +
		`|^(?:ninja: build stopped|npm ERR!|npm error|✖ |✗ )|\b[1-9][0-9]* (?:failed|failing|failures?|errors?)\b` +
		`|\bfailures: [1-9]|\berrors: [1-9]|\bFailed: +[1-9]|: error(?: TS[0-9]+)?: |BUILD FAILED|Build failed` +
		`|test result: FAILED|FAILURES!`)
	saysGreen = expression(`(?m)^(?:ok  \t|ok[ \t]+\S+[ \t]+(?:[0-9.]+s|\(cached\))|PASS\b|OK\b|All checks passed)` +
		`|^Success: no issues|\b[1-9][0-9]* (?:passed|passing|tests? passed)\b` +
		`|\b0 (?:issues|errors|failures|failed|problems)\b|\bFailed: +0\b|test result: ok|BUILD SUCCESS|Build succeeded|✓ built in` +
		`|Compiled successfully|Finished .{1,40} target`)
)

// Each match of these expressions is in one line, and contains one of these texts, which are found much faster.
var (
	redParts   = []string{"FAIL", "ERR", "rror", "ail", "panic:", "make: ***", "ninja: b", "✖ ", "✗ "}
	greenParts = []string{
		"ok ", "ok\t", "result: ok", "PASS", "OK", "pass", "no issues",
		"0 issues", "0 errors", "0 fail", "0 problems", "Failed: ", "SUCCESS", "succe", "All checks", "built in",
		"Compiled s", "Finished ",
	}
)

// matchesLine reports whether an expression has a match in a line that contains one of the parts. The expression
// matches within a line.
func matchesLine(text string, parts []string, re *regexp.Regexp) bool {
	for _, part := range parts {
		for from := 0; ; {
			at := strings.Index(text[from:], part)
			if at < 0 {
				break
			}
			start, end := strings.LastIndexByte(text[:from+at], '\n')+1, len(text)
			if n := strings.IndexByte(text[from+at:], '\n'); n >= 0 {
				end = from + at + n
			}
			if re.MatchString(text[start:end]) {
				return true
			}
			from = end
		}
	}
	return false
}

// maxPrinted is how many bytes at the end of an output are read for a verdict.
const maxPrinted = 64 << 10

func printedVerdict(output string) Verdict {
	if len(output) > maxPrinted {
		output = output[len(output)-maxPrinted:]
	}
	switch {
	case matchesLine(output, redParts, saysRed()):
		return Red
	case matchesLine(output, greenParts, saysGreen()):
		return Green
	}
	return Unclear
}
