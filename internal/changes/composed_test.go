package changes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"viewer/internal/markup"
	"viewer/internal/tools"
)

// hunksIn returns the patch between two texts as programs log it.
func hunksIn(old, new []string) []markup.Hunk {
	a, b := entries(old, Begin), entries(new, 0)
	return plainHunks(hunksOf(a, b, compare(old, new), nil))
}

// TestComposeRandom: patches of a text that is not in the log have a net diff, which leads from the first text to the
// last one. Reads of some lines do not change that.
func TestComposeRandom(t *testing.T) {
	less := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		line := func() string {
			if rng.IntN(3) == 0 {
				return []string{"}\n", "\n", "\treturn\n"}[rng.IntN(3)]
			}
			return fmt.Sprintf("line %d\n", rng.IntN(1000))
		}
		var first []string
		for range 10 + rng.IntN(40) {
			first = append(first, line())
		}
		text := slices.Clone(first)
		var steps []Step
		gross := 0
		for range 2 + rng.IntN(6) {
			if rng.IntN(4) == 0 {
				from := rng.IntN(len(text))
				part := strings.Join(text[from:min(from+5, len(text))], "")
				steps = append(steps, do(observe, "a", texts{First: from + 1, Part: &part}))
			}
			next := slices.Clone(text)
			at := rng.IntN(len(next))
			next = slices.Delete(next, at, min(at+rng.IntN(4), len(next)))
			for range rng.IntN(4) {
				next = slices.Insert(next, at, line())
			}
			if slices.Equal(text, next) || len(next) < 3 {
				continue
			}
			hunks := hunksIn(text, next)
			for _, h := range hunks {
				for _, l := range h.Lines {
					if l[0] != ' ' {
						gross++
					}
				}
			}
			steps = append(steps, do(change, "a", texts{Hunks: hunks}))
			text = next
		}
		for _, f := range Replay(steps, Options{}).Files {
			if len(f.Steps) < 2 {
				continue
			}
			got, fits := exchange(first, f.Net.Hunks, false)
			if len(f.Alone) > 0 || !fits || !slices.Equal(got, text) {
				t.Errorf("seed %d: got %+v, want the diff between\n%q\n%q", seed, f, first, text)
			}
			if n := f.Net.Added + f.Net.Removed; n > gross {
				t.Errorf("seed %d: got %d lines, want at most %d", seed, n, gross)
			} else if n < gross {
				less++
			}
			if sum := f.Turns[0].Added - f.Turns[0].Removed; sum != len(text)-len(first) {
				t.Errorf("seed %d: the turn added %d lines, want %d", seed, sum, len(text)-len(first))
			}
		}
	}
	if less < 50 {
		t.Errorf("%d net diffs are smaller than the sum of their patches, want at least 50", less)
	}
}

// TestCompose: changes are added up only if their places are known and nothing contradicts them.
func TestCompose(t *testing.T) {
	patch := func(at int, lines ...string) Step { return do(change, "a", texts{Hunks: patchOf(at, lines...)}) }
	part := func(first int, text string) Step { return do(observe, "a", texts{First: first, Part: &text}) }
	one, two := patch(5, " x", "-1", "+2", " y"), patch(5, " x", "-2", "+3", " y")
	for _, c := range []struct {
		name  string
		steps []Step
		want  string
	}{
		{"one after the other", []Step{one, two}, "a unclear to unclear +1 -1"},
		{"and back", []Step{one, patch(6, "-2", "+1", " y")}, "a unclear to unclear +0 -0"},
		{"in two places", []Step{one, patch(40, "+4", " z")}, "a unclear to unclear +2 -1"},
		{"above", []Step{one, patch(1, "+4", " z"), patch(6, " x", "-2", "+3")}, "a unclear to unclear +2 -1"},
		{"one alone is as the log has it", []Step{one}, "a unclear to unclear +0 -0 alone 0 +1 -1"},
		{"lines that were read agree", []Step{one, part(4, "w\nx\n2\ny\n"), two}, "a unclear to unclear +1 -1"},
		{"others were read", []Step{one, part(4, "w\nx\nq\ny\n"), two},
			"a unclear to unclear +0 -0 alone 0 +1 -1 alone 2 +1 -1"},
		{"others were patched", []Step{one, patch(5, " x", "-q", "+3", " y")},
			"a unclear to unclear +0 -0 alone 0 +1 -1 alone 1 +1 -1"},
		{"a place is unknown", []Step{one, do(change, "a", texts{Edits: replaced("2", "3", false)})},
			"a unclear to unclear +0 -0 alone 0 +1 -1 alone 1 +1 -1"},
		{"patches with blanks for tabs", []Step{patch(5, "   x", "-    1", "+    2"), part(5, "\tx\n\t\t2\nz\n"),
			patch(5, "   x", "-    2", "+    3")}, "a unclear to unclear +1 -1"},
		{"a change of tabs, perhaps", []Step{patch(5, "-  1", "+  1"), one},
			"a unclear to unclear +0 -0 alone 0 +1 -1 alone 1 +1 -1"},
		{"removed in the end", []Step{one, two, {Ops: []fileOp{{Kind: tools.DeleteFile, Path: "a"}}}},
			"a unclear to absent +0 -0 alone 0 +1 -1 alone 1 +1 -1"},
		{"below any limit", []Step{one, patch(1<<30, "-1")}, "a unclear to unclear +0 -0 alone 0 +1 -1 alone 1 +0 -1"},
	} {
		var got []string
		for _, f := range Replay(c.steps, Options{}).Files {
			got = append(got, describe(f))
		}
		if !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	for _, f := range Replay([]Step{one, in(1, two)}, Options{Prompt: new(int)}).Files {
		if got, want := describe(f), "a unclear to unclear +0 -0 alone 0 +1 -1"; got != want {
			t.Errorf("one prompt: got %q, want %q", got, want)
		}
	}
}
