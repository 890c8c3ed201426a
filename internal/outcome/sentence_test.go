package outcome

import (
	"strings"
	"testing"
)

func TestRequest(t *testing.T) {
	for prompt, want := range map[string]string{
		"Fix the login. It fails with Firefox since last week.":             "Fix the login. It fails with Firefox since last week.",
		"Please fix the login of the site. It fails.":                       "Please fix the login of the site.",
		"# Phase 6: close all gaps\n\nLong text.":                           "Phase 6: close all gaps",
		"Thanks! Please update the docs of version 1.2 now":                 "Thanks! Please update the docs of version 1.2 now",
		`Draw the sign "Closed on Mondays." The other one is old.`:          `Draw the sign "Closed on Mondays."`,
		"Mend the lamp (it is dark.) It was bought last year.":              "Mend the lamp (it is dark.)",
		"Implement the following plan:\n\n# Mend the pier\n\nPlanks first.": "Mend the pier",
		"Implement the following plan:":                                     "Implement the following plan:",
		"":                                                                  "",
	} {
		if got := request(prompt); got != want {
			t.Errorf("request(%q) = %q, want %q", prompt, got, want)
		}
	}
}

func TestRecap(t *testing.T) {
	const recap = "Reviewed #79; tests pass. Next: commit."
	if got := recapText(recap + " (disable recaps in /config)"); got != recap {
		t.Errorf("got %q, want %q", got, recap)
	}
}

// TestListedLong: a list of many items is copied once, not for each of them.
func TestListedLong(t *testing.T) {
	list := strings.Repeat("- grind\n", 2000)
	if n := testing.AllocsPerRun(1, func() { listed(list) }); n > 200 {
		t.Errorf("%.0f allocations for 2,000 items, want at most 200", n)
	}
}
