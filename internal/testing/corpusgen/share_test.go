package corpusgen_test

import (
	"bytes"
	"path"
	"slices"
	"testing"

	"viewer/internal/testing/corpus"
	"viewer/internal/testing/corpusgen"
	"viewer/internal/transcript"
)

// TestShares compares the shares in generated sessions with those that were counted in real ones.
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
		t.Errorf("%d languages, %d versions, %d tools: want at least 12, 20 and 15", len(r.endings),
			len(r.versions), len(r.tools))
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

// TestBytes compares what the bytes are used for with what was counted in real sessions, which is given beside each
// range. Pictures are counted separately from the results and prompts that contain them.
func TestBytes(t *testing.T) {
	all(t)
	b := bytesOf(corpusgen.Options{Seed: 1, Bytes: 100_000_000, Sessions: 750})
	for _, want := range []struct {
		what            string
		low, real, high float64
	}{
		{"assistant", 25, 28.6, 32},
		{"results", 40, 44, 50},
		{"pictures", 3.6, 5.6, 8},
		{"prompts", 2, 2.3, 3.4}, // and the rest of user records
		{"progress", 7, 11.9, 16},
		{"attachment", 3.3, 4.1, 5},
		{"system", 0.75, 0.95, 1.2},
		{"file-history-snapshot", 0.9, 1.2, 1.5},
		{"queue-operation", 0.5, 0.8, 1.1},
		{"bookkeeping", 0.3, 0.45, 0.7},
	} {
		if got := 100 * float64(b.of[want.what]) / float64(b.all); got < want.low || got > want.high {
			t.Errorf("%s: %.2f %% of the bytes, counted were %g: want %g to %g", want.what, got, want.real,
				want.low, want.high)
		}
	}
	if each := b.all / b.calls; each < 11_500 || each > 14_500 {
		t.Errorf("%d bytes for each call, counted 13,146: want 11,500 to 14,500", each)
	}
	for _, want := range []struct {
		what            string
		low, real, high int
	}{
		{"assistant", 1700, 1906, 2100},
		{"progress", 2000, 5730, 7000},
		{"attachment", 1100, 1549, 1900},
		{"system", 560, 669, 760},
		{"file-history-snapshot", 850, 1201, 1400},
		{"queue-operation", 900, 1591, 2000},
	} {
		if each := b.of[want.what] / b.records[want.what]; each < want.low || each > want.high {
			t.Errorf("%s: %d bytes each, counted were %d: want %d to %d", want.what, each, want.real,
				want.low, want.high)
		}
	}
	if b.longest < 100_000 {
		t.Errorf("the longest progress record has %d bytes, want at least 100,000 for the lists of messages", b.longest)
	}
}

// byteCount counts bytes and records by their use.
type byteCount struct {
	all, calls, longest int // the longest progress record
	of, records         map[string]int
}

// bytesOf counts lines as written, because readers drop some long members.
func bytesOf(o corpusgen.Options) byteCount {
	b := byteCount{of: map[string]int{}, records: map[string]int{}}
	for f := range corpusgen.Folder(o) {
		if path.Ext(f.Path) != ".jsonl" {
			continue
		}
		for line := range bytes.Lines(f.Data) {
			what, size := transcript.String(transcript.Field(line, "type")), len(line)
			b.all += size
			switch what {
			case "user":
				pictures := base64In(line)
				b.of["pictures"] += pictures
				size -= pictures
				what = "prompts"
				if bytes.Contains(line, []byte(`"type":"tool_result"`)) {
					what = "results"
				}
			case "progress":
				b.longest = max(b.longest, size)
			case "assistant":
				b.calls += bytes.Count(line, []byte(`"type":"tool_use","id"`))
			case "attachment", "system", "file-history-snapshot", "queue-operation":
			default:
				what = "bookkeeping"
			}
			b.of[what] += size
			b.records[what]++
		}
	}
	return b
}

// base64In returns how many bytes of a line are pictures: each is the text between its member and the next quote.
func base64In(line []byte) int {
	n := 0
	for _, member := range []string{`"data":"iVBOR`, `"base64":"iVBOR`} {
		for _, after := range bytes.Split(line, []byte(member))[1:] {
			n += len("iVBOR") + bytes.IndexByte(after, '"')
		}
	}
	return n
}

// TestKinds: rare kinds of records occur too.
func TestKinds(t *testing.T) {
	all(t)
	r := readFolder(t, corpusgen.Options{Seed: 1, Bytes: 80_000_000, Sessions: 600})
	for _, kind := range []string{
		"system", "progress hook_progress", "attachment hook_success", // the three forms of hooks
		"attachment hook_additional_context", "attachment hook_non_blocking_error", "system stop_hook_summary",
		"system turn_duration",
		"progress agent_progress", "progress bash_progress", "attachment skill_listing",
		"attachment deferred_tools_delta", "attachment edited_text_file",
		"attachment task_reminder", "file-history-snapshot", "queue-operation", "last-prompt", "permission-mode",
		"mode", "ai-title", "bridge-session",
		"file-history-delta", "summary", "pr-link", "custom-title", "agent-name",
		"attachment hook_system_message", "attachment hook_cancelled", "attachment mcp_instructions_delta",
		"attachment agent_listing_delta", "attachment command_permissions",
		"attachment queued_command", "attachment diagnostics", "attachment date_change", "attachment plan_mode",
		"attachment plan_mode_exit",
		"system api_error", "system away_summary", "system bridge_status", "system local_command",
		"system microcompact_boundary",
		"progress mcp_progress", "progress query_update", "progress search_results_received",
		"user block image", "result image", "result tool_reference", "beside .txt", "beside .json",
	} {
		if r.kinds[kind] == 0 {
			t.Errorf("no record of kind %s", kind)
		}
	}
	for _, place := range []string{"subagents", "-home-mara-lanternmap"} {
		if r.places[place] == 0 {
			t.Errorf("no agent in %s, only in %v", place, r.places)
		}
	}
	long := read{
		kinds: map[string]int{}, tools: map[string]int{}, versions: map[string]int{}, endings: map[string]int{},
		outputs: map[string][]int{},
	}
	long.file(t, corpusgen.File{Path: "long.jsonl", Data: corpusgen.Session(1, 10_000_000)})
	if n := long.kinds["system compact_boundary"]; n < 2 || n > 4 {
		t.Errorf("%d compactions in 10 MB, want one every 3 MB", n)
	}
}

// all skips a test that generates many sessions, for shares of bytes and rare kinds.
func all(t *testing.T) {
	t.Helper()
	if !corpus.Full() {
		t.Skip("generates some 100 MB; make test runs it, or set " + corpus.All + "=all")
	}
}
