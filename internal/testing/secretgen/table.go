package secretgen

import (
	"fmt"
	"strings"
)

// A Row counts the samples of a class, and those with a missed secret.
type Row struct {
	Class                Class
	Kinds, Samples, Left int
	By                   map[string]*Count // by kind and by context
}

// A Count counts the samples of a kind or of a context.
type Count struct{ Samples, Left int }

// Rate returns the percentage of samples with a missed secret.
func (r Row) Rate() float64 { return 100 * float64(r.Left) / float64(max(1, r.Samples)) }

// Measure redacts the samples of all classes for some seeds. redact gets the records of a session and returns the
// redacted ones. missed, unless nil, gets each sample with a missed secret.
func Measure(seeds []uint64, redact func(records []string) []string, missed func(Class, Sample, []string)) []Row {
	var rows []Row
	for _, c := range Classes() {
		row := Row{Class: c, Kinds: c.Kinds(), By: map[string]*Count{}}
		for _, seed := range seeds {
			for _, s := range c.Samples(seed) {
				out := redact(s.Records)
				left := s.Left(out)
				row.Samples++
				if left {
					row.Left++
					if missed != nil {
						missed(c, s, out)
					}
				}
				for _, by := range []string{"kind: " + s.Kind, "context: " + s.Context} {
					if row.By[by] == nil {
						row.By[by] = &Count{}
					}
					row.By[by].Samples++
					if left {
						row.By[by].Left++
					}
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Table returns the table in SECURITY.md, promised classes first.
func Table(rows []Row) string {
	var b strings.Builder
	b.WriteString("| class | kinds | samples | missed |\n|---|--:|--:|--:|\n")
	for _, promised := range []bool{true, false} {
		for _, r := range rows {
			if r.Class.Promised == promised {
				name := r.Class.Name
				if !promised {
					name = "not promised: " + name
				}
				fmt.Fprintf(&b, "| %s | %d | %d | %.1f %% |\n", name, r.Kinds, r.Samples, r.Rate())
			}
		}
	}
	return b.String()
}
