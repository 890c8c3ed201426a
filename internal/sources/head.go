package sources

import (
	"bytes"
	"io"
	"iter"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// HeadSize is how many bytes of a file are read to recognize its writer. If no line ends in them, the first line is
// read up to longestHead: members that tell the writer may follow long instructions.
const (
	HeadSize    = 4 << 10
	longestHead = 64 << 10
)

// A Head is the beginning of a file. All sources are asked whether they recognize it, so its members are read once.
type Head struct {
	Data    []byte // HeadSize bytes, or the first line
	members []headMember
}

type headMember struct {
	name  string
	value jsontext.Value
}

// NewHead returns the beginning of a file. data may be longer.
func NewHead(data []byte) Head {
	h := Head{Data: headOf(data)}
	for name, value := range HeadMembers(h.Data) {
		h.members = append(h.members, headMember{name, value})
	}
	return h
}

// ReadHead returns as much of the beginning of a file as NewHead needs.
func ReadHead(r io.Reader) []byte {
	head := make([]byte, HeadSize)
	n, _ := io.ReadFull(r, head) // a shorter file is no error
	head = head[:n]
	if n == HeadSize && !hasLine(head) {
		rest, _ := io.ReadAll(io.LimitReader(r, longestHead-HeadSize))
		head = append(head, rest...)
	}
	return head
}

func headOf(data []byte) []byte {
	head := data[:min(len(data), HeadSize)]
	if hasLine(head) {
		return head
	}
	line, _, _ := bytes.Cut(data[:min(len(data), longestHead)], []byte("\n"))
	return line
}

// IsWholeHead reports whether data, the beginning of a file, has all that NewHead needs, however long the file gets.
func IsWholeHead(data []byte) bool {
	return len(data) >= longestHead || len(data) >= HeadSize && hasLine(data[:HeadSize])
}

func hasLine(head []byte) bool { return bytes.IndexByte(head, '\n') >= 0 }

// Trimmed returns the data without the white space that it begins with.
func (h Head) Trimmed() []byte { return trimmed(h.Data) }

// Contains reports whether the data contains a text.
func (h Head) Contains(text string) bool { return bytes.Contains(h.Data, []byte(text)) }

// trimmed leaves out white space and a byte order mark at the beginning of a file.
func trimmed(data []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(data, bom), " \t\r\n")
}

// Members yields the members of the first object, as HeadMembers does.
func (h Head) Members() iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		for _, m := range h.members {
			if !yield(m.name, m.value) {
				return
			}
		}
	}
}

// Has reports whether the first object has a member with one of these names.
func (h Head) Has(names ...string) bool {
	return slices.ContainsFunc(h.members, func(m headMember) bool { return slices.Contains(names, m.name) })
}

// First returns the name of the first member of the first object, or "".
func (h Head) First() string {
	if len(h.members) == 0 {
		return ""
	}
	return h.members[0].name
}

// Value returns the value of a member of the first object, nil if there is none or if it is cut off.
func (h Head) Value(name string) jsontext.Value {
	for _, m := range h.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}
