package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Magic begins each database.
const Magic = "SQLite format 3\x00"

const headerSize = 100 // bytes of the first page

// A Database is an open database. It is safe for concurrent use.
type Database struct {
	data     io.ReaderAt
	size     int64 // bytes
	pageSize int
	usable   int // bytes of a page without the reserved ones
	encoding uint32
	tables   []*Table
}

// The encodings of texts.
const (
	utf8    = 1
	utf16LE = 2
	utf16BE = 3
)

// Open reads the schema of a database. It returns nil without an error if data is something else. With an error, there
// is no database or some of its tables may be missing.
func Open(data io.ReaderAt, size int64) (*Database, error) {
	head := make([]byte, headerSize)
	if n, _ := data.ReadAt(head, 0); n < len(head) || !bytes.HasPrefix(head, []byte(Magic)) {
		return nil, nil
	}
	db := &Database{data: data, size: size, pageSize: int(binary.BigEndian.Uint16(head[16:]))}
	if db.pageSize == 1 {
		db.pageSize = 1 << 16
	}
	if db.pageSize < 512 || db.pageSize&(db.pageSize-1) != 0 {
		return nil, fmt.Errorf("a database with pages of %d bytes", db.pageSize)
	}
	if db.usable = db.pageSize - int(head[20]); db.usable < 480 {
		return nil, fmt.Errorf("a database whose pages have room for %d bytes", db.usable)
	}
	if db.encoding = binary.BigEndian.Uint32(head[56:]); db.encoding > utf16BE {
		return nil, fmt.Errorf("a database with texts of encoding %d", db.encoding)
	}
	schema := &Table{
		Name: "sqlite_schema", Columns: []string{"type", "name", "tbl_name", "rootpage", "sql"},
		db: db, root: 1, stored: []int{0, 1, 2, 3, 4}, alias: -1,
	}
	var damage Damage
	for row := range damage.Rows(schema) {
		if row.Text(0) != "table" {
			continue
		}
		t := &Table{Name: row.Text(1), db: db, root: uint32(row.Int(3))}
		if row.Err() != nil {
			continue
		}
		t.define(row.Text(4))
		db.tables = append(db.tables, t)
	}
	return db, damage.Err()
}

// Table returns the table with a name, ignoring case, or nil.
func (db *Database) Table(name string) *Table {
	for _, t := range db.tables {
		if strings.EqualFold(t.Name, name) {
			return t
		}
	}
	return nil
}

// Has reports whether all of these tables exist.
func (db *Database) Has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return db.Table(name) == nil })
}

var errNoPage = errors.New("it is not in the file")

// page reads a page. Pages are counted from 1.
func (db *Database) page(number uint32, into []byte) error {
	at := int64(number-1) * int64(db.pageSize)
	if number == 0 || at+int64(db.pageSize) > db.size {
		return errNoPage
	}
	n, err := db.data.ReadAt(into[:db.pageSize], at)
	if n == db.pageSize {
		return nil
	}
	return err
}
