package stats

import (
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestCopiedHistory: what a log states about a copied history counts for the session that draws it.
func TestCopiedHistory(t *testing.T) {
	const haiku = "claude-haiku-4-5-20251001"
	var l log
	l.ask()
	l.answer("m1", haiku, "")
	l.add(`"type":"result","total_cost_usd":0.5,"usage":{"output_tokens":7}`)
	copied := l.n
	shared := make(map[string]bool)
	read := func() normalize.Input {
		f := transcript.Read("s.jsonl", []byte(l.String()))
		for _, r := range f.Records[:copied] {
			shared[r.UUID] = true
		}
		return normalize.Input{ID: "s", Main: &f, Shared: shared}
	}
	if got := Of(normalize.Build(read()), ListPrices()); got.Cost != (Cost{}) || got.Tokens() != 0 {
		t.Errorf("a copy: got %+v and %d tokens, want none", got.Cost, got.Tokens())
	}
	l.ask()
	l.answer("m2", haiku, "")
	l.add(`"type":"result","total_cost_usd":0.75`)
	if got, want := Of(normalize.Build(read()), ListPrices()).Cost, (Cost{Logged: dollars(0.25)}); got != want {
		t.Errorf("a copy that goes on: got %+v, want %+v", got, want)
	}
}

// TestCopiedCredits: a copied history has the credits of the session that it is from.
func TestCopiedCredits(t *testing.T) {
	var f transcript.File
	shared := make(map[string]bool)
	say := func(uuid string, used float64, copied bool) {
		at := int64(len(f.Records) + 1)
		r := transcript.Record{Type: "system", Subtype: "informational", UUID: uuid, Content: []byte(`"x"`)}
		r.Pos, r.Raw = transcript.Pos{File: "s", Line: int(at), Offset: at}, []byte(`{}`)
		r.Rare = &transcript.Rare{Credits: []transcript.Credit{{Unit: "requests", Used: used}}}
		f.Records, shared[uuid] = append(f.Records, r), copied
	}
	credits := func() []Credit {
		return Of(normalize.Build(normalize.Input{ID: "s", Main: &f, Shared: shared}), ListPrices()).Credits
	}
	say("a", 5, true)
	say("b", 2, true) // of another process
	if got := credits(); len(got) > 0 {
		t.Errorf("a copy: got %v, want none", got)
	}
	say("c", 3, false)
	say("d", 1, false)
	if got := credits(); len(got) != 1 || got[0] != (Credit{"requests", 2_000_000}) {
		t.Errorf("a copy that goes on: got %v, want two requests", got)
	}
}
