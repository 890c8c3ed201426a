package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf16"
)

// A Row is a row of a table. Columns that it does not have are NULL.
type Row struct {
	table   *Table
	columns []int // of the table, for each requested column
	place   Place
	number  int64
	kinds   []int64 // of the values in the record, see kind
	starts  []int   // offsets of the values in the payload
	size    int     // of the payload in bytes
	payload []byte  // the part that was read so far
	more    uint32  // the page that continues it
	err     error
}

// The kinds of values. From firstBlob on, kinds include the length; even ones are blobs and odd ones texts.
const (
	null      = 0
	float     = 7
	zero      = 8
	one       = 9
	firstBlob = 12
)

var (
	errRecord   = errors.New("a row is damaged")
	errOverflow = errors.New("the end of a row is missing")
)

// Place returns the place of the row, by which Table.Row reads it again.
func (r *Row) Place() Place { return r.place }

// Err returns the error of a value that could not be read since the row began, nil for none.
func (r *Row) Err() error {
	if r.err == nil {
		return nil
	}
	return r.table.failed(r.place.page, r.err)
}

// read reads the row in a cell.
func (r *Row) read(p page, i int) error {
	db := r.table.db
	cell, err := p.cell(i)
	if err != nil {
		return err
	}
	if p.kind == indexInterior {
		if len(cell) < 4 {
			return errCell
		}
		cell = cell[4:]
	}
	size, n := varint(cell)
	if n == 0 || size < 0 || size > db.size {
		return errRecord
	}
	cell = cell[n:]
	r.number = 0
	most := (db.usable-12)*64/255 - 23
	if !p.isIndex() {
		if r.number, n = varint(cell); n == 0 {
			return errRecord
		}
		cell, most = cell[n:], db.usable-35
	}
	r.place, r.size, r.err, r.more = Place{p.number, uint16(i)}, int(size), nil, 0
	local := r.size
	if r.size > most {
		least := (db.usable-12)*32/255 - 23
		if local = least + (r.size-least)%(db.usable-4); local > most {
			local = least
		}
		if len(cell) < local+4 {
			return errCell
		}
		r.more = binary.BigEndian.Uint32(cell[local:])
	}
	if len(cell) < local {
		return errCell
	}
	r.payload = append(r.payload[:0], cell[:local]...)
	return r.header()
}

// header reads the header of the record, which describes its values.
func (r *Row) header() error {
	size, n := varint(r.payload)
	if n == 0 || size < int64(n) || size > int64(r.size) {
		return errRecord
	}
	if err := r.extend(int(size)); err != nil {
		return err
	}
	r.kinds, r.starts = r.kinds[:0], r.starts[:0]
	at := int(size)
	for head := r.payload[n:size]; len(head) > 0; head = head[n:] {
		var kind int64
		if kind, n = varint(head); n == 0 || kind < 0 {
			return errRecord
		}
		r.kinds, r.starts = append(r.kinds, kind), append(r.starts, at)
		long := sizeOf(kind)
		if long > r.size-at { // the sum may be too large for 32 bits
			return errRecord
		}
		at += long
	}
	return nil
}

// sizeOf returns the size of a value in bytes.
func sizeOf(kind int64) int {
	switch {
	case kind >= firstBlob:
		return int(min((kind-firstBlob)/2, math.MaxInt32))
	case kind == 5:
		return 6
	case kind == 6 || kind == float:
		return 8
	case kind < 5:
		return int(kind)
	}
	return 0
}

// extend reads the first to bytes of the payload.
func (r *Row) extend(to int) error {
	if to <= len(r.payload) {
		return nil
	}
	db := r.table.db
	data := make([]byte, db.pageSize)
	for to > len(r.payload) {
		if r.more == 0 {
			return errOverflow
		}
		if err := db.page(r.more, data); err != nil {
			return fmt.Errorf("page %d, where a row continues: %w", r.more, err)
		}
		r.more = binary.BigEndian.Uint32(data)
		r.payload = append(r.payload, data[4:min(db.usable, 4+r.size-len(r.payload))]...)
	}
	return nil
}

// value returns the kind and the bytes of a requested column.
func (r *Row) value(i int) (int64, []byte) {
	at := r.stored(i)
	if at < 0 || r.err != nil {
		return null, nil
	}
	kind := r.kinds[at]
	end := r.starts[at] + sizeOf(kind)
	if r.err = r.extend(end); r.err != nil {
		return null, nil
	}
	return kind, r.payload[r.starts[at]:end]
}

// stored returns the index of a requested column in the record, or -1 if the column was added to the table later.
func (r *Row) stored(i int) int {
	column := r.columns[i]
	if column < 0 || column >= len(r.table.stored) {
		return -1
	}
	if at := r.table.stored[column]; at < len(r.kinds) {
		return at
	}
	return -1
}

func (r *Row) isNumber(i int) bool { return r.columns[i] >= 0 && r.columns[i] == r.table.alias }

// IsNull reports whether a column is NULL.
func (r *Row) IsNull(i int) bool {
	at := r.stored(i)
	return !r.isNumber(i) && (at < 0 || r.kinds[at] == null)
}

// Size returns the size in the file of a text or a blob, in bytes, without reading it.
func (r *Row) Size(i int) int {
	if at := r.stored(i); at >= 0 && r.kinds[at] >= firstBlob {
		return sizeOf(r.kinds[at])
	}
	return 0
}

// Int returns a number, or 0 for any other value.
func (r *Row) Int(i int) int64 {
	if r.isNumber(i) {
		return r.number
	}
	kind, data := r.value(i)
	switch {
	case kind == float:
		f := math.Float64frombits(binary.BigEndian.Uint64(data))
		if !(math.Abs(f) < math.MaxInt64) {
			return 0
		}
		return int64(f)
	case kind == one:
		return 1
	case kind > null && kind < float:
		n := int64(int8(data[0]))
		for _, b := range data[1:] {
			n = n<<8 | int64(b)
		}
		return n
	}
	return 0
}

// Float returns a number, or 0 for any other value.
func (r *Row) Float(i int) float64 {
	if at := r.stored(i); at >= 0 && r.kinds[at] == float {
		if kind, data := r.value(i); kind == float {
			return math.Float64frombits(binary.BigEndian.Uint64(data))
		}
	}
	return float64(r.Int(i))
}

// Text returns a text in UTF-8, a blob unchanged, a number in digits, and "" for NULL.
func (r *Row) Text(i int) string { return string(r.Bytes(i)) }

// Bytes returns the bytes of Text. They are valid until the next row.
func (r *Row) Bytes(i int) []byte {
	if r.isNumber(i) {
		return strconv.AppendInt(nil, r.number, 10)
	}
	kind, data := r.value(i)
	switch {
	case kind < firstBlob && r.IsNull(i):
		return nil
	case kind == float:
		return strconv.AppendFloat(nil, r.Float(i), 'g', -1, 64)
	case kind < firstBlob:
		return strconv.AppendInt(nil, r.Int(i), 10)
	case kind%2 == 1 && r.table.db.encoding > utf8:
		return r.table.db.decode(data)
	}
	return data
}

// decode converts UTF-16 to UTF-8.
func (db *Database) decode(data []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	if db.encoding == utf16BE {
		order = binary.BigEndian
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// varint reads an integer of up to nine bytes, and returns how many it has; 0 if it is incomplete.
func varint(data []byte) (v int64, n int) {
	for i, b := range data[:min(len(data), 9)] {
		if i == 8 {
			return v<<8 | int64(b), 9
		}
		v = v<<7 | int64(b&0x7f)
		if b < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}
