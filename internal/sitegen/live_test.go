package sitegen

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"viewer/internal/testing/corpus"
	"viewer/internal/testing/corpusgen"
)

// A liveSession is a session of many pages in which later records change earlier pages.
type liveSession struct {
	t      *testing.T
	rng    *rand.Rand
	kinds  deck // the kinds of events in random order
	file   string
	n      int
	spills int
}

// TestLivePages watches a session of many pages while random events happen, in sequences that contain all kinds of
// events. After each step the site must be that of a clean build, although only few pages were drawn, and the pages
// that were kept must equal newly drawn ones.
func TestLivePages(t *testing.T) {
	size := 2_000_000
	if !corpus.Full() { // three pages are enough to draw some in parallel
		size = 1_000_000
	}
	for seed := range sequences(1, 2, 8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			if kept := livePages(t, seed, size, false); kept < 12 {
				t.Errorf("%d pages were kept in all steps, want at least 12", kept)
			}
		})
	}
}

// TestStoredPages is TestLivePages for builds that are new processes and use what earlier builds stored.
func TestStoredPages(t *testing.T) {
	corpus.Long(t)
	size := 1_000_000
	if !corpus.Full() {
		size = 500_000
	}
	for seed := range sequences(1, 2, 8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			if kept := livePages(t, seed+20, size, true); kept < 3 {
				t.Errorf("%d pages were kept in all steps, want at least 3", kept)
			}
		})
	}
}

// livePages runs one such sequence, and returns the number of pages that were kept.
func livePages(t *testing.T, seed uint64, size int, anew bool) (kept int) {
	rng := rand.New(rand.NewPCG(seed, 3))
	source := t.TempDir()
	g := &liveSession{
		t: t, rng: rng, kinds: deck{rng: rng}, file: filepath.Join(source, "-w-live",
			"11111111-2222-4333-8444-555555555555.jsonl"),
	}
	write(t, g.file, corpusgen.Session(seed, size))
	for i := range 3 { // agents that exist from the start: small ones, and one with several pages
		g.agent(300 + i*60_000)
	}
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", Prune: true, storedSize: 1}
	w := &watched{t: t, site: NewSite(o), o: o, source: source, file: g.file, anew: anew}
	t.Cleanup(func() { w.site.Close() })
	settle(t, source)
	w.build()
	appendTo(t, g.file, g.record("user", `"message":{"role":"user","content":"Now it is watched"}`))
	w.build() // the first build reads everything
	var story []string
	for step := 0; step < 10 || !g.kinds.round; step++ {
		for range 1 + rng.IntN(3) {
			story = append(story, g.randomEvent())
		}
		w.site.o.Verify = step%3 == 2
		r := w.build()
		if len(r.Wrong) > 0 {
			t.Errorf("kept pages that would be drawn differently: %v", r.Wrong)
		}
		if !w.site.o.Verify {
			kept += r.Pages - r.Drawn
		}
		w.checkSame(strings.Join(story, ", "))
	}
	return kept
}

// TestLiveDraws counts the pages that an append draws: the last one, and the first one, which has the totals.
func TestLiveDraws(t *testing.T) {
	source := t.TempDir()
	g := &liveSession{
		t: t, rng: rand.New(rand.NewPCG(1, 1)), file: filepath.Join(source, "-w-live",
			"11111111-2222-4333-8444-555555555555.jsonl"),
	}
	write(t, g.file, corpusgen.Session(5, 3_000_000))
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	w := &watched{t: t, site: NewSite(o), o: o, source: source, file: g.file}
	t.Cleanup(func() { w.site.Close() })
	w.build()
	appendTo(t, g.file, g.record("user", `"message":{"role":"user","content":"First"}`))
	w.build()
	for range 4 {
		appendTo(t, g.file,
			g.record("assistant",
				fmt.Sprintf(`"message":{"id":"msg_%d","role":"assistant","model":"claude-opus-4-1","content":[{"type":"text","text":"Next"}]}`, g.n)))
		if r := w.build(); r.Drawn != 2 || r.Pages < 8 {
			t.Errorf("drew %d of %d pages, want 2 of at least 8", r.Drawn, r.Pages)
		}
	}
}

var (
	callIDs   = regexp.MustCompile(`"type":"tool_use","id":"([^"]+)"`)
	uuids     = regexp.MustCompile(`"uuid":"([^"]+)"`)
	prompts   = regexp.MustCompile(`"parentUuid":"([^"]+)"[^\n]*"type":"user","message":\{"role":"user","content":"`)
	requestID = regexp.MustCompile(`"id":"(msg_[^"]+)"`)
)

// randomMatch returns a random match in the session.
func (g *liveSession) randomMatch(expr *regexp.Regexp) string {
	data, err := os.ReadFile(g.file)
	if err != nil {
		g.t.Fatal(err)
	}
	all := expr.FindAllSubmatch(data, -1)
	if len(all) == 0 {
		return "none"
	}
	return string(all[g.rng.IntN(len(all))][1])
}

func (g *liveSession) uuid() string {
	g.n++
	return fmt.Sprintf("%08x-%04x-4bbb-8ccc-%012x", g.rng.Uint32(), g.n, g.rng.Uint32())
}

// record returns a line with the members that all records have.
func (g *liveSession) record(kind, rest string) string {
	return g.child(g.last(), kind, rest)
}

// last returns the uuid of the last record, the parent of the next one.
func (g *liveSession) last() string {
	data, err := os.ReadFile(g.file)
	if err != nil {
		g.t.Fatal(err)
	}
	all := uuids.FindAllSubmatch(data[max(0, len(data)-20_000):], -1)
	if len(all) == 0 {
		return ""
	}
	return string(all[len(all)-1][1])
}

func (g *liveSession) child(parent, kind, rest string) string {
	return fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"cwd":"/w/live","sessionId":"s","version":"2.1.210","type":%q,%s,"uuid":%q,"timestamp":"2031-01-%02dT%02d:00:00.000Z"}`+"\n",
		parent, kind, rest, g.uuid(), 1+g.n/20%28, g.n%20)
}

func (g *liveSession) agent(size int) string {
	id := fmt.Sprintf("a%07x", g.rng.Uint32()>>4)
	file := filepath.Join(strings.TrimSuffix(g.file, ".jsonl"), "subagents", "agent-"+id+".jsonl")
	var lines bytes.Buffer
	lines.WriteString(g.record("user", `"isSidechain":true,"message":{"role":"user","content":"Look around"}`))
	for lines.Len() < size {
		lines.WriteString(
			g.record("assistant", fmt.Sprintf(`"isSidechain":true,"message":{"id":"msg_%s_%d","role":"assistant","model":"claude-haiku-4-5","usage":{"input_tokens":3,"output_tokens":%d},"content":[{"type":"text","text":%q}]}`,
				id, g.n, g.n, strings.Repeat("What I see. ", 50))))
	}
	write(g.t, file, lines.Bytes())
	write(g.t, strings.TrimSuffix(file, ".jsonl")+".meta.json",
		fmt.Appendf(nil, `{"agentType":"Explore","description":"Looks around","toolUseId":%q}`, g.randomMatch(callIDs)))
	return "a new agent"
}

// randomEvent appends the records of a random event and returns its description.
func (g *liveSession) randomEvent() string {
	add := func(name, line string) string {
		appendTo(g.t, g.file, line)
		return name
	}
	call := g.randomMatch(callIDs)
	user := func(rest string) string { return g.record("user", rest) }
	answer := func(model, blocks string) string {
		return g.record("assistant",
			fmt.Sprintf(
				`"message":{"id":"msg_live_%d","role":"assistant","model":%q,"usage":{"input_tokens":10,"cache_read_input_tokens":%d,"output_tokens":20},"content":[%s]}`, g.n, model, g.n*100, blocks))
	}
	choices := []func() string{
		func() string { return add("a prompt", user(`"message":{"role":"user","content":"Go on"}`)) },
		func() string {
			return add("an answer", answer("claude-opus-4-1", `{"type":"text","text":"`+
				strings.Repeat("So it is. ", g.rng.IntN(2000))+`"}`))
		},
		func() string { return add("another model", answer("claude-other-9", `{"type":"text","text":"Hm."}`)) },
		func() string {
			return add("a call",
				answer("claude-opus-4-1",
					fmt.Sprintf(`{"type":"tool_use","id":"toolu_live_%d","name":"Bash","input":{"command":"ls"}}`, g.n)))
		},
		func() string {
			return add("a result that comes late or twice",
				user(fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"Late as it is","is_error":true}]},"toolUseResult":"late"`, call)))
		},
		func() string {
			id := fmt.Sprintf("toolu_live_%d", max(0, g.n-g.rng.IntN(8)))
			return add("a result",
				user(fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"Done"}]}`, id)))
		},
		func() string {
			return add("a late hook",
				g.record("attachment",
					fmt.Sprintf(`"attachment":{"type":"hook_success","hookName":"PostToolUse:Bash","hookEvent":"PostToolUse","toolUseID":%q,"stdout":"linted","exitCode":0}`, call)))
		},
		func() string {
			return add("a late hook of another era",
				g.record("progress",
					fmt.Sprintf(`"data":{"type":"hook_progress","hookEvent":"PreToolUse","hookName":"PreToolUse:Bash","command":"check"},"parentToolUseID":%q,"toolUseID":%q`, call, call)))
		},
		func() string { return g.agent(g.rng.IntN(3) * 15_000) },
		func() string {
			all, _ := filepath.Glob(strings.TrimSuffix(g.file, ".jsonl") + "/subagents/*.jsonl")
			appendTo(g.t, all[g.rng.IntN(len(all))],
				g.record("assistant",
					fmt.Sprintf(`"isSidechain":true,"message":{"id":"msg_%d","role":"assistant","model":"claude-haiku-4-5","usage":{"input_tokens":3,"output_tokens":9},"content":[{"type":"text","text":"More of it"}]}`, g.n)))
			return "an agent grows"
		},
		func() string {
			return add("an agent inside",
				g.record("user", `"isSidechain":true,"message":{"role":"user","content":"Look inside"}`))
		},
		func() string {
			return add("a compaction",
				g.record("system", `"subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":100}`)+
					g.record("user", `"isCompactSummary":true,"message":{"role":"user","content":"What was said so far"}`))
		},
		func() string {
			return add("a prompt that is sent again",
				g.child(g.randomMatch(prompts), "user", `"message":{"role":"user","content":"In other words"}`))
		},
		func() string {
			return add("a record that goes on elsewhere",
				g.child(g.randomMatch(uuids), "assistant",
					`"message":{"role":"assistant","model":"claude-opus-4-1","content":[{"type":"text","text":"From here"}]}`))
		},
		func() string {
			return add("a title",
				fmt.Sprintf(`{"type":"custom-title","customTitle":"Title %d","sessionId":"s"}`+"\n", g.n))
		},
		func() string {
			return add("a summary", fmt.Sprintf(`{"type":"summary","summary":"Summary %d","leafUuid":%q}`+"\n",
				g.n, g.randomMatch(uuids)))
		},
		func() string {
			return add("a queued prompt",
				g.record("attachment", `"attachment":{"type":"queued_command","prompt":"And this","commandMode":"prompt"}`))
		},
		func() string {
			return add("a tombstone", g.record("tombstone", fmt.Sprintf(`"message":{"uuid":%q}`, g.randomMatch(uuids))))
		},
		func() string {
			return add("what is withdrawn by its request",
				g.record("tombstone", fmt.Sprintf(`"message":{"message":{"id":%q}}`, g.randomMatch(requestID))))
		},
		func() string {
			return add("a caption",
				g.record("tool_use_summary", fmt.Sprintf(`"summary":"Some calls","precedingToolUseIds":[%q]`, call)))
		},
		func() string {
			return add("a step of an agent without a file",
				g.record("progress",
					fmt.Sprintf(
						`"data":{"type":"agent_progress","agentId":"told%d","message":{"type":"user","uuid":%q,"message":{"role":"user","content":"Step"}}},"parentToolUseID":%q,"toolUseID":"x"`, g.rng.IntN(2), g.uuid(), call)))
		},
		func() string {
			return add("an interruption", user(`"message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]}`))
		},
		func() string {
			return add("a report of a call",
				user(fmt.Sprintf(`"message":{"role":"user","content":"<task-notification><task-id>t%d</task-id><tool-use-id>%s</tool-use-id><status>completed</status><summary>It is done</summary></task-notification>"}`, g.n, call)))
		},
		func() string {
			id := g.n
			return add("a task",
				answer("claude-opus-4-1",
					fmt.Sprintf(`{"type":"tool_use","id":"toolu_task_%d","name":"TaskCreate","input":{"subject":"Task %d"}}`, id, id))+
					user(fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_task_%d","content":"ok"}]},"toolUseResult":{"task":{"id":"%d","subject":"x"}}`, id, g.rng.IntN(3))))
		},
		func() string {
			return add("a task that is done",
				answer("claude-opus-4-1",
					fmt.Sprintf(`{"type":"tool_use","id":"toolu_task_%d","name":"TaskUpdate","input":{"taskId":"%d","status":"completed"}}`, g.n, g.rng.IntN(3))))
		},
		func() string {
			g.spills++
			name := fmt.Sprintf("toolu_spill_%d.txt", g.spills)
			write(g.t, filepath.Join(strings.TrimSuffix(g.file, ".jsonl"), "tool-results", name),
				[]byte("All of a long output"))
			return add("a long output",
				answer("claude-opus-4-1",
					fmt.Sprintf(`{"type":"tool_use","id":"toolu_spill_%d","name":"Bash","input":{"command":"cat"}}`, g.spills))+
					user(fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_spill_%d","content":"<persisted-output>\nOutput too large. Full output saved to: /x/tool-results/%s\n</persisted-output>"}]}`, g.spills, name)))
		},
		func() string {
			data, _ := os.ReadFile(g.file)
			lines := bytes.SplitAfter(data, []byte("\n"))
			return add("a line that is written again", string(lines[g.rng.IntN(len(lines)-1)]))
		},
		func() string { return add("a line that is not a record", "no record\n") },
		func() string {
			return add("an error of the API",
				g.record("assistant", `"isApiErrorMessage":true,"message":{"role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"API Error: 400 image too large"}]}`))
		},
		func() string {
			return add("many records",
				strings.Repeat(answer("claude-opus-4-1", `{"type":"text","text":"`+strings.Repeat("On and on. ", 3000)+
					`"}`), 1)+
					answer("claude-opus-4-1", `{"type":"text","text":"`+strings.Repeat("And on. ", 9000)+`"}`))
		},
	}
	return choices[g.kinds.next(len(choices))]()
}
