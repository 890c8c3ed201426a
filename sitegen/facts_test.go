package sitegen

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"viewer/render"
)

// A fact is one session in sessions.json, as a program reads it.
type fact struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Project   string   `json:"project"`
	Page      string   `json:"page"`
	Start     string   `json:"start,omitempty"`
	Seconds   int64    `json:"seconds"`
	Branch    string   `json:"branch,omitempty"`
	Models    []string `json:"models"`
	Prompts   int      `json:"prompts"`
	Tools     int      `json:"tools"`
	Failed    int      `json:"failed"`
	Agents    int      `json:"agents"`
	Input     int64    `json:"inputTokens"`
	CacheRead int64    `json:"cacheReadTokens"`
	CacheNew  int64    `json:"cacheWriteTokens"`
	Output    int64    `json:"outputTokens"`
	CostUSD   float64  `json:"costUSD"`
	Unpriced  int64    `json:"unpricedTokens"`
	Archived  bool     `json:"archived,omitempty"`
}

// TestFacts reads what is written of made-up sessions, whatever their texts hold.
func TestFacts(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for n := range 20 {
		sessions := make([]render.Summary, n)
		want := make([]fact, n)
		for i := range sessions {
			s := &sessions[i]
			fill(random, reflect.ValueOf(s).Elem())
			s.Title, s.Models = "\"a\\b\n\x00\xff</script>\u2028", append([]string{"é"}, s.Models...)[random.IntN(2):]
			want[i] = fact{
				s.ID, s.Title, s.Project.Name, "s/" + s.Folder + "/index.html", "", int64(s.Totals.Time / time.Second), s.Branch, append([]string{}, s.Models...),
				s.Totals.Prompts, s.Totals.Tools, s.Totals.Failed, s.Totals.Agents, s.Totals.Usage.Input, s.Totals.Usage.CacheRead, s.Totals.Usage.CacheWrite,
				s.Totals.Usage.Output, s.Totals.Cost.Total().Dollars(), s.Totals.Cost.Unpriced, s.Archived,
			}
			if !s.Start.IsZero() {
				want[i].Start = s.Start.Format(time.RFC3339)
			}
		}
		text := factsOf(sessions)
		var got, plain []fact
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		data, err := json.Marshal(want) // which makes its own of bytes that are no text
		if err == nil {
			err = json.Unmarshal(data, &plain)
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			one, other := got[i], plain[i]
			if !sameText(&one, &other) || !reflect.DeepEqual(one, other) {
				t.Fatalf("read %+v\nof %+v\nin %s", got[i], plain[i], text)
			}
		}
		if len(got) != n {
			t.Fatalf("%d facts of %d sessions", len(got), n)
		}
	}
}

// sameText takes the texts out that may hold other bytes than text, of which several
// in a row may stand as one sign.
func sameText(a, b *fact) bool {
	squeeze := func(s string) (out string) {
		for _, r := range s {
			if r != '\uFFFD' {
				out += string(r)
			}
		}
		return out
	}
	for _, f := range []*fact{a, b} {
		for _, s := range []*string{&f.ID, &f.Title, &f.Project, &f.Page, &f.Branch} {
			*s = squeeze(*s)
		}
		for i := range f.Models {
			f.Models[i] = squeeze(f.Models[i])
		}
	}
	return len(a.Models) == len(b.Models)
}
