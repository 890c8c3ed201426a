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

// TestSentence: a heading gets a full stop, unless it ends with another sign.
func TestSentence(t *testing.T) {
	for heading, want := range map[string]string{"": "Two.", "Planks": "Planks. Two.", "Planks?": "Planks? Two.",
		"Planks (oak)": "Planks (oak). Two."} {
		if got := Sentence(heading, "Two."); got != want {
			t.Errorf("Sentence(%q) = %q, want %q", heading, got, want)
		}
	}
}

// TestLongSentences: a sentence that is too long is left out after a long one, and cut otherwise.
func TestLongSentences(t *testing.T) {
	long := strings.Repeat("Oak ", 20) + "here."
	for line, want := range map[string]string{
		long + " Moss is there.": long, long + " Ok.": long + " Ok.",
		"Oak. " + long + " Moss.": "Oak. " + strings.Repeat("Oak ", 20)[:79] + " her…",
	} {
		if got := sentences(line, 3, 89); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestListedLong: a list of many items is copied once, not for each of them.
func TestListedLong(t *testing.T) {
	list := strings.Repeat("- grind\n", 2000)
	if n := testing.AllocsPerRun(1, func() { listed(list) }); n > 200 {
		t.Errorf("%.0f allocations for 2,000 items, want at most 200", n)
	}
}
