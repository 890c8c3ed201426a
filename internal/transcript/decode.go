package transcript

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// A decoder fills one record from one JSON object while its parser reads it. A field with a wrong type is reported and
// left empty; the record is kept. If the parser failed, the record must not be used.
type decoder struct {
	p        parser
	pos      Pos // of the record
	interned *interner
	inside   bool // in a wrapper: wrappers inside are not opened

	synthetic bool           // isSynthetic of the record: in an SDK stream, nobody typed it
	failed    bool           // the record has the kind of an error
	command   jsontext.Value // what a command printed, with its tags
	quota
}

func (d *decoder) complain(field, format string, args ...any) {
	d.note(Problem{Pos: d.pos, Text: field + ": " + fmt.Sprintf(format, args...)})
}

// longestName is the maximum length of a name or an id, in bytes, because lists and facts of sessions contain them.
// Real ones have a few hundred at most.
const longestName = 16 << 10

// str, long, flag and number read a value of the expected type. null always means absent. str is for names, ids and
// other strings that are not prose.
func (d *decoder) str(to *string, field string) {
	d.long(to, field)
	if len(*to) > longestName {
		d.cut(to, field)
	}
}

func (d *decoder) cut(to *string, field string) {
	d.complain(field, "%d bytes are kept of %d", longestName, len(*to))
	*to = strings.ToValidUTF8((*to)[:longestName], "") + "…"
}

func (d *decoder) long(to *string, field string) {
	switch d.p.kind() {
	case '"':
		*to = d.text()
	case 'n':
		d.p.skip()
	default:
		d.complain(field, "want a string, got %s", kindName(d.p.value()))
	}
}

// text reads the string at the parser's position.
func (d *decoder) text() string {
	start := d.p.pos
	d.p.text()
	switch v := d.p.data[start:d.p.pos]; {
	case d.p.failed:
		return ""
	case d.p.odd:
		return unquote(v)
	default:
		return d.interned.of(v[1 : len(v)-1])
	}
}

func (d *decoder) flag(to *bool, field string) {
	switch d.p.kind() {
	case 't':
		*to = true
		d.p.skip()
	case 'f', 'n':
		d.p.skip()
	default:
		d.complain(field, "want true or false, got %s", kindName(d.p.value()))
	}
}

// number reads a count.
func (d *decoder) number(to *int64, field string) {
	if f, ok := d.amount(1e15, field); ok {
		*to = int64(f)
	}
}

// amount reads a number from 0 to most. It returns false for any other value, which is reported unless it is null.
func (d *decoder) amount(most float64, field string) (f float64, ok bool) {
	switch d.p.kind() {
	case '0':
		f, err := strconv.ParseFloat(string(d.p.value()), 64)
		if err == nil && 0 <= f && f <= most {
			return f, true
		}
		d.complain(field, "number out of range")
	case 'n':
		d.p.skip()
	default:
		d.complain(field, "want a number, got %s", kindName(d.p.value()))
	}
	return 0, false
}

func (d *decoder) time(to *time.Time, field string) {
	var s string
	d.str(&s, field)
	if s == "" {
		return
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		d.complain(field, "cannot read the time %.40q", s)
		return
	}
	*to = t.UTC()
}

// object reports whether the next value is an object, and enters it. Any other value is skipped, and reported unless it
// is null.
func (d *decoder) object(field string) bool {
	switch d.p.kind() {
	case '{':
		d.p.open()
		return true
	case 'n':
		d.p.skip()
	default:
		d.complain(field, "want an object, got %s", kindName(d.p.value()))
	}
	return false
}

// member returns the name of the next member of the current object. The value follows.
func (d *decoder) member(first bool) (name []byte, ok bool) {
	if !d.p.next('}', first) {
		return nil, false
	}
	name = d.p.name()
	return name, !d.p.failed
}

func kindName(v jsontext.Value) string {
	switch Kind(v) {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "nothing"
}
