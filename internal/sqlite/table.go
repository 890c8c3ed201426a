package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// A Table is a table of a database.
type Table struct {
	Name    string
	Columns []string // their names

	db     *Database
	root   uint32
	stored []int // index of each column in a record, -1 for a computed one
	alias  int   // the column that is the row number, -1 for none
	keyed  bool  // it has no row numbers: WITHOUT ROWID
}

// A Place is the place of a row in a database.
type Place struct {
	page uint32
	cell uint16
}

// Has reports whether the table has a column.
func (t *Table) Has(column string) bool { return t.column(column) >= 0 }

func (t *Table) column(name string) int {
	return slices.IndexFunc(t.Columns, func(c string) bool { return strings.EqualFold(c, name) })
}

// The kinds of pages.
const (
	indexInterior = 2
	tableInterior = 5
	indexLeaf     = 10
	tableLeaf     = 13
)

// deepest limits the depth of the tree of pages. It is more than any database has.
const deepest = 40

// maxErrors limits how many errors of one table are yielded.
const maxErrors = 100

// Rows yields the rows in the order of their numbers or keys, with the given columns or all. A column that the table
// does not have is NULL. A row is valid until the next one. After an error, further rows may follow.
func (t *Table) Rows(columns ...string) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		w := walk{Table: t, row: t.newRow(columns), seen: make(map[uint32]bool), yield: yield}
		w.below(t.root, 0)
	}
}

// Row reads a row again, at a place that Row.Place returned.
func (t *Table) Row(at Place, columns ...string) (*Row, error) {
	page := make([]byte, t.db.pageSize)
	if err := t.db.page(at.page, page); err != nil {
		return nil, t.failed(at.page, err)
	}
	p, err := t.db.parse(at.page, page)
	if err == nil && int(at.cell) >= p.cells {
		err = errCell
	}
	row := t.newRow(columns)
	if err == nil {
		err = row.read(p, int(at.cell))
	}
	if err != nil {
		return nil, t.failed(at.page, err)
	}
	return row, nil
}

func (t *Table) newRow(columns []string) *Row {
	if len(columns) == 0 {
		columns = t.Columns
	}
	r := &Row{table: t, columns: make([]int, len(columns))}
	for i, name := range columns {
		r.columns[i] = t.column(name)
	}
	return r
}

func (t *Table) failed(page uint32, err error) error {
	return fmt.Errorf("table %s, page %d: %w", t.Name, page, err)
}

// A walk visits the pages of a table.
type walk struct {
	*Table
	row    *Row
	seen   map[uint32]bool
	failed int
	yield  func(*Row, error) bool
}

var (
	errCircle = errors.New("the pages form a cycle")
	errKind   = errors.New("not a page of a table")
	errCell   = errors.New("a row is outside of its page")
)

// below visits a page and those below it. It returns false if no more rows are wanted.
func (w *walk) below(number uint32, depth int) bool {
	if w.seen[number] || depth > deepest {
		return w.report(number, errCircle)
	}
	w.seen[number] = true
	data := make([]byte, w.db.pageSize)
	if err := w.db.page(number, data); err != nil {
		return w.report(number, err)
	}
	p, err := w.db.parse(number, data)
	if err == nil && p.isIndex() != w.keyed {
		err = errKind
	}
	if err != nil {
		return w.report(number, err)
	}
	for i := range p.cells {
		if p.isInterior() {
			child, err := p.child(i)
			if err != nil {
				if !w.report(number, err) {
					return false
				}
				continue
			}
			if !w.below(child, depth+1) {
				return false
			}
			if !p.isIndex() {
				continue // only leaves have rows
			}
		}
		if err := w.row.read(p, i); err != nil {
			if !w.report(number, err) {
				return false
			}
			continue
		}
		if !w.yield(w.row, nil) {
			return false
		}
	}
	return !p.isInterior() || w.below(p.last, depth+1)
}

// report yields an error.
func (w *walk) report(page uint32, err error) bool {
	w.failed++
	return w.yield(nil, w.Table.failed(page, err)) && w.failed < maxErrors
}

// A page is a page in memory.
type page struct {
	number uint32
	data   []byte
	kind   byte
	start  int // offset of the list of cells
	cells  int
	last   uint32 // the last page below this one
}

func (db *Database) parse(number uint32, data []byte) (page, error) {
	p := page{number: number, data: data[:db.usable]}
	head := 0
	if number == 1 {
		head = headerSize
	}
	p.kind, p.start = data[head], head+8
	p.cells = int(binary.BigEndian.Uint16(data[head+3:]))
	switch p.kind {
	case indexInterior, tableInterior:
		p.last = binary.BigEndian.Uint32(data[head+8:])
		p.start += 4
	case indexLeaf, tableLeaf:
	default:
		return p, errKind
	}
	if p.start+2*p.cells > len(p.data) {
		return p, errCell
	}
	return p, nil
}

func (p page) isInterior() bool { return p.kind == indexInterior || p.kind == tableInterior }
func (p page) isIndex() bool    { return p.kind == indexInterior || p.kind == indexLeaf }

// cell returns the data from the beginning of a cell on.
func (p page) cell(i int) ([]byte, error) {
	at := int(binary.BigEndian.Uint16(p.data[p.start+2*i:]))
	if at < p.start+2*p.cells || at >= len(p.data) {
		return nil, errCell
	}
	return p.data[at:], nil
}

// child returns the page below this one that comes before a cell.
func (p page) child(i int) (uint32, error) {
	cell, err := p.cell(i)
	if err != nil || len(cell) < 4 {
		return 0, errCell
	}
	return binary.BigEndian.Uint32(cell), nil
}
