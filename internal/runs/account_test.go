package runs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"viewer/internal/report"
	"viewer/internal/sitegen"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/corpusgen"
)

// accountOf reports on sessions with all outputs.
func accountOf(t testing.TB, o sitegen.Options, single, baseURL string) *Account {
	t.Helper()
	a, err := NewAccount(context.Background(), o, Wanted{
		Wanted: report.Wanted{Summary: &report.SummaryOptions{BaseURL: baseURL}, JSON: true, Annotations: 10},
		Single: single,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

// TestReportOfRealRuns reports on real execution files and streams, if they exist on this machine. Each of them
// succeeded and has a cost, and its final answer must be on the page.
func TestReportOfRealRuns(t *testing.T) {
	for _, name := range corpus.Glob(t, "sdk/*/*.json*") {
		a := accountOf(t, sitegen.Options{Sources: []string{name}}, "report.html", "")
		f := a.Facts
		if f.Sessions != 1 || f.Outcome != report.Success || f.CostUSD == 0 || f.ListPrice ||
			f.Seconds == 0 || f.Turns == 0 {
			t.Errorf("%s: got %d sessions, %s, $%v (list price %v), %v s, %d turns",
				name, f.Sessions, f.Outcome, f.CostUSD,
				f.ListPrice, f.Seconds, f.Turns)
		}
		var html, facts bytes.Buffer
		if err := cmp.Or(a.Page(&html), a.JSON(&facts)); err != nil {
			t.Fatal(err)
		}
		var decoded struct{ Runs []report.Run }
		if err := json.Unmarshal(facts.Bytes(), &decoded); err != nil || len(decoded.Runs) != 1 {
			t.Fatalf("%s: got %d runs, error %v, want 1", name, len(decoded.Runs), err)
		}
		page, answer := html.String(), decoded.Runs[0].Answer
		if answer == "" || !strings.Contains(page, answer) {
			t.Errorf("%s: the page lacks the answer %q", name, answer)
		}
		// The page must have the targets of the links in the summary.
		for _, c := range decoded.Runs[0].Files {
			if !strings.Contains(page, `id="`+c.Anchor+`"`) {
				t.Errorf("%s: the page has no element #%s for %s", name, c.Anchor, c.Path)
			}
		}
	}
}

// TestReportPlaces: the links of a summary into a site lead to the pages with their anchors.
func TestReportPlaces(t *testing.T) {
	out := t.TempDir()
	o := sitegen.Options{Sources: []string{"../../testdata/projects"}, Out: out}
	if _, err := sitegen.Build(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	const base = "https://ci.example.org/"
	summary, err := accountOf(t, o, "", base).Summary()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, part := range strings.Split(string(summary), "]("+base)[1:] {
		address, _, _ := strings.Cut(part, ")")
		page, anchor, _ := strings.Cut(address, "#")
		html, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(page)))
		if err != nil {
			t.Error(err)
			continue
		}
		if anchor != "" && !strings.Contains(string(html), `id="`+anchor+`"`) {
			t.Errorf("%[2]s has no element #%[1]s", anchor, page)
		}
		n++
	}
	if n < 50 {
		t.Errorf("got %d links, want at least 50", n)
	}
}

// TestReportOrder: the page of several sessions has them in the order of their files, whichever is read first, without
// empty ones. It equals a page drawn in memory.
func TestReportOrder(t *testing.T) {
	source := filepath.Join(t.TempDir(), "-w")
	for i, size := range []int{300_000, 20_000, 0, 100_000, 5_000, 0, 50_000} {
		data := []byte(`{"type":"mode","mode":"normal"}` + "\n")
		if size > 0 {
			data = corpusgen.Session(uint64(i+1), size)
		}
		writeFile(t, filepath.Join(source, fmt.Sprintf("%d.jsonl", i)), data)
	}
	o := sitegen.Options{Sources: []string{source}, Version: "test", Originals: true}
	if got := len(readSessions(t, o)); got != 5 {
		t.Fatalf("got %d sessions, want 5", got)
	}
	want := sitegen.SinglePage(readSessions(t, o)...)
	var got bytes.Buffer
	if err := accountOf(t, o, "report.html", "").Page(&got); err != nil {
		t.Fatal(err)
	}
	// Without the parts that a report adds about its runs.
	drawn := regexp.MustCompile(`(?s)<section class="ruling".*?</section>\n|<details class="work".*?</details>\n|`+
		`<p class="cap" id="[^"]*o-run">.*?</ul>`).ReplaceAll(got.Bytes(), nil)
	drawn = regexp.MustCompile(`Report: (5 sessions) · [^<]*`).ReplaceAll(drawn, []byte("$1"))
	// It also counts the home folder in the paths of its files, where temporary files are below one, as on Windows.
	homes := regexp.MustCompile(`<tr><td>redacted: home</td><td>\d+</td></tr>`)
	want = homes.ReplaceAll(want, nil)
	drawn = homes.ReplaceAll(drawn, nil)
	if !bytes.Equal(drawn, want) || bytes.Equal(drawn, got.Bytes()) {
		t.Errorf("the page has %d bytes, want the same %d as drawn in memory", len(drawn), len(want))
	}
}
