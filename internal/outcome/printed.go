package outcome

import (
	"regexp"
	"strings"
)

// A result is a kind of text that programs print at their end.
type result uint8

const (
	anyResult   result = iota
	testResult         // of tests
	codeResult         // of linters and builds
	lintResult         // only of linters
	buildResult        // only of builds
)

// resultOf returns which texts are those of a kind of check, if the output may also have texts of other checks.
func resultOf(kind CheckKind, lintsAndBuilds bool) result {
	switch {
	case kind == Test:
		return testResult
	case !lintsAndBuilds:
		return codeResult
	case kind == Lint:
		return lintResult
	}
	return buildResult
}

// What test runners, linters and compilers print for failure and for success.
const (
	testRed = `^(?:--- FAIL|FAIL\b|FAILED\b|panic:)|\b[1-9][0-9]* (?:failed|failing|failures?)\b` +
		`|\bfailures: [1-9]|\bFailed: +[1-9]|test result: FAILED|FAILURES!`
	lintRed  = `^(?:✖ |✗ )|\b[1-9][0-9]* (?:issues|problems)\b`
	buildRed = `^(?:make: \*\*\*|ninja: build stopped)|BUILD FAILED|Build failed`
	codeRed  = `^(?:ERROR\b|error(?:\[\w+\])?:|npm ERR!|npm error|\[\S{1,40}\] ERROR\b)` +
		`|\b[1-9][0-9]* errors?\b|\berrors: [1-9]|: error(?: TS[0-9]+)?: |` + lintRed + `|` + buildRed

	testGreen = `^(?:ok  \t|ok[ \t]+\S+[ \t]+(?:[0-9.]+s|\(cached\))|PASS\b|OK\b)` +
		`|\b[1-9][0-9]* (?:passed|passing|tests? passed)\b|\b0 (?:failures|failed)\b|\bFailed: +0\b|test result: ok`
	lintGreen  = `^(?:All checks passed|Success: no issues)|\b0 (?:issues|errors|problems)\b`
	buildGreen = `BUILD SUCCESS|Build succeeded|✓ built in|Compiled successfully|Finished .{1,40} target`
)

var (
	saysRed = [...]func() *regexp.Regexp{
		anyResult:   expression(`(?m)` + testRed + `|` + codeRed),
		testResult:  expression(`(?m)` + testRed),
		codeResult:  expression(`(?m)` + codeRed),
		lintResult:  expression(`(?m)` + lintRed),
		buildResult: expression(`(?m)` + buildRed),
	}
	saysGreen = [...]func() *regexp.Regexp{
		anyResult:   expression(`(?m)` + testGreen + `|` + lintGreen + `|` + buildGreen),
		testResult:  expression(`(?m)` + testGreen),
		codeResult:  expression(`(?m)` + lintGreen + `|` + buildGreen),
		lintResult:  expression(`(?m)` + lintGreen),
		buildResult: expression(`(?m)` + buildGreen),
	}
)

// Each match of these expressions is in one line, and contains one of these texts, which are found much faster.
var (
	redParts = []string{
		"FAIL", "ERR", "rror", "ail", "panic:", "make: ***", "ninja: b", "✖ ", "✗ ", " issues", " problems",
	}
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

func printedVerdict(output string, of result) Verdict {
	output = lastOf(output, maxPrinted)
	switch {
	case matchesLine(output, redParts, saysRed[of]()):
		return Red
	case matchesLine(output, greenParts, saysGreen[of]()):
		return Green
	}
	return Unclear
}

// lastOf returns the end of a text, in at most n bytes.
func lastOf(text string, n int) string { return text[max(0, len(text)-n):] }
