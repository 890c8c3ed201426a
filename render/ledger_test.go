package render

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"viewer/internal/stats"
	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render/page"
)

// TestLedgerBalances draws each case as a session: every record must be counted.
func TestLedgerBalances(t *testing.T) {
	for _, path := range golden.Glob(t, "testdata/*/*.txtar") {
		a := golden.Open(t, path)
		main := transcript.Read("in.jsonl", []byte(a.Section(t, "in.jsonl")))
		in := normalize.Input{ID: "case", Main: &main}
		if a.Has("agent.jsonl") {
			agent := transcript.Read("agent.jsonl", []byte(a.Section(t, "agent.jsonl")))
			in.Agents = []normalize.AgentFile{{ID: "a1b2c3d", File: &agent}}
		}
		l := DrawSession(Session{Conversation: normalize.Build(in), Main: &main, Agents: in.Agents}).Ledger
		if !l.Balanced() || l.Read == 0 {
			t.Errorf("%s: %+v does not balance: read %d, drawn %d + generic %d + hidden %d + lost %d, missed %d",
				filepath.ToSlash(path), l, l.Read, l.Drawn, l.Generics(), l.Hiddens(), l.Lost, l.Missed)
		}
	}
}

// partners are the fields of a ledger that have their own test.
var partners = cmpopts.IgnoreFields(Ledger{}, "Kinds", "Orphans", "Unanswered", "Loose", "Promptless")

// TestUnmatchedCalls counts the kinds in records, and calls and results without a partner.
func TestUnmatchedCalls(t *testing.T) {
	main := transcript.Read("in.jsonl", []byte(strings.Join([]string{
		`{"type":"assistant","uuid":"a","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}}`,
		`{"type":"assistant","uuid":"b","sessionId":"s","message":{"id":"n","role":"assistant","content":[{"type":"text","text":"On."}]}}`,
		`{"type":"user","uuid":"c","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"gone","content":"ok"}]}}`,
	}, "\n")+"\n"))
	got := DrawSession(Session{Conversation: normalize.Build(normalize.Input{ID: "case", Main: &main}),
		Main: &main}).Ledger
	if got.Orphans != 1 || got.Unanswered != 1 || got.Promptless != 1 || got.Loose != 0 {
		t.Errorf("got orphans %d, unanswered %d, promptless %d, loose %d, want 1, 1, 1, 0", got.Orphans, got.Unanswered,
			got.Promptless, got.Loose)
	}
	if diff := cmp.Diff(map[string]int{"tool Bash": 1, "text": 1, "result": 1}, got.Kinds); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
}

// TestFates counts each record in its category.
func TestFates(t *testing.T) {
	const envelope = `"sessionId":"s","timestamp":"2026-03-02T09:00:00Z"`
	for _, c := range []struct {
		name string
		in   []string
		want Ledger
	}{
		{"nothing", nil, Ledger{}},
		{"a prompt and its answer", []string{
			`{"type":"user","uuid":"a",` + envelope + `,"message":{"role":"user","content":"high water?"}}`,
			`{"type":"assistant","uuid":"b",` + envelope + `,"message":{"id":"m","role":"assistant","content":[{"type":"text","text":"At noon."}]}}`,
		}, Ledger{Read: 2, Drawn: 2}},
		{"an unknown tool; its result is drawn", []string{
			`{"type":"assistant","uuid":"a",` + envelope + `,"message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Sextant","input":{}}]}}`,
			`{"type":"user","uuid":"b",` + envelope + `,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}}`,
		}, Ledger{Read: 2, Drawn: 1, Generic: map[string]int{"tool Sextant": 1}}},
		{"a known tool with input of another shape", []string{
			`{"type":"assistant","uuid":"a",` + envelope + `,"message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":"ls"}]}}`,
		}, Ledger{Read: 1, Generic: map[string]int{"tool Bash, input not understood": 1}}},
		{"one record of several parts counts once, as the worst of them", []string{
			`{"type":"assistant","uuid":"a",` + envelope + `,"message":{"id":"m","role":"assistant","content":[{"type":"text","text":"x"},{"type":"future"}]}}`,
		}, Ledger{Read: 1, Generic: map[string]int{"block future": 1}}},
		{"unknown kinds", []string{
			`{"type":"moon","uuid":"a",` + envelope + `}`,
			`{"type":"system","subtype":"moon_phase","uuid":"b",` + envelope + `}`,
			`{"type":"attachment","uuid":"c",` + envelope + `,"attachment":{"type":"weather"}}`,
			`{"type":"attachment","uuid":"d",` + envelope + `,"attachment":{"type":"hook_new","hookEvent":"Stop"}}`,
			`{"type":"attachment","uuid":"e",` + envelope + `,"attachment":{"type":"weather"}}`,
		}, Ledger{Read: 5, Generic: map[string]int{"record moon": 1, "system moon_phase": 1, "attachment weather": 2,
			"attachment hook_new": 1}}},
		{"books, caveats, repeats", []string{
			`{"type":"ai-title","aiTitle":"Tides","sessionId":"s"}`,
			`{"type":"mode","mode":"normal","sessionId":"s"}`,
			`{"type":"user","uuid":"a",` + envelope + `,"isMeta":true,"message":{"role":"user","content":"<local-command-caveat>Caveat</local-command-caveat>"}}`,
			`{"type":"user","uuid":"b",` + envelope + `,"message":{"role":"user","content":"hello"}}`,
			`{"type":"user","uuid":"b",` + envelope + `,"message":{"role":"user","content":"hello"}}`,
		}, Ledger{Read: 5, Drawn: 1, Hidden: map[string]int{"titles and names": 1, "modes": 1, "caveats": 1,
			"repeated records": 1}}},
		{"a line that is not JSON, and an incomplete one", []string{
			`{"type":"user","uuid":"b",` + envelope + `,"message":{"role":"user","content":"hello"}}`,
			`[SandboxDebug] no record`,
			`{"type":"user","uuid":"c"`,
		}, Ledger{Read: 3, Drawn: 1, Lost: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			main := transcript.Read("in.jsonl", []byte(strings.Join(c.in, "\n")+"\n"))
			conversation := normalize.Build(normalize.Input{ID: "case", Main: &main})
			got := DrawSession(Session{Conversation: conversation, Main: &main}).Ledger
			c.want.Files = 1
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty(), partners); diff != "" {
				t.Errorf("ledger (-want +got):\n%s", diff)
			}
			if !got.Balanced() {
				t.Errorf("%+v does not balance", got)
			}
		})
	}
}

// TestMissed: records that were not drawn are counted as missed.
func TestMissed(t *testing.T) {
	main := transcript.Read("in.jsonl", []byte(`{"type":"user","uuid":"a","message":{"role":"user","content":"hello"}}`+
		"\n"))
	c := normalize.Build(normalize.Input{ID: "case", Main: &main})
	l := newLedger(c, []*transcript.File{&main})
	if l.Missed != 1 || l.Balanced() {
		t.Errorf("ledger of a session that was not drawn = %+v, want 1 missed", l)
	}
	rows := l.Rows(stats.Totals{}, page.Exact)
	if last := rows[len(rows)-1]; !last.Bad || last.Count != "1" {
		t.Errorf("last row = %+v, want a bad one that counts 1", last)
	}
}

// TestUnpricedRows: the ledger names each model without a price once, unless the log has the total cost.
func TestUnpricedRows(t *testing.T) {
	models := []stats.Model{{Name: "claude-new-9", Cost: stats.Cost{Unpriced: 1200}},
		{Name: "claude-opus-5", Cost: stats.Cost{List: 5}}}
	got := Ledger{}.Rows(stats.Totals{Cost: stats.Cost{Unpriced: 1200}, Models: models}, page.Exact)
	if last := got[len(got)-1]; last.Name != "tokens without a known price: claude-new-9" || last.Count != "1,200" ||
		len(got) != 3 {
		t.Errorf("rows = %+v, want 3, the last with the tokens of claude-new-9", got)
	}
	if got := (Ledger{}).Rows(stats.Totals{Models: models}, page.Exact); len(got) != 2 {
		t.Errorf("rows = %+v, want 2: the log has the cost", got)
	}
}

func TestLedgerAdd(t *testing.T) {
	a := Ledger{Files: 1, Read: 5, Drawn: 2, Generic: map[string]int{"tool A": 1}, Hidden: map[string]int{"modes": 2}}
	b := Ledger{Files: 2, Read: 3, Drawn: 1, Generic: map[string]int{"tool A": 1}, Lost: 1}
	want := Ledger{Files: 3, Read: 8, Drawn: 3, Lost: 1, Generic: map[string]int{"tool A": 2},
		Hidden: map[string]int{"modes": 2}}
	if diff := cmp.Diff(want, a.Add(b), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("sum (-want +got):\n%s", diff)
	}
	if a.Generic["tool A"] != 1 {
		t.Errorf("Add changed its operand: %+v", a)
	}
	if !want.Balanced() {
		t.Errorf("%+v does not balance", want)
	}
}

// TestManyKinds: up to a limit kinds are counted by name, and the others together.
func TestManyKinds(t *testing.T) {
	var b strings.Builder
	const all = maxKindNames + 30
	for i := range all {
		fmt.Fprintf(&b, `{"type":"moon %d"}`+"\n"+`{"type":"moon 7"}`+"\n", i)
	}
	main := transcript.Read("in.jsonl", []byte(b.String()))
	got := DrawSession(Session{Conversation: normalize.Build(normalize.Input{ID: "case", Main: &main}),
		Main: &main}).Ledger
	for name, counts := range map[string]map[string]int{"kinds": got.Kinds, "drawn generically": got.Generic} {
		if len(counts) != maxKindNames+1 || counts["other kinds"] != all-maxKindNames ||
			counts["record moon 7"] != all+1 {
			t.Errorf("%s: got %d kinds, %d others, %d of the seventh", name, len(counts), counts["other kinds"],
				counts["record moon 7"])
		}
	}
	if !got.Balanced() {
		t.Error("the ledger is not balanced")
	}
}
