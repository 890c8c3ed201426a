package runs

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"viewer/internal/compare"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/report"
	"viewer/internal/sitegen"
	"viewer/internal/sitegen/output"
	"viewer/render"
)

// A Comparison contains the runs to compare. A few numbers of each run are in memory, and the steps are in a spool
// until Close.
type Comparison struct {
	Runs []compare.Run // without steps and files

	keys  []string
	spans []output.Span
	spool output.Spool

	mu     sync.Mutex
	failed error // why a run could not be read from the spool
}

// Read reads the runs that the filter chooses, in the order of the sources and of their files. Sessions in which
// nothing was asked, called or answered are left out. Runs link to the pages of a site with the same options. Files are
// names of files with verdicts, in addition to those among the runs.
func Read(ctx context.Context, o sitegen.Options, files []string) (*Comparison, error) {
	verdicts, err := findVerdicts(o.Sources, files)
	if err != nil {
		return nil, err
	}
	type placed struct {
		source, at int
		run        compare.Run
		key        string
		span       output.Span
	}
	c := new(Comparison)
	o.Names = sitegen.Absolute
	o.Originals = true // for net changes
	o.Whole = true     // a fork and its original begin with the same steps
	var mu sync.Mutex
	var all []placed
	err = o.EachSession(ctx, false, func(s sitegen.Chosen) error {
		if s.Empty {
			return nil
		}
		run := runOf(s)
		if run.Outcome == report.None {
			return nil
		}
		verdicts.place(&run, s)
		data, err := json.Marshal(&run)
		if err != nil {
			return fmt.Errorf("comparing %s: %w", s.Main.Name, err)
		}
		one := placed{source: slices.Index(o.Sources, s.Source), at: s.At}
		if one.span, err = c.spool.Put(data); err != nil {
			return err
		}
		key := fingerprint.Of(data)
		one.key = hex.EncodeToString(key[:])
		run.Steps, run.Files = nil, nil
		one.run = run
		mu.Lock()
		defer mu.Unlock()
		all = append(all, one)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = failure.New(sitegen.None(errors.New("no run in what was given: nothing was asked, called or answered")),
			noRunsHint)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	slices.SortFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.at, b.at))
	})
	for i := range all {
		c.Runs, c.keys = append(c.Runs, all[i].run), append(c.keys, all[i].key)
		c.spans = append(c.spans, all[i].span)
	}
	return c, nil
}

// runOf returns the run of a session, with links to its pages.
func runOf(s sitegen.Chosen) compare.Run {
	planned := render.Open(s.Session)
	return compare.Of(sitegen.Exported(s.Session), report.Source{File: s.Main.Name}, compare.Place{
		Folder: "s/" + s.Folder + "/", PageOf: planned.PageOf, DiffOf: planned.DiffOf,
	})
}

// Close removes the spool.
func (c *Comparison) Close() { c.spool.Close() }

// Whole returns a run with its steps and files. If they cannot be read, it has none, and the build will fail.
func (c *Comparison) Whole(i int) compare.Run {
	var run compare.Run
	data, err := c.spool.Get(c.spans[i])
	if err == nil {
		err = json.Unmarshal(data, &run)
	}
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.failed == nil {
			c.failed = fmt.Errorf("reading a run again: %w", err)
		}
		return c.Runs[i]
	}
	return run
}

const noRunsHint = "give two or more runs: files, ids, or folders that contain one run each"

// SideBySide returns the runs as one comparison.
func (c *Comparison) SideBySide() (*compare.Comparison, error) {
	switch n := len(c.Runs); {
	case n == 1:
		return nil, failure.New(fmt.Errorf("one run cannot be compared: %s", filepath.Base(c.Runs[0].File)), noRunsHint)
	case n > compare.MostRuns:
		return nil, failure.New(fmt.Errorf("%d runs are too many to show side by side", n),
			fmt.Sprintf("give at most %d; --matrix compares many", compare.MostRuns))
	}
	return &compare.Comparison{Runs: c.Runs, Keys: c.keys, Load: c.Whole}, nil
}

// Matrix returns the runs as a table.
func (c *Comparison) Matrix(columns, rows compare.Axis) *compare.Comparison {
	return &compare.Comparison{
		Runs: c.Runs, Keys: c.keys, Load: c.Whole, Matrix: compare.NewMatrix(c.Runs, columns, rows),
	}
}

// Build builds the site of the runs, with the pages that compare them.
func Build(ctx context.Context, o sitegen.Options, c *Comparison, shown *compare.Comparison) (sitegen.Report, error) {
	o.Compare, o.Whole = shown, true
	r, err := sitegen.Build(ctx, o)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		err = c.failed
	}
	return r, err
}

// place sets the path, the folder and the verdict of a run.
func (v *verdictFiles) place(r *compare.Run, s sitegen.Chosen) {
	r.Source, r.Path = s.Source, filepath.ToSlash(s.File)
	if below, err := filepath.Rel(absolutePath(s.Source), s.File); err == nil {
		if first, _, ok := strings.Cut(filepath.ToSlash(below), "/"); ok && first != ".." {
			r.Folder = first
		}
	}
	v.of(r)
	r.Path = "" // an absolute path is not redacted
	if s.Redact != nil {
		r.Folder, r.Task = s.Redact(r.Folder), s.Redact(r.Task)
		if r.Verdict != nil {
			verdict := *r.Verdict
			verdict.Result.Reason = s.Redact(verdict.Result.Reason)
			r.Verdict = &verdict
		}
	}
}

// absolutePath returns an absolute path, or the name as it is if there is no working directory.
func absolutePath(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}
