package stats

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"viewer/internal/testing/corpus"
	"viewer/internal/transcript"
	"viewer/normalize"
)

const session = `{"type":"user","uuid":"10000000-0000-4000-8000-000000000001","parentUuid":null,"timestamp":"2026-05-01T10:00:00Z","message":{"role":"user","content":"bake"}}
{"type":"assistant","uuid":"20000000-0000-4000-8000-000000000002","parentUuid":"10000000-0000-4000-8000-000000000001","timestamp":"2026-05-01T10:00:01Z","message":{"id":"m1","role":"assistant","model":"claude-x","content":[{"type":"text","text":"flour"}],"usage":{"input_tokens":10,"output_tokens":1,"cache_read_input_tokens":100}}}
{"type":"assistant","uuid":"30000000-0000-4000-8000-000000000003","parentUuid":"20000000-0000-4000-8000-000000000002","timestamp":"2026-05-01T10:00:02Z","message":{"id":"m1","role":"assistant","model":"claude-x","content":[{"type":"tool_use","id":"t1","name":"Oven","input":{}}],"usage":{"input_tokens":10,"output_tokens":7,"cache_read_input_tokens":100}}}
{"type":"user","uuid":"40000000-0000-4000-8000-000000000004","parentUuid":"30000000-0000-4000-8000-000000000003","timestamp":"2026-05-01T10:00:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"burnt","is_error":true}]}}
{"type":"system","subtype":"compact_boundary","uuid":"50000000-0000-4000-8000-000000000005","parentUuid":null,"timestamp":"2026-05-01T10:00:04Z"}
{"type":"system","subtype":"informational","content":"no compaction","uuid":"51000000-0000-4000-8000-000000000005","parentUuid":null,"timestamp":"2026-05-01T10:00:04Z"}
{"type":"user","uuid":"60000000-0000-4000-8000-000000000006","parentUuid":"40000000-0000-4000-8000-000000000004","timestamp":"2026-05-01T10:01:00Z","message":{"role":"user","content":"again"}}
`

const agent = `{"type":"user","uuid":"70000000-0000-4000-8000-000000000007","isSidechain":true,"message":{"role":"user","content":"knead"}}
{"type":"assistant","uuid":"80000000-0000-4000-8000-000000000008","isSidechain":true,"message":{"id":"m2","role":"assistant","model":"claude-x","content":[{"type":"tool_use","id":"t2","name":"Knead","input":{}}],"usage":{"input_tokens":5,"output_tokens":2}}}
`

// TestOf: a message counts once, by its last record, also in agents.
func TestOf(t *testing.T) {
	main, inner := transcript.Read("s", []byte(session)), transcript.Read("a", []byte(agent))
	got := Of(normalize.Build(normalize.Input{ID: "s", Main: &main,
		Agents: []normalize.AgentFile{{ID: "a1", File: &inner}}}), ListPrices())
	usage := transcript.Usage{Input: 15, Output: 9, CacheRead: 100}
	want := Totals{
		Sessions: 1, Prompts: 2, Tools: 2, Failed: 1, Agents: 1, Compacted: 1, Requests: 2,
		Usage: usage, Time: time.Minute, Work: 4 * time.Second, Cost: Cost{Unpriced: 124},
		Models: []Model{{Name: "claude-x", Requests: 2, Usage: usage, Cost: Cost{Unpriced: 124}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Of() (-want +got):\n%s", diff)
	}
	if sum := sumOf(got, got); sum.Tools != 4 || sum.Usage.Output != 18 || sum.Time != 2*time.Minute ||
		len(sum.Models) != 1 || sum.Models[0].Requests != 4 {
		t.Errorf("Accumulate() = %+v, want everything doubled", sum)
	}
	if got.Models[0].Requests != 2 {
		t.Errorf("Accumulate() changed its argument: %+v", got.Models)
	}
}

// TestAdvice: requests to advisors count for their own models, once for each answer, besides the tokens of the answer.
func TestAdvice(t *testing.T) {
	const line = `{"type":"assistant","uuid":"%s","parentUuid":null,"timestamp":"2026-09-01T10:00:0%dZ","message":{"id":"m1",` +
		`"role":"assistant","model":"claude-sonnet-5","content":[{"type":"text","text":"flour"}],"usage":{"input_tokens":4,` +
		`"output_tokens":%d,"iterations":[{"type":"message","input_tokens":2,"output_tokens":3},{"type":"advisor_message",` +
		`"model":"claude-opus-5","input_tokens":1000,"output_tokens":%d,"cache_read_input_tokens":100,` +
		`"cache_creation":{"ephemeral_1h_input_tokens":10},"cache_creation_input_tokens":10},{"type":"advisor_message",` +
		`"model":"claude-opus-5","input_tokens":-1,"output_tokens":"x"},3]}}}` + "\n"
	log := fmt.Sprintf(line, "a", 1, 1, 5) + fmt.Sprintf(line, "b", 2, 6, 40)
	main := transcript.Read("s", []byte(log))
	got := Of(normalize.Build(normalize.Input{ID: "s", Main: &main}), ListPrices())
	answer := transcript.Usage{Input: 4, Output: 6}
	advice := transcript.Usage{Input: 1000, Output: 40, CacheRead: 100, CacheWrite: 10, CacheWrite1h: 10}
	want := []Model{
		{Name: "claude-opus-5", Requests: 2, Usage: advice, Cost: Cost{List: dollars(0.00615)}},
		{Name: "claude-sonnet-5", Requests: 1, Usage: answer, Cost: Cost{List: dollars(0.000008 + 0.00006)}},
	}
	if diff := cmp.Diff(want, got.Models); diff != "" {
		t.Errorf("Of() (-want +got):\n%s", diff)
	}
	if got.Usage != answer.Add(advice) || got.Requests != 3 {
		t.Errorf("got %+v, want the tokens of the answer and the advice", got)
	}
}

// TestServerCompaction: a summary that the server made before an answer counts for its model, besides the answer.
func TestServerCompaction(t *testing.T) {
	main := transcript.Read("s", []byte(`{"type":"assistant","uuid":"a","message":{"id":"m1","role":"assistant",`+
		`"model":"claude-opus-5","content":[{"type":"text","text":"flour"}],"usage":{"input_tokens":23,"output_tokens":1,`+
		`"iterations":[{"type":"compaction","input_tokens":180,"output_tokens":4},`+
		`{"type":"message","input_tokens":23,"output_tokens":1}]}}}`))
	got := Of(normalize.Build(normalize.Input{ID: "s", Main: &main}), ListPrices())
	want := transcript.Usage{Input: 203, Output: 5}
	if got.Usage != want || got.Requests != 2 || len(got.Models) != 1 {
		t.Errorf("got %+v, want %+v in 2 requests to one model", got, want)
	}
}

// TestFallback: a model that declined in the middle of its answer counts besides the one that answered. One that
// declined before that is free.
func TestFallback(t *testing.T) {
	main := transcript.Read("s", []byte(`{"type":"assistant","uuid":"a","message":{"id":"m1","role":"assistant",`+
		`"model":"claude-haiku-4-5","content":[{"type":"text","text":"flour"}],"usage":{"input_tokens":60,`+
		`"output_tokens":9,"iterations":[{"type":"message","model":"claude-opus-5","input_tokens":80,"output_tokens":0},`+
		`{"type":"message","model":"claude-sonnet-5","input_tokens":70,"output_tokens":2},`+
		`{"type":"message","model":"claude-haiku-4-5","input_tokens":20,"output_tokens":4},`+
		`{"type":"fallback_message","model":"claude-haiku-4-5","input_tokens":40,"output_tokens":5}]}}}`))
	got := Of(normalize.Build(normalize.Input{ID: "s", Main: &main}), ListPrices())
	want := transcript.Usage{Input: 130, Output: 11}
	if got.Usage != want || got.Requests != 2 || len(got.Models) != 2 {
		t.Errorf("got %+v, want %+v in 2 requests to two models", got, want)
	}
}

// TestAccumulate: a sum has each number of what is added.
func TestAccumulate(t *testing.T) {
	usage, cost := transcript.Usage{Input: 1, Output: 2}, Cost{List: 1, Logged: 2, Unpriced: 3}
	one := Totals{
		Sessions: 1, Prompts: 2, Tools: 3, Failed: 4, Agents: 5, Compacted: 6, Requests: 7, Usage: usage,
		Doubtful: true, Cost: cost, Models: []Model{{"claude-x", 7, usage, cost}}, Credits: []Credit{{"requests", 8}},
		Time: 9, Work: 10,
	}
	for v, i := reflect.ValueOf(one), 0; i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Fatalf("%s is zero, want a value to add", v.Type().Field(i).Name)
		}
	}
	if diff := cmp.Diff(one, sumOf(one)); diff != "" {
		t.Errorf("the sum of one (-want +got):\n%s", diff)
	}
	usage, cost = transcript.Usage{Input: 2, Output: 4}, Cost{List: 2, Logged: 4, Unpriced: 6}
	twice := []Model{{"claude-x", 14, usage, cost}}
	if diff := cmp.Diff(twice, sumOf(one, one, Totals{}).Models); diff != "" || !sumOf(one, Totals{}).Doubtful {
		t.Errorf("the sum of two (-want +got):\n%s", diff)
	}
}

// TestInner: calls, failures, compactions and agents of agents count.
func TestInner(t *testing.T) {
	const middle = `{"type":"assistant","uuid":"a1","isSidechain":true,"message":{"id":"m3","role":"assistant",` +
		`"model":"claude-x","content":[{"type":"tool_use","id":"t3","name":"Task","input":{"prompt":"knead"}}]}}` + "\n" +
		`{"type":"user","uuid":"a2","isSidechain":true,"message":{"role":"user","content":[{"type":"tool_result",` +
		`"tool_use_id":"t3","is_error":true,"content":"x"}]},"toolUseResult":{"agentId":"a1"}}` + "\n" +
		`{"type":"system","subtype":"compact_boundary","uuid":"a3","isSidechain":true}` + "\n"
	main, outer, inner := transcript.Read("s", []byte(session)), transcript.Read("b", []byte(middle)),
		transcript.Read("a", []byte(agent))
	got := Of(normalize.Build(normalize.Input{ID: "s", Main: &main, Agents: []normalize.AgentFile{
		{ID: "b1", File: &outer}, {ID: "a1", File: &inner},
	}}), ListPrices())
	if got.Tools != 3 || got.Failed != 2 || got.Agents != 2 || got.Compacted != 2 {
		t.Errorf("got %d calls, %d failed, %d agents, %d compactions, want 3, 2, 2, 2",
			got.Tools, got.Failed, got.Agents, got.Compacted)
	}
}

func sumOf(all ...Totals) (sum Totals) {
	for _, t := range all {
		sum.Accumulate(t)
	}
	return sum
}

// TestTokensOfCorpus compares the tokens of each session with an independent count: the last usage of each message id.
func TestTokensOfCorpus(t *testing.T) {
	root := corpus.Glob(t, "dev")[0]
	sessions := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".jsonl") || d.Name() == "journal.jsonl" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f := transcript.Read(d.Name(), data)
		got := Of(normalize.Build(normalize.Input{ID: "s", Main: &f}), Prices{}).Usage
		want := countTokens(t, path)
		if got.Input != want.Input || got.Output != want.Output || got.CacheRead != want.CacheRead ||
			got.CacheWrite != want.CacheWrite {
			t.Errorf("%s: got %+v, want %+v", path, got, want)
		}
		sessions++
		return nil
	})
	if err != nil || sessions == 0 {
		t.Fatalf("got %d sessions, error %v, want some", sessions, err)
	}
}

func countTokens(t *testing.T, path string) transcript.Usage {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	type usage struct {
		Input      int64 `json:"input_tokens"`
		Output     int64 `json:"output_tokens"`
		CacheRead  int64 `json:"cache_read_input_tokens"`
		CacheWrite int64 `json:"cache_creation_input_tokens"`
	}
	byID := make(map[string]usage)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		type record struct {
			Type, UUID, RequestID string
			Message               struct {
				ID    string
				Usage *usage
			}
		}
		var line struct {
			record
			Data struct {
				Type    string
				Message record // a step of an agent whose file is missing
			}
		}
		// If a line has several values, only the first can have tokens.
		if json.NewDecoder(strings.NewReader(lines.Text())).Decode(&line) != nil {
			continue
		}
		r := line.record
		if line.Data.Type == "agent_progress" {
			r = line.Data.Message
		}
		if r.Type != "assistant" || r.Message.Usage == nil {
			continue
		}
		id := r.Message.ID
		if id == "" {
			id = r.RequestID
		}
		if id == "" {
			id = r.UUID
		}
		byID[id] = *r.Message.Usage
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	var sum transcript.Usage
	for _, u := range byID {
		sum = sum.Add(transcript.Usage{Input: u.Input, Output: u.Output, CacheRead: u.CacheRead,
			CacheWrite: u.CacheWrite})
	}
	return sum
}

// TestReported: the tokens of a run are those at its end if its requests have none.
func TestReported(t *testing.T) {
	const asked = `{"type":"user","uuid":"10000000-0000-4000-8000-000000000001","message":{"role":"user","content":"bake"}}
{"type":"assistant","uuid":"20000000-0000-4000-8000-000000000002","message":{"id":"m1","role":"assistant","model":"claude-x","content":[{"type":"text","text":"ok"}]%s}}
`
	const usage = `{"type":"result","usage":{"input_tokens":50,"output_tokens":30}%s}` + "\n"
	const byModel = `{"type":"result","total_cost_usd":%s,"usage":{"input_tokens":1},"modelUsage":{"claude-x":{"inputTokens":40,"outputTokens":%d}}}` + "\n"
	for _, c := range []struct {
		name, log string
		want      int64
		model     string
	}{
		{"of a query", fmt.Sprintf(asked, "") + fmt.Sprintf(usage, ""), 80, "claude-x"},
		{"of two", fmt.Sprintf(asked, "") + fmt.Sprintf(usage, "") + fmt.Sprintf(usage, `,"uuid":"b"`), 160, "claude-x"},
		{"not of other records", fmt.Sprintf(asked, "") + fmt.Sprintf(usage, "") +
			`{"type":"status","usage":{"input_tokens":9}}` + "\n", 80, "claude-x"},
		{"by model, of a process so far", fmt.Sprintf(asked, "") + fmt.Sprintf(byModel, "0.1", 5) + fmt.Sprintf(byModel, "0.3", 20), 60, "claude-x"},
		{"by model, of two processes", fmt.Sprintf(asked, "") + fmt.Sprintf(byModel, "0.3", 20) + fmt.Sprintf(byModel, "0.1", 5), 105, "claude-x"},
		{"of requests, which tell it themselves", fmt.Sprintf(asked, `,"usage":{"input_tokens":7,"output_tokens":1}`) + fmt.Sprintf(usage, ""), 8, "claude-x"},
	} {
		f := transcript.Read("s", []byte(c.log))
		got := Of(normalize.Build(normalize.Input{ID: "s", Main: &f}), ListPrices())
		if got.Tokens() != c.want || len(got.Models) != 1 || got.Models[0].Name != c.model {
			t.Errorf("%s: got %d tokens of %v, want %d of %s", c.name, got.Tokens(), got.Models, c.want, c.model)
		}
	}
}

// TestModelNames: the models of a session are its own, those of its agents, and those that the end of a run lists.
func TestModelNames(t *testing.T) {
	const end = `{"type":"result","modelUsage":{"claude-z":{"inputTokens":4,"outputTokens":2},"claude-x":{"inputTokens":1}}}`
	own := strings.ReplaceAll(session, `"usage"`, `"bare"`) + end + "\n"
	main := transcript.Read("s", []byte(own))
	of := strings.NewReplacer("claude-x", "claude-y", `"usage"`, `"bare"`).Replace(agent)
	other := transcript.Read("agent-a", []byte(of))
	c := normalize.Build(normalize.Input{
		ID: "s", Main: &main, Agents: []normalize.AgentFile{{ID: "a", File: &other}},
	})
	want := []string{"claude-x", "claude-y", "claude-z"}
	if got := ModelNames(c, Of(c, ListPrices())); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	fast := transcript.Read("s", []byte(strings.ReplaceAll(session, `"usage":{`, `"usage":{"speed":"fast",`)))
	c = normalize.Build(normalize.Input{ID: "s", Main: &fast})
	if got := ModelNames(c, Of(c, ListPrices())); !slices.Equal(got, want[:1]) {
		t.Errorf("a fast model: got %q, want %q", got, want[:1])
	}
}

// TestManyModels: models are counted separately up to a limit, and the others together.
func TestManyModels(t *testing.T) {
	for _, n := range []int{maxModels, maxModels + 2} {
		models := make([]Model, n)
		for i := range models {
			models[i] = Model{Name: fmt.Sprint("m", i), Requests: 1, Usage: transcript.Usage{Output: 3}}
		}
		got := limitModels(models)
		if n == maxModels {
			if len(got) != n || got[n-1].Name != models[n-1].Name {
				t.Errorf("of %d models got %d", n, len(got))
			}
			continue
		}
		rest := got[len(got)-1]
		if len(got) != maxModels+1 || rest.Requests != 2 || rest.Usage.Output != 6 {
			t.Errorf("of %d models got %d, the last is %+v", n, len(got), rest)
		}
	}
}

// TestCallTime: a call has a duration only if both times exist and are in order.
func TestCallTime(t *testing.T) {
	at := func(second int) *normalize.Message {
		m := &normalize.Message{Record: &transcript.Record{}}
		if second > 0 {
			m.Record.Timestamp = time.Date(2026, 5, 1, 10, 0, second, 0, time.UTC)
		}
		return m
	}
	for _, c := range []struct {
		name         string
		call, result *normalize.Message
		want         bool
	}{
		{"answered", at(1), at(3), true}, {"at once", at(1), at(1), true}, {"not answered", at(1), nil, false},
		{"not asked", nil, at(3), false}, {"neither", nil, nil, false}, {"no time of the call", at(0), at(3), false},
		{"no time of the result", at(1), at(0), false}, {"answered before", at(3), at(1), false},
	} {
		start, end, ok := CallTime(&normalize.Group{Call: c.call, Result: c.result})
		if ok != c.want || ok && (!start.Equal(c.call.Time()) || !end.Equal(c.result.Time())) {
			t.Errorf("%s: got %v to %v, %v, want %v", c.name, start, end, ok, c.want)
		}
	}
}

// TestWork: pauses, and the time before a prompt, what comes with it, a recap, or a filler, do not count as work. That
// before a prompt that waited for the model does.
func TestWork(t *testing.T) {
	line := func(at, kind, message string) string {
		return `{"type":"` + kind + `","uuid":"10000000-0000-4000-8000-0000000` + strings.ReplaceAll(at[3:], ":", "") +
			`","parentUuid":null,"timestamp":"2026-05-01T` + at + `Z",` + message + "}\n"
	}
	answer := `"message":{"role":"assistant","model":"claude-x","content":[{"type":"text","text":"t"}]}`
	event := `"hookEvent":"SessionStart","hookName":"SessionStart:`
	hook := `"attachment":{"type":"hook_success",` + event
	log := line("10:00:00", "user", `"message":{"role":"user","content":"bake"}`) +
		line("10:01:00", "assistant", answer) + // one minute
		line("10:06:00", "user", `"message":{"role":"user","content":"again"}`) +
		line("10:15:59", "assistant", answer) + // too short for a pause
		line("10:25:59", "assistant", answer) + // a pause
		line("10:29:00", "system", `"subtype":"away_summary","content":"Baked."`) +
		line("10:31:00", "attachment", `"attachment":{"type":"skill_listing","content":"- knead"}`) +
		line("10:31:01", "user", `"isMeta":true,"message":{"role":"user","content":"It is cold outside."}`) +
		line("10:31:02", "user", `"message":{"role":"user","content":"more"}`) +
		line("10:32:00", "attachment", `"attachment":{"type":"skill_listing","content":"- fold"}`) + // 58 seconds
		line("10:33:00", "assistant", answer) + // one minute
		line("10:34:00", "attachment", hook+`compact","content":""}`) + // one minute
		line("10:35:00", "progress", `"data":{"type":"hook_progress",`+event+`compact"}`) + // one minute
		line("10:36:00", "system", `"subtype":"hook_response","hook_event":"SessionStart",`+
			`"hook_name":"SessionStart:compact"`) + // one minute
		line("10:38:00", "attachment", hook+`resume","content":""}`) +
		line("10:41:00", "assistant", `"message":{"role":"assistant","model":"<synthetic>","content":[`+
			`{"type":"text","text":"No response requested."}]}`) +
		line("10:42:00", "user", `"message":{"role":"user","content":"<user-memory-input>rye</user-memory-input>"}`) +
		line("10:43:00", "attachment", `"attachment":{"type":"queued_command","prompt":"now"}`) // one minute
	main := transcript.Read("s", []byte(log))
	got := Of(normalize.Build(normalize.Input{ID: "s", Main: &main}), ListPrices())
	if want := 16*time.Minute + 57*time.Second; got.Work != want || got.Time != 43*time.Minute {
		t.Errorf("got %v of work in %v, want %v", got.Work, got.Time, want)
	}
}

// TestWrongClocks: the times of a log may be centuries apart. No duration is negative, and no sum of them.
func TestWrongClocks(t *testing.T) {
	var log string
	for i, at := range []string{"1677-09-20T00:00:00Z", "1677-09-20T00:05:00Z", "2262-04-12T00:00:00Z"} {
		log += fmt.Sprintf(`{"type":"assistant","uuid":"a%d","timestamp":%q,"message":{"id":"m%[1]d","role":"assistant",`+
			`"content":[{"type":"text","text":"t"}]}}`+"\n", i, at)
	}
	main := transcript.Read("s", []byte(log))
	got := Of(normalize.Build(normalize.Input{ID: "s", Main: &main}), ListPrices())
	if got.Work != 5*time.Minute || got.Time != math.MaxInt64 {
		t.Errorf("got %v of work in %v, want 5m in the longest time", got.Work, got.Time)
	}
	sum := got
	sum.Accumulate(got)
	if sum.Time != math.MaxInt64 || sum.Work != 10*time.Minute {
		t.Errorf("twice that is %v of work in %v", sum.Work, sum.Time)
	}
}
