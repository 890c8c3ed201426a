package sitegen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"viewer/internal/compare"
	"viewer/internal/failure"
	"viewer/internal/report"
	"viewer/render"
)

// ReadRuns reads what a comparison needs of the sessions that the filter chooses, in the order of the sources and of
// their files. Sessions in which nothing was asked, called or answered are left out. The pages that they link are those
// of a site of the same options.
func ReadRuns(ctx context.Context, o Options) ([]compare.Run, error) {
	type placed struct {
		source, at int
		run        compare.Run
	}
	o.Names = Absolute
	o.Originals = true // for net changes
	var mu sync.Mutex
	var all []placed
	err := o.eachSession(ctx, false, func(s chosen) error {
		if s.empty {
			return nil
		}
		book := render.Open(s.Session)
		run := compare.Of(Exported(s.Session), report.Source{File: s.Main.Name}, compare.Place{
			Folder: "s/" + s.Folder + "/", PageOf: book.PageOf, DiffOf: book.DiffOf,
		})
		run.Source = s.source
		if run.Outcome == report.None {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, placed{slices.Index(o.Sources, s.source), s.at, run})
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.at, b.at))
	})
	runs := make([]compare.Run, len(all))
	for i := range all {
		runs[i] = all[i].run
	}
	return runs, nil
}

const noRunsHint = "give two or more runs: files, ids, or folders that hold a run each"

// SideBySide is the comparison of a few runs.
func SideBySide(runs []compare.Run) (*compare.Comparison, error) {
	switch n := len(runs); {
	case n == 0:
		return nil, failure.New(none{errors.New("no run in what was given: nothing was asked, called or answered")},
			noRunsHint)
	case n == 1:
		return nil, failure.New(fmt.Errorf("one run cannot be compared: %s", runs[0].File), noRunsHint)
	case n > compare.MostRuns:
		return nil, failure.New(fmt.Errorf("%d runs are too many to stand side by side", n),
			fmt.Sprintf("give at most %d; --matrix compares many", compare.MostRuns))
	}
	return &compare.Comparison{Runs: runs}, nil
}
