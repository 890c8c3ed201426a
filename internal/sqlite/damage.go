package sqlite

import (
	"fmt"
	"iter"
	"strings"
)

// Damage collects the errors of reading a database. It keeps the first ones and counts the others, since a database may
// have one for each row.
type Damage struct {
	first []error
	more  int
}

// maxKept is the number of errors that are kept.
const maxKept = 3

// Add adds an error, or all of another Damage. It ignores nil.
func (d *Damage) Add(err error) {
	switch other, ok := err.(*Damage); {
	case ok:
		for _, err := range other.first {
			d.Add(err)
		}
		d.more += other.more
	case err == nil:
	case len(d.first) < maxKept:
		d.first = append(d.first, err)
	default:
		d.more++
	}
}

// Rows yields the rows of a table as Table.Rows does, none if there is no table. It adds what cannot be read: rows, and
// values that the caller asked for, for which Row.Err tells that the row is not complete.
func (d *Damage) Rows(t *Table, columns ...string) iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		if t == nil {
			return
		}
		for row, err := range t.Rows(columns...) {
			d.Add(err)
			if err != nil {
				continue
			}
			more := yield(row)
			d.Add(row.Err())
			if !more {
				return
			}
		}
	}
}

// Err returns the damage as an error, or nil if there is none.
func (d *Damage) Err() error {
	if len(d.first) == 0 {
		return nil
	}
	return d
}

// Error returns the first errors on one line.
func (d *Damage) Error() string {
	told := make([]string, len(d.first))
	for i, err := range d.first {
		told[i] = err.Error()
	}
	text := strings.Join(told, "; ")
	if d.more > 0 {
		text += fmt.Sprintf("; %d more", d.more)
	}
	return text
}

// Unwrap returns the first errors.
func (d *Damage) Unwrap() []error { return d.first }
