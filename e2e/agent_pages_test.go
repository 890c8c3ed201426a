package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// agentSite builds a site of a session whose agent has several pages, and returns the folder of the session.
func agentSite(t *testing.T) (root, folder string) {
	t.Helper()
	const id = "ag"
	var b strings.Builder
	record := func(format string, args ...any) { fmt.Fprintf(&b, `{"sessionId":"ag",`+format+"}\n", args...) }
	record(`"type":"user","isSidechain":true,"agentId":"ab12","uuid":"a0","timestamp":"2026-05-12T10:00:06Z",` +
		`"message":{"role":"user","content":"Inspect each plank"}`)
	for i := range 60 {
		record(`"type":"assistant","isSidechain":true,"agentId":"ab12","uuid":"a%d","parentUuid":"a%d",`+
			`"timestamp":"2026-05-12T10:%02d:10Z","message":{"id":"n%d","role":"assistant","model":"claude-opus-4-8",`+
			`"content":[{"type":"text","text":%q}]}`, i+1, i, i, i,
			strings.Repeat(fmt.Sprintf("Plank %d holds. ", i), 1200))
	}
	agents := filepath.Join(work, id, "-home-ada-pier", id, "subagents")
	if err := os.MkdirAll(agents, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(agents, "agent-ab12.jsonl"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	record(`"type":"user","uuid":"u1","timestamp":"2026-05-12T10:00:00Z",` +
		`"message":{"role":"user","content":"Have the pier inspected"}`)
	record(`"type":"assistant","uuid":"u2","parentUuid":"u1","timestamp":"2026-05-12T10:00:05Z","message":{"id":"m1",` +
		`"role":"assistant","model":"claude-opus-4-8","content":[{"type":"tool_use","id":"t1","name":"Task","input":` +
		`{"description":"Inspect","subagent_type":"Explore","prompt":"Inspect each plank"}}]}`)
	record(`"type":"user","uuid":"u3","parentUuid":"u2","timestamp":"2026-05-12T11:00:05Z","toolUseResult":` +
		`{"agentId":"ab12","status":"completed"},"message":{"role":"user","content":[{"type":"tool_result",` +
		`"tool_use_id":"t1","content":"Fine"}]}`)
	record(`"type":"assistant","uuid":"u4","parentUuid":"u3","timestamp":"2026-05-12T11:00:09Z","message":{"id":"m2",` +
		`"role":"assistant","model":"claude-opus-4-8","content":[{"type":"text","text":"The pier is fine."}]}`)
	root, page := sessionSite(t, id, b.String())
	return root, filepath.Dir(page)
}

// TestPagesOfAgent opens a later page of a long agent. It has the outline of all its pages and their numbers, and
// without a script it says what the agent was asked and when it began.
func TestPagesOfAgent(t *testing.T) {
	t.Parallel()
	root, folder := agentSite(t)
	tb := openTab(t, root, withScript)
	tb.view(t, 1280, "light")
	tb.load(t, folder+"/agents/ab12-2.html")
	tb.await(t, `document.querySelector(".out .toc a[href^='ab12.html#']")`, "the outline of all pages of the agent")
	pages := eval[string](t, tb, `document.querySelector(".pager span").textContent`)
	if !strings.HasPrefix(pages, "Page 2 of ") {
		t.Errorf("the pager is %q", pages)
	}
	report(t, "ab12-2.html", inaccessible(t, tb))
	tb.click(t, ".pager small a[href='ab12.html']")
	tb.await(t, `location.pathname.endsWith("/agents/ab12.html") && document.querySelector(".pager")`, "page 1")
	report(t, "ab12.html", tb.takeFindings())

	plain := openTab(t, root, withoutScript)
	plain.view(t, 1280, "light")
	plain.load(t, folder+"/agents/ab12-2.html")
	line := eval[string](t, plain, `document.querySelector("main > .meta").textContent`)
	for _, want := range []string{"began", "with claude-opus-4-8", "Inspect each plank"} {
		if !strings.Contains(line, want) {
			t.Errorf("without a script the top of the page is %q, want it to include %q", line, want)
		}
	}
	if eval[int](t, plain, `document.querySelectorAll(".out .toc a").length`) == 0 {
		t.Error("without a script the outline is empty")
	}
}
