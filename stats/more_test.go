package stats

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"viewer/internal/corpusgen"
	"viewer/normalize"
	"viewer/transcript"
)

// TestMore counts sessions that grow, and compares with a count from the start.
func TestMore(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			dice := rand.New(rand.NewPCG(seed, 8))
			f := transcript.Read("made.jsonl", corpusgen.Session(seed, 300_000))
			var g normalize.Growing
			var c *normalize.Conversation
			var tally *Tally
			for n := 0; n < len(f.Records); {
				n = min(n+1+dice.IntN(5), len(f.Records))
				part := f
				part.Records = f.Records[:n:n]
				before := c
				if c = g.Build(normalize.Input{ID: "made", Main: &part}); c == before {
					tally = tally.More(c)
				} else {
					tally = Count(c, ListPrices())
				}
				want := Count(c, ListPrices())
				if !reflect.DeepEqual(tally.conversations, want.conversations) || !reflect.DeepEqual(tally.turns, want.turns) {
					t.Fatalf("after %d records: %+v, want %+v", n, tally.Of(c), want.Of(c))
				}
			}
		})
	}
}

// TestMoreUnspent has a request turn out to be one that the program wrote itself.
func TestMoreUnspent(t *testing.T) {
	var l log
	l.ask()
	l.answer("m1", "claude-fable-5", "")
	l.answer("m1", "<synthetic>", "")
	f := transcript.Read("s.jsonl", []byte(l.String()))
	part := f
	part.Records = f.Records[:2:2]
	var g normalize.Growing
	tally := Count(g.Build(normalize.Input{ID: "s", Main: &part}), ListPrices())
	c := g.Build(normalize.Input{ID: "s", Main: &f})
	if c.Grown.Times == 0 {
		t.Fatal("the conversation was not gone on with")
	}
	if got, want := tally.More(c).Of(c).Requests, Of(c, ListPrices()).Requests; got != want {
		t.Errorf("%d requests, want %d", got, want)
	}
}
