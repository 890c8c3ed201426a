package normalize

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"viewer/transcript"
)

// deriveUUID names part i of a split record: the first 24 characters of the
// parent and i as 12 hex digits (reference 002, section 8.12). An id that is
// no UUID gets the part appended instead.
func deriveUUID(parent string, i int) string {
	if uuid.Validate(parent) != nil || len(parent) != 36 {
		return fmt.Sprintf("%s-%d", parent, i)
	}
	return fmt.Sprintf("%s%012x", parent[:24], i)
}

// shortLength is how much of the base 36 form deriveShortMessageId keeps.
const shortLength = 6

// deriveShortMessageId is the first 10 hex digits of the id in base 36, cut
// after 6 characters (reference 002, section 8.12). An id that does not begin
// with 10 hex digits is hashed first.
func deriveShortMessageId(id string) string {
	long := longID(id)
	return long[:min(shortLength, len(long))]
}

// longID is what deriveShortMessageId cuts. Clashes take more of it.
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

// anchors hands out the anchors of one conversation in file order, so that an
// append never changes one that was given.
//
// An anchor is the short id of the record, and ".i" for part i > 0: all parts
// of a record share the short id. On a clash the next longer form is taken. A
// record without uuid is named by its line.
type anchors struct {
	prefix string // of an agent: its records live in a file of their own
	owner  map[string]*transcript.Record
}

func newAnchors(prefix string) *anchors {
	return &anchors{prefix: prefix, owner: make(map[string]*transcript.Record)}
}

func (a *anchors) of(r *transcript.Record, part int) string {
	base := a.base(r)
	if part > 0 {
		return fmt.Sprintf("%s%s.%d", a.prefix, base, part)
	}
	return a.prefix + base
}

func (a *anchors) base(r *transcript.Record) string {
	if r.UUID == "" {
		return fmt.Sprintf("line-%d-%x", r.Pos.Line, r.Pos.Offset)
	}
	long := longID(r.UUID)
	for n := min(shortLength, len(long)); n <= len(long); n++ {
		if a.claim(long[:n], r) {
			return long[:n]
		}
	}
	for i := 2; ; i++ { // the same first ten digits: hand-made ids
		if name := fmt.Sprintf("%s-%d", long, i); a.claim(name, r) {
			return name
		}
	}
}

func (a *anchors) claim(name string, r *transcript.Record) bool {
	if owner, taken := a.owner[name]; taken && owner != r {
		return false
	}
	a.owner[name] = r
	return true
}
