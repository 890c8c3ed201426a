package normalize

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"viewer/internal/transcript"
)

// deriveUUID returns the id of part i of a split record: the first 24 characters of the parent and i as 12 hex digits.
// An id that is not a UUID gets the part appended instead.
func deriveUUID(parent string, i int) string {
	if uuid.Validate(parent) != nil || len(parent) != 36 {
		return fmt.Sprintf("%s-%d", parent, i)
	}
	return fmt.Sprintf("%s%012x", parent[:24], i)
}

// shortLength is how many characters of the base 36 form deriveShortMessageId keeps.
const shortLength = 6

// deriveShortMessageId returns the first 10 hex digits of the id in base 36, cut after 6 characters. An id that does
// not begin with 10 hex digits is hashed first.
func deriveShortMessageId(id string) string {
	long := longID(id)
	return long[:min(shortLength, len(long))]
}

// longID returns the form that deriveShortMessageId cuts. If ids clash, more of it is used.
func longID(id string) string {
	hex := strings.ReplaceAll(id, "-", "")
	var n uint64
	err := strconv.ErrSyntax
	if len(hex) >= 10 {
		n, err = strconv.ParseUint(hex[:10], 16, 64)
	}
	if err != nil {
		h := fnv.New64a()
		h.Write([]byte(id))
		n = h.Sum64()
	}
	return strconv.FormatUint(n, 36)
}

// anchors assigns the anchors of one conversation in file order, so that an append never changes an earlier one.
//
// An anchor is the short id of the record, and ".i" for part i > 0: all parts of a record share the short id. If ids
// clash, the next longer form is used. The anchor of a record without uuid is made of its line.
type anchors struct {
	prefix string // of an agent, whose records are in a separate file
	taken  map[string]bool
	clash  map[string]int // how many ids share all of their first ten digits, as ids written by hand do

	last *transcript.Record // the record that was named last, for its other parts
	name string

	place   transcript.Pos // of the last record without an id
	atPlace int            // how many there are: some writers have several in one value
}

func newAnchors(prefix string, many int) *anchors {
	return &anchors{prefix: prefix, taken: make(map[string]bool, many), clash: make(map[string]int)}
}

func (a *anchors) of(r *transcript.Record, part int) string {
	if a.last != r {
		a.last, a.name = r, a.prefix+a.free(r)
	}
	if part > 0 {
		return fmt.Sprintf("%s.%d", a.name, part)
	}
	return a.name
}

// free returns the shortest anchor of a record that no other has.
func (a *anchors) free(r *transcript.Record) string {
	if r.UUID == "" {
		if r.Pos != a.place {
			a.place, a.atPlace = r.Pos, 0
		}
		name := fmt.Sprintf("line-%d-%x", r.Pos.Line, r.Pos.Offset)
		if a.atPlace++; a.atPlace > 1 {
			name = fmt.Sprintf("%s-%d", name, a.atPlace)
		}
		return name
	}
	long := longID(r.UUID)
	name := long
	for n := min(shortLength, len(long)); n <= len(long); n++ {
		if name = long[:n]; !a.taken[name] {
			break
		}
	}
	for a.taken[name] {
		a.clash[long]++
		name = fmt.Sprintf("%s-%d", long, a.clash[long]+1)
	}
	a.taken[name] = true
	return name
}
