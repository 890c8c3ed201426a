package sitegen

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"viewer/internal/insights"
	"viewer/internal/sitegen/redaction"
	"viewer/internal/testing/corpus"
)

// A recount has the counts of insights, computed from the lines of log files without code of the program.
type recount struct {
	tools, failed, servers, hooks, hookMillis map[string]int
	tokens                                    map[string]int // by day, input and output
	compactions                               int
	dollars                                   map[string]float64 // by day, at list prices; nil if the log has costs
}

// recountedPrices returns the list prices of models by name, in dollars for a million tokens.
func recountedPrices(t *testing.T) map[string][5]float64 {
	t.Helper()
	data, err := os.ReadFile("../stats/prices.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Models []struct {
			Names                                                []string
			Input, CacheWrite5m, CacheWrite1h, CacheRead, Output float64
		}
	}
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	all := map[string][5]float64{}
	for _, m := range table.Models {
		for _, name := range m.Names {
			all[name] = [5]float64{m.Input, m.CacheWrite5m, m.CacheWrite1h, m.CacheRead, m.Output}
		}
	}
	return all
}

// released matches a release date at the end of the name of a model.
var released = regexp.MustCompile(`-20\d{6}$`)

// recountFiles counts logs of Claude Code. Calls are counted once by id. Requests are counted once by the id of their
// message: with the tokens of its last record, and on the day of its first.
func recountFiles(t *testing.T, files []string) recount {
	t.Helper()
	r := recount{
		map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, 0,
		map[string]float64{},
	}
	type request struct {
		day     string
		tokens  int
		dollars float64
	}
	prices := recountedPrices(t)
	calls, requests := map[string]string{}, map[string]request{}
	results, records := map[string]bool{}, map[string]bool{}
	type line struct {
		Type, Subtype, UUID, Timestamp string
		Message                        struct {
			ID, Model string
			Content   json.RawMessage
			Usage     *struct {
				Input  int `json:"input_tokens"`
				Output int `json:"output_tokens"`
				Read   int `json:"cache_read_input_tokens"`
				Write  int `json:"cache_creation_input_tokens"`
				Speed  string
				By     struct {
					Hour int `json:"ephemeral_1h_input_tokens"`
				} `json:"cache_creation"`
			}
		}
		HookInfos []struct {
			Command    string
			DurationMs int
		}
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(`"costUSD"`)) || bytes.Contains(data, []byte(`"total_cost_usd"`)) ||
			bytes.Contains(data, []byte(`"cost-state"`)) {
			r.dollars = nil
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var l line
			if json.Unmarshal(lines.Bytes(), &l) != nil || l.UUID != "" && records[l.UUID] {
				continue
			}
			records[l.UUID] = true
			if l.Subtype == "compact_boundary" {
				r.compactions++
			}
			for _, h := range l.HookInfos {
				r.hooks[h.Command]++
				r.hookMillis[h.Command] += h.DurationMs
			}
			if u := l.Message.Usage; l.Type == "assistant" && u != nil && !strings.HasPrefix(l.Message.Model, "<") {
				one := requests[l.Message.ID]
				if one.day == "" && len(l.Timestamp) >= 10 {
					one.day = l.Timestamp[:10]
				}
				one.tokens = u.Input + u.Output + u.Read + u.Write
				p := prices[released.ReplaceAllString(l.Message.Model, "")]
				one.dollars = (float64(u.Input)*p[0] + float64(u.Write-u.By.Hour)*p[1] + float64(u.By.Hour)*p[2] +
					float64(u.Read)*p[3] + float64(u.Output)*p[4]) / 1e6
				if u.Speed != "" && u.Speed != "standard" {
					r.dollars = nil
				}
				requests[l.Message.ID] = one
			}
			var blocks []struct {
				Type, ID, Name string
				ToolUseID      string `json:"tool_use_id"`
				IsError        bool   `json:"is_error"`
			}
			if json.Unmarshal(l.Message.Content, &blocks) != nil {
				continue
			}
			for _, b := range blocks {
				switch {
				case b.Type == "tool_use" && calls[b.ID] == "":
					calls[b.ID] = b.Name
					r.tools[b.Name]++
					if parts := strings.Split(b.Name, "__"); parts[0] == "mcp" && len(parts) > 2 {
						r.servers[strings.TrimPrefix(parts[1], "plugin_")]++
					}
				case b.Type == "tool_result" && b.IsError && !results[b.ToolUseID]:
					results[b.ToolUseID] = true
					r.failed[calls[b.ToolUseID]]++
				}
			}
		}
	}
	for _, one := range requests {
		r.tokens[one.day] += one.tokens
		if r.dollars != nil {
			r.dollars[one.day] += one.dollars
		}
	}
	return r
}

// TestInsightsRecounted counts sessions of one file independently, and compares the insights with the result.
func TestInsightsRecounted(t *testing.T) {
	for _, name := range append(corpus.Share(corpus.Optional(t, "dev/*/*/*.jsonl")),
		recountFixtures(t)...) {
		if strings.Contains(name, "/fixtures/") { // test data of a program, in which ids of calls repeat
			continue
		}
		sessions, _, err := List(context.Background(),
			Options{Sources: []string{name}, Version: "test",
				Redaction: redaction.Settings{Off: true}}, ListOptions{Insights: true})
		if err != nil || len(sessions) != 1 || sessions[0].Totals.Agents > 0 {
			continue // empty sessions, and sessions of several files
		}
		compareRecount(t, name, sessions[0].Insights, recountFiles(t, []string{name}))
	}
}

func compareRecount(t *testing.T, name string, s insights.Session, want recount) {
	t.Helper()
	counts := make(map[insights.Kind]map[string]int)
	failed, millis, tokens := make(map[string]int), make(map[string]int), make(map[string]int)
	dollars := make(map[string]float64)
	compactions := 0
	for _, r := range s.Rows {
		if counts[r.Kind] == nil {
			counts[r.Kind] = make(map[string]int)
		}
		counts[r.Kind][r.Name] += r.Count
		switch r.Kind {
		case insights.Tool:
			failed[r.Name] = r.Failed
		case insights.Hook:
			millis[r.Name] += int(r.Time.Milliseconds())
		case insights.Compaction:
			compactions += r.Count
		}
	}
	for _, day := range s.Days {
		for _, m := range day.Models {
			tokens[day.Date] += int(m.Usage.Context() + m.Usage.Output)
			dollars[day.Date] += m.Cost.Total().Dollars()
		}
	}
	for day, n := range dollars {
		if want.dollars != nil && math.Abs(n-want.dollars[day]) > 1e-6*n {
			t.Errorf("%s: %s costs $%f, want $%f", name, day, n, want.dollars[day])
		}
	}
	for tool, n := range want.tools {
		if counts[insights.Tool][tool] != n {
			t.Errorf("%s: %d calls of %s, want %d", name, counts[insights.Tool][tool], tool, n)
		}
		// Calls that were denied, declined or interrupted have an error as result too.
		if failed[tool] > want.failed[tool] {
			t.Errorf("%s: %d calls of %s failed, want at most %d", name, failed[tool], tool, want.failed[tool])
		}
	}
	if !maps.Equal(tokens, want.tokens) && len(want.tokens)+len(tokens) > 0 {
		t.Errorf("%s: tokens by day %v, want %v", name, tokens, want.tokens)
	}
	for server, n := range want.servers {
		if counts[insights.Server][server] != n {
			t.Errorf("%s: %d calls of server %s, want %d", name, counts[insights.Server][server], server, n)
		}
	}
	for hook, n := range want.hooks {
		if key := strings.TrimSpace(hook); len(key) <= 80 && counts[insights.Hook][key] < n {
			t.Errorf("%s: %d runs of %s, want %d", name, counts[insights.Hook][key], hook, n)
		}
		if key := strings.TrimSpace(hook); len(key) <= 80 && millis[key] < want.hookMillis[hook] {
			t.Errorf("%s: %s ran %d ms, want %d", name, hook, millis[key], want.hookMillis[hook])
		}
	}
	if compactions != want.compactions {
		t.Errorf("%s: %d compactions, want %d", name, compactions, want.compactions)
	}
}

// recountFixtures returns the sessions of testdata.
func recountFixtures(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, c := range corpus.Files(t, func(string) bool { return true },
		"../../testdata/projects/-home-mara-ovenbell", "../../testdata/projects/-srv-nightwatch") {
		if strings.HasSuffix(c, ".jsonl") {
			all = append(all, c)
		}
	}
	slices.Sort(all)
	return all
}
