package outcome

import (
	"math/rand/v2"
	"strings"
	"testing"

	"viewer/internal/testing/corpus"
)

// TestPrintedVerdictParts: matchesLine, which only checks lines with certain parts, finds the same as the expression.
func TestPrintedVerdictParts(t *testing.T) {
	parts := []string{
		"\n", " ", "\t", "--- FAIL", "FAIL", "FAILED", "ERROR", "error", "[E1]", ":", "panic:",
		"make: ***", "ninja: build stopped", "npm ERR!", "npm error", "✖ ", "✗ ", "3 ", "failed",
		"failing", "failure", "failures", "errors", "failures: 2", "errors: 2", ": error: ",
		": error TS12: ", "BUILD FAILED", "Build failed", "test result: FAILED", "FAILURES!", "ok",
		"pkg", "0.3s", "(cached)", "PASS", "OK", "All checks passed", "Success: no issues", "passed",
		"passing", "test passed", "tests passed", "0 ", "issues", "problems", "test result: ok",
		"BUILD SUCCESS", "Build succeeded", "✓ built in", "Compiled successfully", "Finished", "dev",
		"target",
	}
	random := rand.New(rand.NewPCG(1, 2))
	red, green := 0, 0
	texts := 60_000
	if corpus.Full() {
		texts = 200_000
	}
	for range texts {
		var b strings.Builder
		for range random.IntN(5) + 1 {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		s := b.String()
		is := saysRed[anyResult]().MatchString(s)
		if matchesLine(s, redParts, saysRed[anyResult]()) != is {
			t.Fatalf("%q: the expression for failures matches: %t, want the same from matchesLine", s, is)
		}
		if is {
			red++
		}
		is = saysGreen[anyResult]().MatchString(s)
		if matchesLine(s, greenParts, saysGreen[anyResult]()) != is {
			t.Fatalf("%q: the expression for success matches: %t, want the same from matchesLine", s, is)
		}
		if is {
			green++
		}
	}
	if red < 1000 || green < 1000 {
		t.Errorf("got %d outputs with failures and %d with success, want at least 1000 of each", red, green)
	}
}
