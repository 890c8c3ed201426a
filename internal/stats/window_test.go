package stats

import (
	"fmt"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestPeak: the context window is shown if the log or the table has it, and is never smaller than the context was.
func TestPeak(t *testing.T) {
	for _, c := range []struct {
		model  string
		tokens int64
		logged int64 // in the last record of the run, 0 for none
		told   int64 // with the request, 0 for none
		want   Filling
	}{
		{"claude-haiku-4-5-20251001", 143_000, 0, 0, Filling{143_000, 200_000, 0}},
		{"claude-sonnet-4-5-20250929", 143_000, 0, 0, Filling{143_000, 200_000, 1_000_000}},
		{"claude-sonnet-4-5-20250929[1m]", 143_000, 0, 0, Filling{143_000, 1_000_000, 0}},
		{"claude-sonnet-4-5-20250929", 243_000, 0, 0, Filling{243_000, 1_000_000, 0}},
		{"claude-sonnet-4-5-20250929", 143_000, 200_000, 0, Filling{143_000, 200_000, 0}},
		{"claude-haiku-4-5", 243_000, 0, 0, Filling{243_000, 0, 0}},
		{"claude-haiku-4-5", 243_000, 200_000, 0, Filling{243_000, 0, 0}},
		{"claude-fable-5", 12, 0, 0, Filling{12, 1_000_000, 0}},
		{"gpt-5", 12, 0, 0, Filling{12, 0, 0}},
		{"gpt-5", 12, 0, 258_400, Filling{12, 258_400, 0}},
		{"gpt-5", 258_401, 0, 258_400, Filling{258_401, 0, 0}},
		{"claude-sonnet-4-5-20250929", 143_000, 1_000_000, 168_000, Filling{143_000, 168_000, 0}},
		{"claude-sonnet-4-5-20250929", 143_000, 200_000, 2e12, Filling{143_000, 200_000, 0}},
		{"claude-fable-5", 0, 0, 0, Filling{}},
	} {
		log := fmt.Sprintf(`{"type":"assistant","uuid":"u","sessionId":"s","message":{"id":"m","role":"assistant",`+
			`"model":%q,"usage":{"input_tokens":%d,"output_tokens":1},"content":[{"type":"text","text":"a"}]}}`+"\n",
			c.model, c.tokens)
		if c.logged > 0 {
			log += fmt.Sprintf(`{"type":"result","subtype":"success","modelUsage":{"m":{"contextWindow":%d}}}`+"\n",
				c.logged)
		}
		f := transcript.Read("s.jsonl", []byte(log))
		f.Records[0].Rare = &transcript.Rare{Window: c.told}
		if got := Peak(normalize.Build(normalize.Input{ID: "s", Main: &f}), ListPrices()); got != c.want {
			t.Errorf("%+v: got %+v", c, got)
		}
	}
}
