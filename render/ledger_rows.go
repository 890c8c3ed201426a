package render

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"viewer/internal/stats"
	"viewer/normalize"
	"viewer/render/page"
)

// A LedgerRow is a line of the ledger.
type LedgerRow struct {
	Name, Count string
	Bad         bool
}

// Rows returns the lines of the ledger, and the models of a total without a price.
func (l Ledger) Rows(t stats.Totals, a page.Amounts) []LedgerRow {
	rows := []LedgerRow{
		{Name: "records read in " + plural(l.Files, "file", "files"), Count: a.Count(l.Read)},
		{Name: "drawn", Count: a.Count(l.Drawn)},
	}
	rows = append(rows, rowsOf("drawn without knowing more: ", l.Generic, a)...)
	rows = append(rows, rowsOf("not drawn: ", l.Hidden, a)...)
	for _, k := range slices.Sorted(maps.Keys(l.Redacted)) {
		rows = append(rows, LedgerRow{Name: "redacted: " + oneLine(k, 60), Count: a.Count(l.Redacted[k])})
	}
	if l.LogMissing > 0 {
		rows = append(rows, LedgerRow{Name: "sessions whose log is missing, shown by their agents",
			Count: a.Count(l.LogMissing)})
	}
	rows = append(rows, unpricedRows(t, a)...)
	if l.Lost > 0 {
		rows = append(rows, LedgerRow{Name: "could not be read", Count: a.Count(l.Lost), Bad: true})
	}
	if l.Missed > 0 {
		rows = append(rows, LedgerRow{Name: "missing from the pages, a fault of the viewer", Count: a.Count(l.Missed),
			Bad: true})
	}
	return rows
}

// unpricedRows lists each model whose tokens are not in the cost.
func unpricedRows(t stats.Totals, a page.Amounts) []LedgerRow {
	if t.Cost.Unpriced == 0 {
		return nil
	}
	counts := make(map[string]int)
	for _, m := range t.Models {
		if m.Cost.Unpriced > 0 {
			counts[cmp.Or(oneLine(m.Name, 60), "no model named")] += int(m.Cost.Unpriced)
		}
	}
	return rowsOf("tokens without a known price: ", counts, a)
}

// maxKindRows is the maximum number of kinds in the ledger of a page, because a log may have any number.
const maxKindRows = 100

// rowsOf lists counts by kind.
func rowsOf(what string, counts map[string]int, a page.Amounts) []LedgerRow {
	var rows []LedgerRow
	others := 0
	for i, k := range slices.Sorted(maps.Keys(counts)) {
		if i >= maxKindRows {
			others += counts[k]
			continue
		}
		rows = append(rows, LedgerRow{Name: what + oneLine(k, 100), Count: a.Count(counts[k])})
	}
	if others > 0 {
		rows = append(rows, LedgerRow{Name: what + plural(len(counts)-maxKindRows, "other kind", "other kinds"),
			Count: a.Count(others)})
	}
	return rows
}

// maxVersions is the maximum number of versions in the ledger: a session may go on for months.
const maxVersions = 5

// versionRows returns the versions of the program that wrote the log, nil if it does not say.
func versionRows(c *normalize.Conversation) []LedgerRow {
	all := c.Facts.Versions
	if len(all) == 0 {
		return nil
	}
	var said []string
	for _, v := range all[:min(maxVersions, len(all))] {
		said = append(said, clip(v, 40))
	}
	text := strings.Join(said, ", ")
	if n := len(all) - len(said); n > 0 {
		text += " and " + count(n) + " more"
	}
	name := "version of the program"
	if len(all) > 1 {
		name = "versions of the program"
	}
	return []LedgerRow{{Name: name, Count: text}}
}
