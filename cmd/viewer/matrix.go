package main

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"viewer/internal/compare"
	"viewer/internal/report"
	"viewer/internal/runs"
	"viewer/internal/settings"
	"viewer/internal/sitegen"
)

// matrixFlags are the flags for a table of many runs.
type matrixFlags struct {
	matrix   bool
	by, rows wordFlag
	verdicts []string
	table    []byte // in Markdown, once it is written
}

func (f *matrixFlags) add(c *cobra.Command, usage string) {
	c.Flags().BoolVar(&f.matrix, "matrix", false, usage)
	addWord(c, &f.by, "by", string(compare.ByModel), compare.Columns, "columns of --matrix")
	addWord(c, &f.rows, "rows", string(compare.ByTask), compare.Rows, "rows of --matrix")
	c.Flags().StringArrayVar(&f.verdicts, "verdicts", nil,
		"read the results of runs from `FILE`: lines of a name and an exit code, JUnit XML, or reports; may be repeated")
}

func (f *matrixFlags) check(u *ui) error {
	if !f.matrix && (u.from["by"] == settings.ByCommandLine || u.from["rows"] == settings.ByCommandLine) {
		return usagef("--by and --rows are for --matrix")
	}
	return nil
}

// tabulate writes the table of the runs, which takes at most half of the size limit of the summary. Sources without a
// run have no table.
func (f *reportFlags) tabulate(ctx context.Context, o sitegen.Options, summary *report.SummaryOptions) error {
	o.Fault = nil // sessions with a fault are reported later
	read, err := runs.Read(ctx, o, f.verdicts)
	if errors.Is(err, sitegen.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	defer read.Close()
	limit := cmp.Or(summary.Limit, report.Limit)
	f.table = read.Matrix(compare.Axis(f.by.value), compare.Axis(f.rows.value)).
		Markdown(limit/2, func(r *compare.Run) string {
			if strings.HasSuffix(f.baseURL, ".html") { // the address of a page, not of a folder with the pages of runs
				return ""
			}
			return summary.Page(r.Page)
		})
	summary.Limit = limit - len(f.table)
	return nil
}
