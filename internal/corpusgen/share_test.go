package corpusgen_test

import (
	"slices"
	"testing"

	"viewer/internal/corpusgen"
)

// TestShares holds what is generated against what was counted in real sessions.
func TestShares(t *testing.T) {
	r := readFolder(t, corpusgen.Options{Seed: 1, Bytes: 40_000_000, Sessions: 300})
	share := func(what string, got, of int, low, high float64) {
		t.Helper()
		if s := 100 * float64(got) / float64(of); s < low || s > high {
			t.Errorf("%s: %.1f %%, want %g to %g", what, s, low, high)
		}
	}
	share("assistant records", r.kinds["assistant"], r.records, 38, 60)
	share("user records", r.kinds["user"], r.records, 20, 40)
	share("calls of Bash", r.tools["Bash"], r.calls, 28, 38)
	share("calls of Read", r.tools["Read"], r.calls, 18, 28)
	share("calls of Edit", r.tools["Edit"], r.calls, 17, 25)
	share("calls of Grep", r.tools["Grep"], r.calls, 4, 10)
	share("calls of Write", r.tools["Write"], r.calls, 1, 4)
	share("results that failed", r.failed, r.calls, 2, 7)
	share("thinking", r.kinds["assistant block thinking"], r.calls, 25, 55)
	share("text", r.kinds["assistant block text"], r.calls, 35, 60)
	files := 0
	for _, n := range r.endings {
		files += n
	}
	share("files of Go", r.endings[".go"], files, 20, 32)
	share("files of Markdown", r.endings[".md"], files, 13, 25)
	share("files of Python", r.endings[".py"], files, 13, 25)
	if len(r.endings) < 12 || len(r.versions) < 20 || len(r.tools) < 15 {
		t.Errorf("%d languages, %d versions, %d tools: that is not how folders are", len(r.endings), len(r.versions), len(r.tools))
	}
	size := func(tool string, share, low, high int) {
		t.Helper()
		all := r.outputs[tool]
		slices.Sort(all)
		if got := all[len(all)*share/100]; got < low || got > high {
			t.Errorf("%d %% of the outputs of %s have up to %d bytes, want %d to %d", share, tool, got, low, high)
		}
	}
	size("Bash", 50, 200, 500)
	size("Bash", 90, 1900, 3600)
	size("Read", 50, 1300, 2800)
	size("Read", 90, 7000, 14_000)
	size("Grep", 50, 400, 1000)
}

// TestKinds: what is rare is there all the same.
func TestKinds(t *testing.T) {
	r := readFolder(t, corpusgen.Options{Seed: 1, Bytes: 40_000_000, Sessions: 300})
	for _, kind := range []string{
		"system", "progress hook_progress", "attachment hook_success", // hooks of three eras
		"attachment hook_additional_context", "attachment hook_non_blocking_error", "system stop_hook_summary", "system turn_duration",
		"progress agent_progress", "progress bash_progress", "attachment skill_listing", "attachment deferred_tools_delta", "attachment edited_text_file",
		"attachment task_reminder", "file-history-snapshot", "queue-operation", "last-prompt", "permission-mode", "mode", "ai-title", "bridge-session",
		"user block image", "result image", "result tool_reference", "beside .txt", "beside .json",
	} {
		if r.kinds[kind] == 0 {
			t.Errorf("no %s", kind)
		}
	}
	for _, place := range []string{"subagents", "-home-mara-lanternmap"} {
		if r.places[place] == 0 {
			t.Errorf("no agent in %s: %v", place, r.places)
		}
	}
	long := read{kinds: map[string]int{}, tools: map[string]int{}, versions: map[string]int{}, endings: map[string]int{}, outputs: map[string][]int{}}
	long.file(t, corpusgen.File{Path: "long.jsonl", Data: corpusgen.Session(1, 10_000_000)})
	if n := long.kinds["system compact_boundary"]; n < 2 || n > 4 {
		t.Errorf("%d compactions in 10 MB, want one every 3 MB", n)
	}
}
