package outcome

import (
	"regexp"
	"strings"

	"viewer/internal/shell"
	"viewer/internal/tools"
)

// verdictOf returns how a check ended. The exit code of a call is that of its last command. It counts for the check if
// no later command could hide the exit code of the check. Otherwise the output decides.
func verdictOf(sh tools.Shell, s shell.Simple, last bool) Verdict {
	failed, known := sh.Failed()
	switch {
	case sh.Runs():
		return Unclear
	case known && failed && last && !s.Piped:
		return Red
	case known && !failed && !s.Piped && (last || !s.Saved):
		return Green // all commands joined by && succeeded
	}
	return printedVerdict(sh.Output())
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
