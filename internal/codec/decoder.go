package codec

import (
	"encoding/binary"
	"time"
)

// A Decoder decodes values in order. At the end of the data it returns zero values and sets Short. Texts share the
// memory of the data.
type Decoder struct {
	Rest  string // not yet read
	Short bool   // the data ended within a value
}

func (d *Decoder) next(n int64) string {
	if n < 0 || n > int64(len(d.Rest)) {
		d.Short, d.Rest = true, ""
		return ""
	}
	taken := d.Rest[:n]
	d.Rest = d.Rest[n:]
	return taken
}

// Int reads a varint.
func (d *Decoder) Int() int64 {
	var n uint64
	for i := range len(d.Rest) {
		c := d.Rest[i]
		if i < binary.MaxVarintLen64 {
			n |= uint64(c&0x7f) << (7 * i)
		}
		if c < 0x80 {
			d.Rest = d.Rest[i+1:]
			return int64(n>>1) ^ -int64(n&1)
		}
	}
	d.Short, d.Rest = true, ""
	return 0
}

// Ints decodes numbers into the given variables.
func (d *Decoder) Ints(to ...*int) {
	for _, n := range to {
		*n = int(d.Int())
	}
}

// Count decodes the number of values that follow. Each takes at least a byte.
func (d *Decoder) Count() int {
	n := d.Int()
	if n < 0 || n > int64(len(d.Rest)) {
		d.Short, d.Rest = true, ""
		return 0
	}
	return int(n)
}

// Text reads one text.
func (d *Decoder) Text() string { return d.next(d.Int()) }

// Texts decodes a list of texts, nil for an empty one.
func (d *Decoder) Texts() []string {
	n := d.Count()
	if n == 0 {
		return nil
	}
	all := make([]string, n)
	for i := range all {
		all[i] = d.Text()
	}
	return all
}

// Bool decodes a boolean.
func (d *Decoder) Bool() bool { return d.Int() != 0 }

// Digest reads a digest.
func (d *Decoder) Digest() (digest [16]byte) {
	copy(digest[:], d.next(int64(len(digest))))
	return digest
}

// Time reads a time, in UTC.
func (d *Decoder) Time() time.Time {
	if !d.Bool() {
		return time.Time{}
	}
	return time.Unix(d.Int(), d.Int()).UTC()
}

// AddCounts decodes a map and adds its counts to those of another.
func (d *Decoder) AddCounts(to map[string]int) {
	for range d.Count() {
		name := d.Text() // must be decoded before its count
		to[name] += int(d.Int())
	}
}
