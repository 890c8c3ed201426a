package redact

import (
	"flag"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"viewer/internal/testing/golden"
	"viewer/internal/testing/secretgen"
)

var (
	showMissed = flag.Int("missed", 0, "show so many samples of each class of which something is left")
	onlyMissed = flag.String("class", "", "show only classes that hold this")
)

// TestMissed measures how much is left of secrets that are generated without knowledge of the rules. -update writes the
// table in SECURITY.md. Without it, one of the five seeds is compared with the table, or all with VIEWER_TORTURE.
func TestMissed(t *testing.T) {
	const file, begin, end = "../../SECURITY.md", "<!-- missed -->\n", "<!-- missed, end -->\n"
	redactor, err := New(Options{Literals: secretgen.Literals})
	if err != nil {
		t.Fatal(err)
	}
	redact := func(records []string) []string {
		out := make([]string, len(records))
		for s, again := redactor.Session(), true; again; {
			for i, r := range records {
				out[i] = string(s.JSON([]byte(r)))
			}
			again = len(records) > 1 // a later record may reveal what an earlier one contains
			if again {
				s, again = s.NextPass()
			}
		}
		return out
	}
	shown := map[string]int{}
	missed := func(c secretgen.Class, s secretgen.Sample, out []string) {
		if strings.Contains(c.Name, *onlyMissed) {
			if shown[c.Name]++; shown[c.Name] <= *showMissed {
				t.Logf("%s, %s, %s:\n%q", c.Name, s.Kind, s.Context, out)
			}
		}
	}
	seeds := []uint64{1}
	full := golden.Update() || os.Getenv("VIEWER_TORTURE") != ""
	if full {
		seeds = []uint64{1, 2, 3, 4, 5}
	}
	rows := secretgen.Measure(seeds, redact, missed)
	kinds, contexts := 0, map[string]bool{}
	for _, r := range rows {
		kinds += r.Kinds
		if r.Class.Promised && r.Rate() > 1 {
			t.Errorf("%s: %.1f %% are missed, want at most the promised 1", r.Class.Name, r.Rate())
		}
		for by := range r.By {
			if strings.HasPrefix(by, "context: ") {
				contexts[by] = true
			}
		}
		for _, by := range slices.Sorted(maps.Keys(r.By)) {
			if n := r.By[by]; *showMissed > 0 && n.Left > 0 && strings.Contains(r.Class.Name, *onlyMissed) {
				t.Logf("%s: %s: %d of %d", r.Class.Name, by, n.Left, n.Samples)
			}
		}
	}
	if kinds < 200 || len(contexts) < 20 {
		t.Errorf("got %d kinds in %d contexts, want at least 200 in 20", kinds, len(contexts))
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(data), begin)
	was, behind, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s lacks %q", file, begin)
	}
	table := secretgen.Table(rows)
	switch {
	case table == was:
	case golden.Update():
		if err := os.WriteFile(file, []byte(before+begin+table+end+behind), 0o644); err != nil {
			t.Fatal(err)
		}
	case full || !likeTable(rows, was):
		t.Errorf("the table in %s is out of date: go test ./internal/redact -run TestMissed -update, and read the difference\n%s",
			file, table)
	}
}

// likeTable reports whether the rows of one seed are compatible with the table of five: the same classes and kinds, and
// rates that differ by at most three percentage points.
func likeTable(rows []secretgen.Row, table string) bool {
	n := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		if len(cells) != 4 || cells[0] == "| class" {
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(cells[0], "| "), "not promised: ")
		i := slices.IndexFunc(rows, func(r secretgen.Row) bool { return r.Class.Name == name })
		rate, err := strconv.ParseFloat(strings.TrimSuffix(cells[3], " % |\n"), 64)
		if i < 0 || err != nil || cells[1] != strconv.Itoa(rows[i].Kinds) || math.Abs(rate-rows[i].Rate()) > 3 {
			return false
		}
		n++
	}
	return n == len(rows)
}
