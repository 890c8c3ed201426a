package render

import (
	"fmt"
	"testing"
	"time"

	"viewer/internal/stats"
	"viewer/normalize"
)

// TestStepsOfRequests: the records of one answer are one step, also if only the id of the request tells so.
func TestStepsOfRequests(t *testing.T) {
	line := func(n int, request, block string) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":"00000000-0000-4000-8000-%012d","requestId":%q,`+
			`"message":{"role":"assistant","content":[%s]}}`, n, request, block)
	}
	c := build([]string{
		`{"type":"user","uuid":"u0","message":{"role":"user","content":"How high is the tide?"}}`,
		line(1, "req_1", `{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"a"}}`),
		line(2, "req_1", `{"type":"tool_use","id":"t2","name":"Read","input":{"file_path":"b"}}`),
		line(3, "req_2", `{"type":"tool_use","id":"t3","name":"Read","input":{"file_path":"c"}}`),
	})
	n := stepCount{requests: make(map[string]bool)}
	for _, item := range c.Turns[0].Items {
		n.group(item.(*normalize.Group))
	}
	if len(n.requests) != 2 || n.calls != 3 {
		t.Errorf("got %d steps with %d calls, want 2 with 3", len(n.requests), n.calls)
	}
}

// TestTookOfParts: a part of a turn takes as long as its calls and answers, without the recap that follows.
func TestTookOfParts(t *testing.T) {
	line := func(kind, at, rest string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"00000000-0000-4000-8000-00000000%s",`+
			`"timestamp":"2026-03-02T10:%s:%s.000Z",%s}`, kind, at, at[:2], at[2:], rest)
	}
	says := func(at, block string) string {
		return line("assistant", at, fmt.Sprintf(`"message":{"id":"m%s","role":"assistant","content":[%s]}`, at, block))
	}
	c := build([]string{
		line("user", "0000", `"message":{"role":"user","content":"How high is the tide?"}`),
		says("0010", `{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"a"}}`),
		line("user", "0110", `"message":{"role":"user","content":[`+
			`{"type":"tool_result","tool_use_id":"t1","content":"2"}]}`),
		says("0200", `{"type":"text","text":"Let me see."}`),
		says("0230", `{"type":"text","text":"Two."}`),
		line("system", "3000", `"subtype":"away_summary","content":"The tide was two."`),
	})
	d := testDrawer(c, stats.ListPrices())
	turn := c.Turns[0]
	for _, p := range []struct {
		part turnPart
		want time.Duration
	}{
		{turnPart{turn: turn, items: turn.Items[:1], first: true}, 70 * time.Second},
		{turnPart{turn: turn, items: turn.Items[1:], last: true}, 30 * time.Second},
		{turnPart{turn: turn, items: turn.Items, first: true, last: true}, 150 * time.Second},
	} {
		if got := d.took(p.part); got != p.want {
			t.Errorf("first %t, last %t: took %v, want %v", p.part.first, p.part.last, got, p.want)
		}
	}
}
