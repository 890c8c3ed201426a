package render

import (
	"strings"
	"testing"
	"time"

	"viewer/internal/outcome"
	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// prices returns round prices, so that goldens do not change with real ones.
func prices(t *testing.T) stats.Prices {
	t.Helper()
	p, err := stats.ParsePrices([]byte(`{"date": "2026-03-01", "models": [{"names": ["claude-sonnet-4-5"],
		"input": 10, "cacheWrite5m": 10, "cacheWrite1h": 20, "cacheRead": 1, "output": 100}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCostWords(t *testing.T) {
	const dollar = stats.Money(1e12)
	for want, c := range map[string]stats.Cost{
		"":                                  {},
		"$2.00 at list price of 1 Mar 2026": {List: 2 * dollar},
		"$1.00 by the log":                  {Logged: dollar},
		"$3.00 at list price of 1 Mar 2026 (What the API would have charged, by request; a subscription pays something else. $1.00 of it is what the log says itself.)": {List: 2 * dollar, Logged: dollar},
		"$2.00+ by the log (No price is known for 1.2k of the tokens.)": {Logged: 2 * dollar, Unpriced: 1200},
		"unpriced (No price is known for 12 of the tokens.)":            {Unpriced: 12},
	} {
		f := costWords(c, "2026-03-01")
		got := strings.TrimSpace(f.Strong + " " + string(f.Text))
		if strings.Contains(want, "(") {
			got += " (" + f.Title + ")"
		}
		if got != want {
			t.Errorf("%+v:\n got %q\nwant %q", c, got, want)
		}
	}
}

// TestMeta: the first page has the numbers of the whole conversation; a later page has its own, and how the
// conversation began.
func TestMeta(t *testing.T) {
	record := func(kind, at, message string) string {
		return `{"type":"` + kind + `","uuid":"` + at + `","sessionId":"s","timestamp":"2026-03-0` + at +
			`:00.000Z","cwd":"/tide","gitBranch":"main","version":"2.1.12","message":` + message + `}`
	}
	c := build([]string{
		record("user", "2T09:00", `{"role":"user","content":"Count."}`),
		record("assistant", "2T09:10", `{"id":"m1","role":"assistant","model":"claude-sonnet-4-5","usage":{"input_tokens":100000,"output_tokens":1000},"content":[{"type":"text","text":"One."}]}`),
		record("user", "3T10:00", `{"role":"user","content":"Count on."}`),
		record("assistant", "3T10:20", `{"id":"m2","role":"assistant","model":"claude-sonnet-4-5","usage":{"input_tokens":50000,"output_tokens":1000},"content":[{"type":"text","text":"Two."}]}`),
	})
	b := pagesData{Session: Session{Conversation: c, Project: Project{Name: "tide"}, Prices: prices(t)}}
	b.data = newSessionData(c, b.Prices)
	b.totals = b.data.tally.Of(c)
	b.outcome = func() *outcome.Facts { f := outcome.Of(c, nil); return &f }
	page := func(turn *normalize.Turn) []turnPart {
		return []turnPart{{turn: turn, items: turn.Items, first: true, last: true}}
	}
	j := &job{conversation: c, parts: [][]turnPart{page(c.Turns[0]), page(c.Turns[1])}, last: 1}
	d := &pageDrawing{pagesData: &b, job: j, pageState: newPageState(b.data, "", false)}
	for i, want := range []string{
		"tide; Mon 2 Mar 2026, 09:00 – Tue 3 Mar 2026, 10:20; 0 calls; claude-sonnet-4-5; 150k tokens in; 2.0k out, as reported; $1.70 at list price of 1 Mar 2026; 100k peak context",
		"tide; Tue 3 Mar 2026, 10:00 – 10:20; session began Mon 2 Mar 2026, 09:00 with claude-sonnet-4-5; Asked Count on.",
	} {
		j.index = i
		var got []string
		for _, f := range d.meta() {
			words := strings.TrimSpace(f.Strong + " " + string(f.Text))
			if f.Span.Start.Text != "" {
				words = strings.TrimSuffix(f.Span.Start.Text+" – "+f.Span.End.Text, " – ")
				words = strings.TrimSpace(f.Before + " " + words + " " + string(f.Text))
			}
			got = append(got, words)
		}
		if got := strings.Join(got, "; "); got != want {
			t.Errorf("page %d:\n got %s\nwant %s", i+1, got, want)
		}
		if day := d.day(); !day.Equal(time.Date(2026, time.March, 2+i, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("page %d has the day %s", i+1, day)
		}
	}
	d.job = &job{conversation: build(nil)}
	if got := d.day(); !got.IsZero() {
		t.Errorf("the day of an empty session is %s, want none", got)
	}
}

// TestPromptCounts: the facts below the title and the outline count the same prompts. Prompts that were queued or taken
// back are listed where they were sent, without a number.
func TestPromptCounts(t *testing.T) {
	c := build([]string{
		`{"type":"user","uuid":"10000000-0000-4000-8000-000000000001","parentUuid":null,"message":{"role":"user","content":"Sort the shelf"}}`,
		`{"type":"assistant","uuid":"20000000-0000-4000-8000-000000000002","parentUuid":"10000000-0000-4000-8000-000000000001","message":{"id":"m1","role":"assistant","model":"claude-x","content":[{"type":"text","text":"by what?"}]}}`,
		`{"type":"user","uuid":"30000000-0000-4000-8000-000000000003","parentUuid":"20000000-0000-4000-8000-000000000002","message":{"role":"user","content":"by colour"}}`,
		`{"type":"assistant","uuid":"40000000-0000-4000-8000-000000000004","parentUuid":"30000000-0000-4000-8000-000000000003","message":{"id":"m2","role":"assistant","model":"claude-x","content":[{"type":"text","text":"red first"}]}}`,
		`{"type":"user","uuid":"60000000-0000-4000-8000-000000000006","parentUuid":"20000000-0000-4000-8000-000000000002","message":{"role":"user","content":"by author"}}`,
		`{"type":"attachment","uuid":"70000000-0000-4000-8000-000000000007","parentUuid":"60000000-0000-4000-8000-000000000006","attachment":{"type":"queued_command","prompt":"and by year","commandMode":"prompt"}}`,
		`{"type":"assistant","uuid":"80000000-0000-4000-8000-000000000008","parentUuid":"70000000-0000-4000-8000-000000000007","message":{"id":"m3","role":"assistant","model":"claude-x","content":[{"type":"text","text":"sorted"}]}}`,
	})
	b := Open(Session{Conversation: c, Main: &transcript.File{}})
	v := newPageDrawing(b.b, 0).outline()
	var got []string
	for _, e := range v.Entries {
		got = append(got, strings.TrimSpace(e.Mark+" "+e.Text))
	}
	want := "Sort the shelf; undone by colour; by author; late and by year"
	if got := strings.Join(got, "; "); got != want {
		t.Errorf("the outline lists\n got %s\nwant %s", got, want)
	}
	if n := b.b.totals.Prompts; n != 4 || v.Summary != "4 prompts" {
		t.Errorf("the facts count %d prompts, the outline %q, want 4", n, v.Summary)
	}
}
