package sitegen

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"viewer/internal/insights"
)

// A recountedTime has the times and contexts of a log file.
type recountedTime struct {
	span      time.Duration
	work      time.Duration
	on        map[string]time.Duration
	contexts  []int64 // tokens of requests, in file order
	cacheRead map[string]int64
	rewinds   int // number of prompts that were sent again after a rewind
}

func recountTime(t *testing.T, file string) recountedTime {
	t.Helper()
	r := recountedTime{on: map[string]time.Duration{}, cacheRead: map[string]int64{}}
	lines := recountedLines(t, file)
	r.requests(lines)
	answered, asks := map[string]bool{"": true}, map[string]bool{}
	for _, l := range lines {
		for _, b := range l.blocks {
			result := recountedCall{
				answered: true, failed: b.IsError, text: string(b.Content), denial: l.ToolDenialKind,
			}
			answered[b.ToolUseID] = true
			asks[b.ToolUseID] = asks[b.ToolUseID] || result.howEnded() == "by a person"
			asks[b.ID] = asks[b.ID] || b.Name == "AskUserQuestion" || b.Name == "ExitPlanMode"
		}
	}
	lines = slices.DeleteFunc(lines, func(l recountedLine) bool {
		return l.Timestamp.IsZero() || l.approval || l.IsMeta && strings.Contains(l.text, "Caveat: ") ||
			l.Type == "progress" && l.Data.Type != "hook_progress" &&
				(l.Data.Type != "bash_progress" || answered[l.ParentToolUseID])
	})
	slices.SortStableFunc(lines, func(a, b recountedLine) int { return a.Timestamp.Compare(b.Timestamp) })
	waited := make([]bool, len(lines)+1)
	for i, l := range slices.Backward(lines) {
		waited[i] = l.asked() || waited[i+1] && l.beforePrompt()
	}
	asked := map[string]bool{}
	for i := range lines {
		l := &lines[i]
		if l.typed() {
			if asked[l.ParentUUID] && l.ParentUUID != "" {
				r.rewinds++
			}
			asked[l.ParentUUID] = true
		}
		if i == 0 {
			continue
		}
		d, on := l.Timestamp.Sub(lines[i-1].Timestamp), l.on(asks)
		if waited[i] {
			on = insights.OnPerson
		} else if d < 10*time.Minute {
			r.work += d
		}
		ran := time.Duration(l.Attachment.DurationMs) * time.Millisecond
		for _, h := range l.HookInfos {
			ran += time.Duration(h.DurationMs) * time.Millisecond
		}
		r.on[insights.OnHooks] += min(d, ran)
		if d -= min(d, ran); d >= 10*time.Minute && on != insights.OnPerson {
			on = insights.OnPauses
		}
		r.on[on] += d
	}
	if len(lines) > 0 {
		r.span = lines[len(lines)-1].Timestamp.Sub(lines[0].Timestamp)
	}
	return r
}

// requests counts each request once.
func (r *recountedTime) requests(lines []recountedLine) {
	at, days, reads := map[string]int{}, map[string]string{}, map[string]int64{}
	for _, l := range lines {
		u, id := l.Message.Usage, l.Message.ID
		if u == nil || l.Type != "assistant" || l.Message.Model == "<synthetic>" {
			continue
		}
		if days[id] == "" {
			days[id] = l.Timestamp.UTC().Format(time.DateOnly)
			at[id] = len(r.contexts)
			r.contexts = append(r.contexts, 0)
		}
		r.contexts[at[id]], reads[id] = u.Input+u.Read+u.Write, u.Read
	}
	for id, n := range reads {
		r.cacheRead[days[id]] += n
	}
}

// asked reports whether a person wrote the line, or came back.
func (l *recountedLine) asked() bool {
	return l.typed() || l.Type == "user" && !l.IsMeta && byPerson.MatchString(l.text) || byPerson.Match(l.Content) ||
		l.Subtype == "away_summary" || l.Message.Model == "<synthetic>" && l.text == "No response requested." ||
		l.hook() == "SessionStart" && l.Data.HookName+l.Attachment.HookName != "SessionStart:compact"
}

// beforePrompt reports whether the program may have written the line for the prompt that follows.
func (l *recountedLine) beforePrompt() bool {
	return l.hook() == "UserPromptSubmit" || l.Type == "user" && l.IsMeta ||
		l.Type == "attachment" && l.hook() == "" && !strings.Contains(l.Attachment.Type, "hook")
}

func (l *recountedLine) hook() string { return l.Data.HookEvent + l.Attachment.HookEvent }

// on returns the activity in the time before a line. asks are the calls that ask a person.
func (l *recountedLine) on(asks map[string]bool) string {
	switch {
	case l.Type == "user" && len(l.blocks) > 0 && l.blocks[0].Type == "tool_result":
		if !asks[l.blocks[0].ToolUseID] {
			return insights.OnTools
		}
		return insights.OnPerson
	case l.Data.Type == "bash_progress":
		return insights.OnTools
	}
	return insights.OnModel
}

func compareTime(t *testing.T, name string, s insights.Session, want recountedTime) {
	t.Helper()
	on, sum := map[string]time.Duration{}, time.Duration(0)
	largest, added, addedTokens := "", 0, int64(0)
	at, work := map[string]int64{}, time.Duration(0)
	for _, r := range s.Rows {
		switch r.Kind {
		case insights.TimeSpent:
			on[r.Name] += r.Time
			sum += r.Time
		case insights.Context:
			largest = r.Name
		case insights.ContextAdded:
			added += r.Count
			addedTokens += r.Tokens
		case insights.ContextAt:
			at[r.Name] += r.Tokens
		case insights.Activity:
			work += r.Time
		}
	}
	if sum != want.span && sum > 0 {
		t.Errorf("%s: activities take %s, want %s", name, sum, want.span)
	}
	for kind, d := range want.on {
		if on[kind] != d {
			t.Errorf("%s: activity %s takes %s, want %s", name, kind, on[kind], d)
		}
	}
	if work != want.work {
		t.Errorf("%s: %s of work, want %s", name, work, want.work)
	}
	reads := map[string]int64{}
	for _, day := range s.Days {
		for _, m := range day.Models {
			reads[day.Date] += m.Usage.CacheRead
		}
	}
	for day, n := range want.cacheRead {
		if reads[day] != n {
			t.Errorf("%s: %d tokens of %s from the cache, want %d", name, reads[day], day, n)
		}
	}
	if len(want.contexts) > 0 {
		most, fullness := slices.Max(want.contexts), "500k and more"
		for _, step := range []struct {
			below int64
			name  string
		}{{500e3, "200k to 500k"}, {200e3, "150k to 200k"}, {150e3, "100k to 150k"}, {100e3, "50k to 100k"},
			{50e3, "25k to 50k"}, {25e3, "below 25k"}} {
			if most < step.below {
				fullness = step.name
			}
		}
		if most > 0 && largest != fullness {
			t.Errorf("%s: the largest context is %q, want %q (%d)", name, largest, fullness, most)
		}
		sizes := slices.DeleteFunc(slices.Clone(want.contexts), func(c int64) bool { return c == 0 })
		n := len(sizes)
		grown := int64(0)
		for i := 1; i < n; i++ {
			grown += max(0, sizes[i]-sizes[i-1])
		}
		for _, step := range []int{1, 10, 20, 50, 100, 200, 500, 1000} {
			if got := at[strconv.Itoa(step)]; want.rewinds == 0 && step <= n && got != sizes[step-1] {
				t.Errorf("%s: the context at request %d is %d, want %d", name, step, got, sizes[step-1])
			}
		}
		if want.rewinds == 0 && addedTokens != grown {
			t.Errorf("%s: requests added %d tokens, want %d", name, addedTokens, grown)
		}
		if added > n-1 || added < n-1-want.rewinds {
			t.Errorf("%s: %d requests follow others, want %d, less up to %d sent again", name, added, n-1, want.rewinds)
		}
	}
}

// TestTrendsRecounted checks the comparison of the last 30 days with the 30 days before, for sessions with known
// figures.
func TestTrendsRecounted(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "site")
	// Days of 2026 with calls, failures and tokens. The last day is 10 June, so the periods begin on 12 May and 12
	// April.
	for i, day := range []struct {
		date                              string
		calls, failed, input, read, write int
	}{
		{"2026-04-11", 9, 9, 900, 900, 900}, {"2026-04-12", 4, 1, 10, 30, 40}, {"2026-05-11", 6, 2, 20, 60, 0},
		{"2026-05-12", 3, 0, 30, 170, 0}, {"2026-06-10", 5, 4, 15, 100, 5},
	} {
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
		var log strings.Builder
		n := 0
		line := func(kind, message string) {
			n++
			fmt.Fprintf(&log, `{"type":%q,"uuid":"%08d-%04d-4000-8000-000000000000","sessionId":%q,"cwd":"/w",`+
				`"timestamp":"%sT10:00:%02dZ","message":%s}`+"\n", kind, i, n, id, day.date, n, message)
		}
		line("user", `{"role":"user","content":"Go"}`)
		for c := range day.calls {
			usage := `,"usage":{"input_tokens":0,"output_tokens":0}`
			if c == 0 {
				usage = fmt.Sprintf(`,"usage":{"input_tokens":%d,"cache_read_input_tokens":%d,`+
					`"cache_creation_input_tokens":%d,"output_tokens":7}`, day.input, day.read, day.write)
			}
			line("assistant", fmt.Sprintf(`{"id":"m%d-%d","role":"assistant","model":"claude-opus-4-6","content":[`+
				`{"type":"tool_use","id":"t%[2]d","name":"Bash","input":{"command":"ls %[2]d"}}]%s}`, i, c, usage))
			line("user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d",`+
				`"is_error":%t,"content":"x"}]}`, c, c < day.failed))
		}
		if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(log.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Build(t.Context(), Options{Sources: []string{dir}, Out: out, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(out, "insights.html"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := bytes.Cut(page, []byte(`id="trends"`))
	section, _, _ = bytes.Cut(section, []byte("</table>"))
	text := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(string(section), " "))
	text = strings.Join(strings.Fields(text), " ")
	for _, want := range []string{
		"sessions 2 2 0 %",
		"new tokens 64 84 −24 %",   // 30+15+5+2*7 and 10+40+20+2*7
		"from the cache 84 % 56 %", // 270 of 320 and 90 of 160
		"calls 8 10 −20 %",
		"failed 50 % 30 % +20 points",
		"at work 16 s 20 s", // randomMatch second for each record after the prompt
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q: %s", want, text)
		}
	}
}
