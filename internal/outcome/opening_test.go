package outcome

import (
	"strings"
	"testing"
)

func TestOpening(t *testing.T) {
	for _, c := range []struct{ name, answer, heading, text string }{
		{"one sentence", "Created `CODEOWNERS` with two groups.", "", "Created CODEOWNERS with two groups."},
		{"an interjection", "Perfect! I've added both sections.\n\nMore.", "", "I've added both sections. More."},
		{"nothing but an interjection", "Done.", "", "Done."},
		{"an interjection before a dash stays", "Done — committed and pushed to the branch of the request, with all the tests that it had before.", "", "Done — committed and pushed to the branch of the request, with all the tests that it had before."},
		{"a short first paragraph takes the next", "All pushed.\n\nThe branch has two commits.", "", "All pushed. The branch has two commits."},
		{"a heading", "## Fixes applied\n\nCleanup keeps the repository. One test.", "Fixes applied", "Cleanup keeps the repository. One test."},
		{"a bold heading", "**Fixes applied:**\nCleanup keeps the repository.", "Fixes applied", "Cleanup keeps the repository."},
		{"a heading that says nothing", "## TL;DR\n\nThe core is correct.", "", "The core is correct."},
		{"a section after a heading", "# Review\n\n## Overview\n\nAdds a provider.", "Review", "Adds a provider."},
		{"a colon and its list", "All green:\n\n- **Build**: passes\n- **Tests**: pass", "", "All green: Build: passes; Tests: pass"},
		{"a colon and headings", "Two ways:\n\n**Option A**\n```\nx\n```\n\n**Option B**\n\nText.", "", "Two ways: Option A; Option B"},
		{"a colon and nothing that can be shown", "The function is there. It says:\n\n```go\nfunc f()\n```", "", "The function is there."},
		{"only a colon", "It says:\n\n```go\nfunc f()\n```", "", "It says…"},
		{"only code", "```go\nfunc f()\n```", "", "func f()"},
		{"only code that begins with a home folder", "~~~\n~/pier/run\n~~~", "", "~/pier/run"},
		{"a table", "## Result\n\n| a | b |\n|---|---|\n| 1 | 2 |", "", "a b 1 2"},
		{"a path ends no sentence", "Fixed in app.go, e.g. the loader. Then more.", "", "Fixed in app.go, e.g. the loader. Then more."},
		{"no spaces between sentences", "更新しました。主な内容です。", "", "更新しました。主な内容です。"},
		{"nothing", " \n", "", ""},
		{"an announcement", "Here's what happened and what I did.\n\n## Root cause\n\nThe flag was never read.", "", "The flag was never read."},
		{"more work is announced", "Perfect! I think I see the issue now. Let me verify:\n\nThe field is left out when it is 0.", "", "The field is left out when it is 0."},
		{"an announcement and a title", "Now I have everything. Let me write a summary document:\n\n## Summary: Pages\n\nThey are cut off.", "Summary: Pages", "They are cut off."},
		{"an announcement alone", "I'll look at the pier.", "", "I'll look at the pier."},
		{"an announced text after a section", "All of it works. Here's a summary:\n\n**`pier.go`** - Added planks (lines 1-9):\n- oak\n\n**`lock.go`** - Removed rust\n\n**Required setup (by hand):**\n1. Paint", "", "All of it works. pier.go - Added planks (lines 1-9); lock.go - Removed rust"},
		{"one section", "All errors are mended. Here is a list:\n\n## Fixes\n\nThe imports are complete.", "", "All errors are mended. The imports are complete."},
		{"parts of sections", "Two issues:\n\n## Rust\n\nText.\n\n### Where\n\nThere.\n\n## Moss\n\nText.", "", "Two issues: Rust; Moss"},
		{"code with an empty line", "Here's how it is now:\n\n```\none\n\ntwo\n```\n\nThe lock opens by itself.", "", "The lock opens by itself."},
		{"a question at the end", "The function is there:\n\n```go\nfunc f()\n```\n\nIt helps. Want me to use it?", "", "The function is there… Want me to use it?"},
		{"a question in a list does not count", "The pier is built of oak.\n\n```\nmake\n```\n\nIdeas:\n\n- oak?\n- moss?", "", "The pier is built of oak."},
		{"the result of a review", "# Review of the pier\n\n**Scope:** 3 planks.\n\n## Planks\n\nTwo creak.\n\n## Recommendation\n\nClose to ready.", "Review of the pier", "Close to ready."},
		{"the solution comes after the text below the title", "# Pier\n\nIt stands.\n\n## Fix\n\nA nail.", "Pier", "It stands."},
		{"a labelled result", "## Planks: a review\n\nWhat I found:\n\n### Oak\n\nOld.\n\n### Moss\n\nGreen.\n\n**Recommendation: paint it, and wait.**", "Planks: a review", "Recommendation: paint it, and wait."},
		{"a result that is announced", "Let me look once more.\n\nI found the cause of the noise. Here's what it is:\n\n## Planks\n\nThey creak.\n\n## Root cause\n\n**The planks were laid on stones that move in winter.**", "", "The planks were laid on stones that move in winter."},
		{"several causes", "I looked at both noises. Here's what I found:\n\n## Planks\n\n### Root cause\n\nStones.\n\n## Lock\n\n### Root cause\n\nRust.", "", "I looked at both noises. Planks; Lock"},
		{"the scene of what follows", "I see. Let me verify:\n\nFor a **new** pier without planks:\n- `Length = 0`\n- `Planks = 0`\n\nBoth are left out. Which do you want?", "", "Both are left out. Which do you want?"},
		{"how it works", "Now the lock is quick:\n\n**How it works:**\n1. The keeper turns\n2. It opens", "", "Now the lock is quick…"},
		{"two short sections", "# Pier\n\n## Planks\n\nOak is there.\n\n## Paint\n\n**Yes, paint is there**: it dries.", "Pier", "Oak is there. Yes, paint is there: it dries."},
		{"a long sentence", strings.Repeat("oak, ", 100), "", strings.TrimRight(strings.Repeat("oak, ", 56), ", ") + "…"},
		{"a rule", "---\n\nThe end.", "", "The end."},
		{"more on the line that ends code", "Here's how it is now:\n\n```\none\n```  \n\nThe lock opens by itself.", "", "The lock opens by itself."},
		{"code without an end", "Here's how it is now:\n\n```\none", "", "Here's how it is now:"},
		{"code on one line", "```make```", "", "make"},
		{"a colon and a table", "Planks are there. Their sizes:\n\n| a |\n|---|\n| 1 |", "", "Planks are there."},
		{"an interjection before words", "Done. The pier stands.", "", "The pier stands."},
		{"an interjection before a number", "Done: 3 planks creak.", "", "3 planks creak."},
		{"an interjection before a comma", "Great, I see it.", "", "I see it."},
		{"two bold words begin no section", "**Oak** and **moss**\nAre green.", "", "Oak and moss Are green."},
		{"a list is no result", "# Pier\n\nIt stands.\n\n## Conclusion\n\n- Paint it", "Pier", "It stands."},
		{"an announced text that announces", "I saw two things:\n\n腐っている！いつから？前から。 Here they are:\n\n- oak", "", "I saw two things: 腐っている！いつから？前から。"},
	} {
		if heading, text := opening(c.answer); heading != c.heading || text != c.text {
			t.Errorf("%s: got %q, %q, want %q, %q", c.name, heading, text, c.heading, c.text)
		}
	}
}
