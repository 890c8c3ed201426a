package sitegen

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"viewer/internal/insights"
)

// byPerson is how commands of a person begin.
var byPerson = regexp.MustCompile(`^\s*<(command-|bash-input)`)

// A recountedTime is what a log file says of time and of what was sent.
type recountedTime struct {
	from, to  time.Time
	on        map[string]time.Duration
	contexts  []int64 // of requests, in file order
	cacheRead map[string]int64
	rewinds   int // prompts that were sent again
}

func recountTime(t *testing.T, file string) recountedTime {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := recountedTime{on: map[string]time.Duration{}, cacheRead: map[string]int64{}}
	type moment struct {
		at   time.Time
		on   string
		hook time.Duration
		call string // that is under way
	}
	type usage struct {
		Input int64 `json:"input_tokens"`
		Read  int64 `json:"cache_read_input_tokens"`
		Write int64 `json:"cache_creation_input_tokens"`
	}
	var all []moment
	seen, requests, asks := map[string]bool{}, map[string]int{}, map[string]bool{}
	answered, asked := map[string]bool{}, map[string]bool{}
	days, reads := map[string]string{}, map[string]int64{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var l struct {
			Type, Subtype, UUID string
			ParentUUID          string
			Timestamp           time.Time
			IsMeta, IsSidechain bool
			IsCompactSummary    bool
			Message             struct {
				ID, Model string
				Content   json.RawMessage
				Usage     *usage
			}
			Attachment struct {
				Type, HookEvent string
				DurationMs      int
			}
			Content   json.RawMessage
			HookInfos []struct{ DurationMs int }
			Data      struct{ Type, HookEvent string }

			ParentToolUseID string
		}
		if json.Unmarshal(lines.Bytes(), &l) != nil || l.UUID == "" || seen[l.UUID] || l.IsSidechain {
			continue
		}
		seen[l.UUID] = true
		if u := l.Message.Usage; u != nil && l.Type == "assistant" && l.Message.Model != "<synthetic>" {
			i, known := requests[l.Message.ID]
			if !known {
				i = len(r.contexts)
				requests[l.Message.ID] = i
				r.contexts = append(r.contexts, 0)
				days[l.Message.ID] = l.Timestamp.UTC().Format(time.DateOnly)
			}
			r.contexts[i] = u.Input + u.Read + u.Write
			reads[l.Message.ID] = u.Read
		}
		if l.Timestamp.IsZero() || l.Type == "progress" && l.Data.Type != "hook_progress" {
			if l.Data.Type == "bash_progress" {
				all = append(all, moment{at: l.Timestamp, on: insights.OnTools, call: l.ParentToolUseID})
			}
			continue
		}
		m := moment{at: l.Timestamp, on: insights.OnModel}
		var blocks []struct {
			Type, ID, Name, Text string
			ToolUseID            string `json:"tool_use_id"`
		}
		var text string
		if json.Unmarshal(l.Message.Content, &text) != nil {
			_ = json.Unmarshal(l.Message.Content, &blocks)
		}
		for _, b := range blocks {
			if b.Type == "tool_use" && b.Name == "AskUserQuestion" {
				asks[b.ID] = true
			}
			text += b.Text
			answered[b.ToolUseID] = b.ToolUseID != ""
		}
		if l.IsMeta && strings.Contains(text, "Caveat: ") {
			continue
		}
		switch {
		case l.Type == "user" && len(blocks) > 0 && blocks[0].Type == "tool_result":
			if m.on = insights.OnTools; asks[blocks[0].ToolUseID] {
				m.on = insights.OnPerson
			}
		case l.Type == "user" && !l.IsMeta && !l.IsCompactSummary &&
			(byPerson.MatchString(text) || typed(text) && !strings.HasPrefix(text, "[Request interrupted by")),
			l.Subtype == "away_summary",
			byPerson.Match(bytes.TrimPrefix(l.Content, []byte(`"`))), l.Data.HookEvent == "SessionStart",
			l.Attachment.HookEvent == "SessionStart":
			m.on = insights.OnPerson
			if asked[l.ParentUUID] && l.ParentUUID != "" {
				r.rewinds++
			}
			asked[l.ParentUUID] = true
		}
		m.hook = time.Duration(l.Attachment.DurationMs) * time.Millisecond
		for _, h := range l.HookInfos {
			m.hook += time.Duration(h.DurationMs) * time.Millisecond
		}
		all = append(all, m)
	}
	for id, n := range reads {
		r.cacheRead[days[id]] += n
	}
	all = slices.DeleteFunc(all, func(m moment) bool { return answered[m.call] })
	slices.SortStableFunc(all, func(a, b moment) int { return a.at.Compare(b.at) })
	for i, m := range all {
		if i == 0 {
			r.from = m.at
			continue
		}
		r.to = m.at
		d := m.at.Sub(all[i-1].at)
		hook := min(d, m.hook)
		r.on[insights.OnHooks] += hook
		if d -= hook; d >= 10*time.Minute && m.on == insights.OnModel {
			m.on = insights.OnPauses
		}
		r.on[m.on] += d
	}
	return r
}

func compareTime(t *testing.T, name string, s insights.Session, want recountedTime) {
	t.Helper()
	on, sum := map[string]time.Duration{}, time.Duration(0)
	largest, added := "", 0
	for _, r := range s.Rows {
		switch r.Kind {
		case insights.TimeSpent:
			on[r.Name] += r.Time
			sum += r.Time
		case insights.Context:
			largest = r.Name
		case insights.ContextAdded:
			added += r.Count
		}
	}
	if span := want.to.Sub(want.from); sum != span && sum > 0 {
		t.Errorf("%s: %s in sum, want %s", name, sum, span)
	}
	for kind, d := range want.on {
		if on[kind] != d {
			t.Errorf("%s: %s %s, want %s", name, kind, on[kind], d)
		}
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
			t.Errorf("%s: the context is %q, want %q (%d)", name, largest, fullness, most)
		}
		n := 0
		for _, c := range want.contexts {
			if c > 0 {
				n++
			}
		}
		if added > n-1 || added < n-1-want.rewinds {
			t.Errorf("%s: %d requests behind others, want %d and %d attempts less", name, added, n-1, want.rewinds)
		}
	}
}

// TestTrendsRecounted compares the last 30 days with those before on a page, for sessions whose figures are known.
func TestTrendsRecounted(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "site")
	// Days of 2026 with calls, failures and tokens. The last day is 10 June: the periods begin on 12 May and 12 April.
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
		"new tokens 64 84 −24 %",         // 30+15+5+2*7 and 10+40+20+2*7
		"input from the cache 84 % 56 %", // 270 of 320 and 90 of 160
		"calls 8 10 −20 %",
		"calls that failed 50 % 30 % +20 points",
		"at work 16 s 20 s", // a second for each record behind the prompt
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in: %s", want, text)
		}
	}
}
