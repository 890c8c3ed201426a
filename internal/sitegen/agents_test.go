package sitegen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/sources/all"
	"viewer/internal/sources/claude"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/htmlcheck"
)

// unknownKinds are the kinds of records of other agents that nothing describes, with the reason. All other kinds are
// drawn by their own template or hidden by a rule.
var unknownKinds = map[string]string{
	"block custom_block":               "made up for a test of what a later version may write",
	"record":                           "lines of a demo that hold no type",
	"record compact":                   "made up for a test of what a later version may write",
	"record tool_call":                 "items that were invented for a test of another program",
	"record tool_result":               "the same",
	"tool [trimmed for fixture]":       "a session whose names of tools are blanked out",
	"tool shell, input not understood": "the same session",
	"tool analyst_estimates":           "an agent that was invented for a test of another program",
	"tool delegate_research":           "the same",
	"tool extract_text":                "the same",
	"tool financial_search":            "the same",
	"tool get_news":                    "the same",
	"tool news_search":                 "the same",
	"tool check_slop_file":             "a tool of an extension that one person has",
	"tool diagnostic_tool":             "a session that was invented for a test of another program",
	"tool edit_file":                   "a session that was invented for a test of another program",
	"tool context7_query-docs":         "a tool of an MCP server of OpenCode, whose names have no mark of one",
	"tool context7_resolve-library-id": "the same",
	"tool exa_web_fetch_exa":           "the same",
	"tool exa_web_search_exa":          "the same",
	"tool repoprompt_context_builder":  "a tool of an extension that one person has",
	"tool repoprompt_oracle_send":      "the same",
	"tool run_terminal":                "a session that was invented for a test of another program",
	"tool shell_exec":                  "the same",
	"tool generic":                     "a step of Antigravity whose call is not in the log",
	"tool browser_navigate":            "the same",
}

// TestAgentsCorpus builds every folder of real sessions of the other agents. The ledger must balance, all records that
// their sources read must have a drawing, and no page may have a finding. Files that no source reads only count as
// read.
func TestAgentsCorpus(t *testing.T) {
	var known []string
	for _, s := range all.Sources[:len(all.Sources)-1] {
		known = append(known, s.Writer().ID())
	}
	for _, source := range corpus.Share(corpus.Glob(t, "agents/*")) {
		if info, err := os.Stat(source); err != nil || !info.IsDir() || !hasSessions(t, source) {
			continue
		}
		t.Run(filepath.Base(source), func(t *testing.T) {
			out := t.TempDir()
			o := Options{Sources: []string{source}, Out: out, Version: "test"}
			whole := mustBuild(t, o)
			checkLedger(t, whole)
			findings, err := htmlcheck.Sweep(os.DirFS(out), htmlcheck.Options{TranscriptText: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range findings {
				t.Error(f)
			}
			checkPageSizes(t, out)
			all := len(whole.Agents)
			delete(whole.Agents, claude.Source{}.Writer().String())
			if delete(whole.Agents, "Unknown program"); len(whole.Agents) == 0 {
				t.Skip("no source reads these files")
			}
			if len(whole.Agents) < all {
				o.Out, o.Filter = t.TempDir(), Filter{Agents: known}
				whole = mustBuild(t, o)
			}
			for kind, n := range whole.Ledger.Generic {
				name := strings.TrimSpace(kind)
				if at := strings.LastIndex(name, ", "); unknownKinds[name] == "" && at > 0 {
					name = name[:at] // cut off the version
				}
				if unknownKinds[name] == "" {
					t.Errorf("%d of kind %q has only a generic drawing: give it a description or a drawing, and a case",
						n, kind)
				}
			}
			checkResults(t, o.Out, o)
		})
	}
}
