package stats

import (
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestSumOfSession: what the requests of a session were sent, which only a sum says, counts for the session and not for
// the turn that it is in.
func TestSumOfSession(t *testing.T) {
	prices, err := ParsePrices([]byte(`{"date": "2026-03-01", "models": [
		{"names": ["tern-1"], "input": 1, "cacheRead": 1, "output": 10}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var file transcript.File
	add := func(kind, id string, m transcript.Message) {
		m.ID, m.Role, m.Model = id, kind, "tern-1"
		m.Content = []transcript.Block{{Type: "text", Text: id}}
		pos := transcript.Pos{File: "s.jsonl", Line: len(file.Records) + 1, Offset: int64(len(file.Records))}
		file.Records = append(file.Records, transcript.Record{
			Type: kind, UUID: id, SessionID: "s", Pos: pos, Message: &m, Rare: new(transcript.Rare),
		})
	}
	output := func(n int64) transcript.Message {
		return transcript.Message{Usage: transcript.Usage{Output: n}, HasUsage: true, OutputOnly: true}
	}
	add("user", "u1", transcript.Message{})
	add("assistant", "m1", output(100_000))
	add("assistant", "m2", transcript.Message{
		Usage: transcript.Usage{Input: 2_000_000}, HasUsage: true, Several: true, OfSession: true,
	})
	add("user", "u2", transcript.Message{})
	add("assistant", "m3", output(7))
	c := normalize.Build(normalize.Input{ID: "s", Main: &file})
	tally := Count(c, prices)
	whole, first := tally.Of(c), tally.OfTurn(c.Turns[0])
	if whole.Usage != (transcript.Usage{Input: 2_000_000, Output: 100_007}) ||
		whole.Cost != (Cost{List: dollars(2), Unpriced: 100_007}) {
		t.Errorf("got %+v for %+v of the session", whole.Cost, whole.Usage)
	}
	if whole.Requests != 2 || whole.Models[0].Requests != 2 {
		t.Errorf("got %d requests, %d of the model; want 2: a sum is none", whole.Requests, whole.Models[0].Requests)
	}
	if first.Usage != (transcript.Usage{Output: 100_000}) || c.Turns[0].Usage() != first.Usage {
		t.Errorf("got %+v and %+v of the first turn", first.Usage, c.Turns[0].Usage())
	}
}
