package outcome

import "testing"

func TestOpening(t *testing.T) {
	for _, c := range []struct{ name, answer, lead, text string }{
		{"one sentence", "Created `CODEOWNERS` with two groups.", "", "Created CODEOWNERS with two groups."},
		{"an interjection", "Perfect! I've added both sections.\n\nMore.", "", "I've added both sections. More."},
		{"nothing but an interjection", "Done.", "", "Done."},
		{"an interjection before a dash stays", "Done — committed and pushed to the branch of the request, with all the tests that it had before.", "", "Done — committed and pushed to the branch of the request, with all the tests that it had before."},
		{"a short first paragraph takes the next", "All pushed.\n\nThe branch has two commits.", "", "All pushed. The branch has two commits."},
		{"a heading", "## Fixes applied\n\nCleanup keeps the repository. One test.", "Fixes applied", "Cleanup keeps the repository. One test."},
		{"a bold heading", "**Fixes applied:**\nCleanup keeps the repository.", "Fixes applied", "Cleanup keeps the repository."},
		{"a heading that says nothing", "## TL;DR\n\nThe core is correct.", "", "The core is correct."},
		{"a section behind a heading", "# Review\n\n## Overview\n\nAdds a provider.", "Review", "Adds a provider."},
		{"a colon and its list", "All green:\n\n- **Build**: passes\n- **Tests**: pass", "", "All green: Build: passes; Tests: pass"},
		{"a colon and headings", "Two ways:\n\n**Option A**\n```\nx\n```\n\n**Option B**\n\nText.", "", "Two ways: Option A; Option B"},
		{"a colon and nothing that can be shown", "The function is there. It says:\n\n```go\nfunc f()\n```", "", "The function is there."},
		{"only a colon", "It says:\n\n```go\nfunc f()\n```", "", "It says…"},
		{"a table", "## Result\n\n| a | b |\n|---|---|\n| 1 | 2 |", "", "a b 1 2"},
		{"a path ends no sentence", "Fixed in app.go, e.g. the loader. Then more.", "", "Fixed in app.go, e.g. the loader. Then more."},
		{"no spaces between sentences", "更新しました。主な内容です。", "", "更新しました。主な内容です。"},
		{"nothing", " \n", "", ""},
		{"a rule", "---\n\nThe end.", "", "The end."},
	} {
		if lead, text := opening(c.answer); lead != c.lead || text != c.text {
			t.Errorf("%s: %q, %q, want %q, %q", c.name, lead, text, c.lead, c.text)
		}
	}
}

func TestRequest(t *testing.T) {
	for prompt, want := range map[string]string{
		"Fix the login. It fails with Firefox since last week.": "Fix the login. It fails with Firefox since last week.",
		"Please fix the login of the site. It fails.":           "Please fix the login of the site.",
		"# Phase 6: close all gaps\n\nLong text.":               "Phase 6: close all gaps",
		"Thanks! Please update the docs of version 1.2 now":     "Thanks! Please update the docs of version 1.2 now",
		"": "",
	} {
		if got := request(prompt); got != want {
			t.Errorf("request(%q) = %q, want %q", prompt, got, want)
		}
	}
}

func TestRecap(t *testing.T) {
	const recap = "Reviewed #79; tests pass. Next: commit."
	if got := recapText(recap + " (disable recaps in /config)"); got != recap {
		t.Errorf("%q, want %q", got, recap)
	}
}
