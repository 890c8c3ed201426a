package sitegen

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"viewer/internal/export"
	"viewer/internal/testing/fill"
	"viewer/render"
)

// A fact is a session in sessions.json.
type fact struct {
	ID      string        `json:"id"`
	Title   string        `json:"title"`
	Project string        `json:"project"`
	Page    string        `json:"page"`
	Start   string        `json:"start,omitempty"`
	Seconds float64       `json:"seconds"`
	Work    int64         `json:"workSeconds"`
	Branch  string        `json:"branch,omitempty"`
	Models  []string      `json:"models"`
	Prompts int           `json:"prompts"`
	Calls   int           `json:"calls"`
	Failed  int           `json:"failed"`
	Agents  int           `json:"agents"`
	Tokens  export.Tokens `json:"tokens"`
	export.Spent
	Mark    string   `json:"mark"`
	Asked   string   `json:"asked"`
	Ending  string   `json:"ending"`
	Commits int      `json:"commits"`
	Pulls   []string `json:"pullRequests"`
	Files   int      `json:"changedFiles"`
	Added   int      `json:"addedLines"`
	Removed int      `json:"removedLines"`
	Kept    bool     `json:"kept,omitempty"`
	Former  bool     `json:"archived,omitempty"`
}

// TestFacts reads the facts written for random sessions, whatever bytes their texts have.
func TestFacts(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for n := range 20 {
		sessions := make([]render.Summary, n)
		want := make([]fact, n)
		for i := range sessions {
			s := &sessions[i]
			fill.Value(random, reflect.ValueOf(s).Elem())
			s.Folder = fmt.Sprint("folder-", i) // each session has its own folder
			s.Title, s.Models = "\"a\\b\n\x00\xff</script>\u2028", append([]string{"é"}, s.Models...)[random.IntN(2):]
			want[i] = fact{
				s.ID, s.Title, s.Project.Name, "s/" + s.Folder + "/index.html", "", s.Totals.Time.Seconds(),
				int64(s.Totals.Work / time.Second), s.Branch, append([]string{}, s.Models...),
				s.Totals.Prompts, s.Totals.Tools, s.Totals.Failed, s.Totals.Agents, export.TokensOf(s.Totals.Usage),
				export.SpentOn(s.Totals),
				s.Outcome.Mark.String(), s.Outcome.Asked, s.Outcome.Line(), s.Outcome.Commits,
				append([]string{}, s.Outcome.PullRequests...),
				s.Outcome.Files, s.Outcome.Added, s.Outcome.Removed, s.Kept, s.Kept,
			}
			if !s.Start.IsZero() {
				want[i].Start = export.Stamp(s.Start)
			}
		}
		text := factsOf(pointers(sessions))
		var got, plain []fact
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		data, err := json.Marshal(want) // which replaces bytes that are not UTF-8
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
			t.Fatalf("got %d facts of %d sessions", len(got), n)
		}
	}
}

func pointers(to []render.Summary) []*render.Summary {
	all := make([]*render.Summary, len(to))
	for i := range to {
		all[i] = &to[i]
	}
	return all
}

// sameText removes the texts that may contain bytes that are not UTF-8: encoders may replace several such bytes by one
// character.
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
		for _, s := range []*string{&f.ID, &f.Title, &f.Project, &f.Page, &f.Branch, &f.Asked, &f.Ending} {
			*s = squeeze(*s)
		}
		for _, names := range [][]string{f.Models, f.Unpriced, f.Pulls} {
			for i := range names {
				names[i] = squeeze(names[i])
			}
		}
	}
	return len(a.Models) == len(b.Models) && len(a.Unpriced) == len(b.Unpriced)
}
