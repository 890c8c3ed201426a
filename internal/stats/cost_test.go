package stats

import (
	"fmt"
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// A log is a session that a test writes, with one record on each line.
type log struct {
	strings.Builder
	n int
}

func (l *log) add(format string, args ...any) {
	l.n++
	fmt.Fprintf(l, `{"uuid":"%08d-0000-4000-8000-000000000000","timestamp":"2026-09-01T10:%02d:00Z",`, l.n, l.n)
	fmt.Fprintf(l, format+"}\n", args...)
}

func (l *log) ask() { l.add(`"type":"user","message":{"role":"user","content":"bake"}`) }

// answer appends a request with a thousand output tokens.
func (l *log) answer(id, model, more string) {
	l.add(`"type":"assistant","message":{"id":%q,"role":"assistant","model":%q,"content":[{"type":"text","text":"ok"}],"usage":{"output_tokens":1000}}%s`, id, model, more)
}

func (l *log) conversation(agents ...*log) *normalize.Conversation {
	main := transcript.Read("s.jsonl", []byte(l.String()))
	in := normalize.Input{ID: "s", Main: &main}
	for i, a := range agents {
		f := transcript.Read(fmt.Sprintf("agent-a%d.jsonl", i), []byte(a.String()))
		in.Agents = append(in.Agents, normalize.AgentFile{ID: fmt.Sprintf("a%d", i), File: &f})
	}
	return normalize.Build(in)
}

// TestCost compares with costs computed by hand: 1,000 output tokens cost 5 cents with Fable 5, and half a cent with
// Haiku 4.5.
func TestCost(t *testing.T) {
	const fable, haiku = "claude-fable-5", "claude-haiku-4-5-20251001"
	for _, c := range []struct {
		name         string
		write        func(main, agent *log)
		list, logged float64
		unpriced     int64
	}{
		{"each request at the price of its model", func(l, _ *log) {
			l.ask()
			l.answer("m1", fable, "")
			l.answer("m2", haiku, "")
		}, 0.055, 0, 0},
		{"a message once, whatever the number of its records", func(l, _ *log) {
			l.ask()
			l.answer("m1", fable, "")
			l.answer("m1", fable, "")
		}, 0.05, 0, 0},
		{"a message that a copied history repeats once", func(l, _ *log) {
			l.ask()
			l.answer("m1", fable, "")
			l.ask()
			l.answer("m1", fable, "")
		}, 0.05, 0, 0},
		{"agents once", func(l, a *log) {
			l.ask()
			l.answer("m1", fable, "")
			a.ask()
			a.answer("m2", haiku, "")
		}, 0.055, 0, 0},
		{"tokens without a price are counted", func(l, _ *log) {
			l.ask()
			l.answer("m1", "claude-opus-9", "")
			l.answer("m2", haiku, "")
		}, 0.005, 0, 1000},
		{"a message of the program is not a request", func(l, _ *log) {
			l.ask()
			l.answer("m1", "<synthetic>", "")
		}, 0, 0, 0},
		{"costUSD of a record wins over the table", func(l, _ *log) {
			l.ask()
			l.answer("m1", "claude-opus-9", `,"costUSD":0.25`)
			l.answer("m1", "claude-opus-9", `,"costUSD":0.25`)
			l.answer("m2", haiku, "")
		}, 0.005, 0.25, 0},
		{"total_cost_usd is of all before it, the last one of a process", func(l, a *log) {
			l.ask()
			l.answer("m1", fable, "")
			a.ask()
			a.answer("m2", haiku, "")
			l.add(`"type":"result","total_cost_usd":0.5`)
			l.ask()
			l.answer("m3", fable, "")
			l.add(`"type":"result","total_cost_usd":0.75`)
		}, 0, 0.75, 0},
		{"a smaller total_cost_usd is of another process", func(l, _ *log) {
			l.ask()
			l.answer("m1", fable, "")
			l.add(`"type":"result","total_cost_usd":0.5`)
			l.add(`"type":"result","total_cost_usd":0.1`)
			l.add(`"type":"result","total_cost_usd":0.3`)
		}, 0, 0.8, 0},
		{"the last cost-state is of the session, what follows has list prices", func(l, a *log) {
			l.ask()
			l.answer("m1", fable, "")
			l.add(`"type":"cost-state","totalCostUSD":0.1,"hasUnknownModelCost":false`)
			l.answer("m2", "claude-opus-9", "")
			l.add(`"type":"cost-state","totalCostUSD":0.4,"hasUnknownModelCost":false`)
			l.ask()
			l.answer("m3", fable, "")
			a.n = 30 // a later agent
			a.ask()
			a.answer("m4", haiku, "")
		}, 0.055, 0.4, 0},
		{"an estimated cost-state does not replace the table", func(l, _ *log) {
			l.ask()
			l.answer("m1", haiku, "")
			l.add(`"type":"cost-state","totalCostUSD":0.4,"hasUnknownModelCost":true`)
		}, 0.005, 0, 0},
		{"a total that is not a number", func(l, _ *log) {
			l.ask()
			l.answer("m1", haiku, "")
			l.add(`"type":"cost-state","totalCostUSD":"much"`)
			l.add(`"type":"result","total_cost_usd":-3`)
		}, 0.005, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var main, agent log
			c.write(&main, &agent)
			conversation := main.conversation()
			if agent.n > 0 {
				conversation = main.conversation(&agent)
			}
			want := Cost{dollars(c.list), dollars(c.logged), c.unpriced}
			if got := Of(conversation, ListPrices()).Cost; got != want {
				t.Errorf("got cost %+v, want %+v", got, want)
			}
		})
	}
}

// TestTurns: each turn has its requests and those of its agents, so that the turns add up to the session.
func TestTurns(t *testing.T) {
	var main, agent log
	main.ask()
	main.add(`"type":"assistant","message":{"id":"m1","role":"assistant","model":"claude-fable-5","content":[{"type":"tool_use","id":"t1","name":"Task","input":{"prompt":"bake"}}],"usage":{"input_tokens":7,"output_tokens":1000}}`)
	main.add(`"type":"user","toolUseResult":{"agentId":"a0"},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"done"}]}`)
	main.ask()
	main.answer("m3", "claude-haiku-4-5", "")
	agent.ask()
	agent.answer("m2", "claude-haiku-4-5", "")
	c := main.conversation(&agent)
	tally := Count(c, ListPrices())
	if n := len(c.Turns); n != 2 {
		t.Fatalf("got %d turns, want 2", n)
	}
	first, second := tally.OfTurn(c.Turns[0]), tally.OfTurn(c.Turns[1])
	if first.Requests != 2 || first.Agents != 1 || first.Tools != 1 || first.Cost.List != dollars(0.05007+0.005) ||
		len(first.Models) != 2 {
		t.Errorf("first turn: got %+v", first)
	}
	if second.Requests != 1 || second.Cost.List != dollars(0.005) {
		t.Errorf("second turn: got %+v", second)
	}
	all := tally.Of(c)
	if sum := sumOf(first, second); sum.Usage != all.Usage || sum.Cost != all.Cost {
		t.Errorf("turns add up to %+v, want %+v as in the session", sum, all)
	}
	inner := c.Turns[0].Items[0].(*normalize.Group).Agents[0].Conversation
	if a := tally.Of(inner); a.Requests != 1 || a.Usage.Output != 1000 || a.Sessions != 0 {
		t.Errorf("agent: got %+v", a)
	}
}

// TestLoads: each request has its own context, never a sum of several.
func TestLoads(t *testing.T) {
	var l log
	l.ask()
	for i, usage := range []string{
		`"input_tokens":10,"cache_creation_input_tokens":2000,"output_tokens":5`,
		`"input_tokens":3,"cache_read_input_tokens":2010,"cache_creation_input_tokens":100,"output_tokens":7`,
		`"input_tokens":0,"output_tokens":0`,
	} {
		l.add(`"type":"assistant","message":{"id":"m%d","role":"assistant","model":"claude-fable-5","content":[{"type":"text","text":"ok"}],"usage":{%s}}`, i, usage)
	}
	c := l.conversation()
	loads := ContextSizes(c)
	if len(loads) != 2 || loads[0].Context != 2010 || loads[1].Context != 2113 || loads[1].Output != 7 ||
		Peak(c, Prices{}).Peak != 2113 || loads[0].At.IsZero() {
		t.Errorf("Loads() = %+v, want two, of 2010 and 2113 tokens", loads)
	}
}

// TestDoubtful: the versions that wrote placeholders for output tokens are recognized.
func TestDoubtful(t *testing.T) {
	for version, want := range map[string]bool{
		"1.0.24": true, "2.0.76": true, "2.1.17": true, "2.1.49": true, "2.1.50": false, "2.1.218": false,
		"3.0.0": false, "2.2.0": false,
		"": false, "dev": false, "2.1": false, "2.1.x": false,
	} {
		var l log
		l.ask()
		l.answer("m1", "claude-fable-5", fmt.Sprintf(`,"version":%q`, version))
		if got := Of(l.conversation(), Prices{}).Doubtful; got != want {
			t.Errorf("version %q: got doubtful %v, want %v", version, got, want)
		}
		c := l.conversation()
		c.Writer.Name = "Codex" // which has other versions
		if Of(c, Prices{}).Doubtful {
			t.Errorf("version %q of another writer is doubtful", version)
		}
	}
}
