package transcript

import (
	"bytes"
	"iter"
	"slices"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/jsonstring"
)

// Members yields the names and values of a JSON object in file order, without decoding the values. The value must be
// valid JSON, as every Raw here is. Anything but an object has no members. Values share memory with v.
//
// Because the syntax was already checked, walking only has to find where values end. That is six times as fast as
// reading tokens.
func Members(v jsontext.Value) iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		walkMembers(v, func(name, value jsontext.Value) bool { return yield(unquote(name), value) })
	}
}

// QuotedMembers is Members with quoted names. It allocates no strings, for callers that compare names only.
func QuotedMembers(v jsontext.Value) iter.Seq2[jsontext.Value, jsontext.Value] {
	return func(yield func(jsontext.Value, jsontext.Value) bool) { walkMembers(v, yield) }
}

// MembersAt calls member for each member of the object at an index of v, and returns the index after the object. Its
// arguments are the quoted name and where the value begins. It returns the index after the value, which SkipValue finds
// if nothing else does: so a value that is read at once is not skipped before.
func MembersAt(v jsontext.Value, i int, member func(name jsontext.Value, at int) (end int)) (end int) {
	i = skipSpace(v, i)
	if i >= len(v) || v[i] != '{' {
		return SkipValue(v, i)
	}
	for i = skipSpace(v, i+1); i < len(v) && v[i] == '"'; {
		end := skipString(v, i)
		name := v[i:end]
		i = skipSpace(v, end)
		if i >= len(v) || v[i] != ':' {
			return len(v) // not JSON
		}
		i = skipSpace(v, member(name, skipSpace(v, i+1)))
		if i < len(v) && v[i] == ',' {
			i = skipSpace(v, i+1)
		}
	}
	return min(i+1, len(v))
}

func walkMembers(v jsontext.Value, yield func(name, value jsontext.Value) bool) {
	if Kind(v) != '{' {
		return
	}
	MembersAt(v, 0, func(name jsontext.Value, at int) (end int) {
		end = SkipValue(v, at)
		if !yield(name, v[at:end]) {
			return len(v) // stops
		}
		return end
	})
}

// WithoutLong returns an object in which long strings of members with these names are empty. It returns the object
// itself if there are none.
func WithoutLong(v jsontext.Value, names ...string) jsontext.Value {
	const long = 1024 // bytes; skipping a shorter string does not pay for the copy
	if len(v) < long {
		return v
	}
	var b jsontext.Value
	from, at := 0, 0
	walkMembers(v, func(name, value jsontext.Value) bool {
		at = cap(v) - cap(value) // its offset
		if len(value) >= long && value[0] == '"' && slices.Contains(names, string(name[1:len(name)-1])) {
			b = append(append(b, v[from:at]...), `""`...)
			from = at + len(value)
		}
		return true
	})
	if b == nil {
		return v
	}
	return append(b, v[from:]...)
}

// Elements yields the elements of a JSON array in order. Anything but an array has none. See Members.
func Elements(v jsontext.Value) iter.Seq[jsontext.Value] {
	return ElementsBy(v, func(at int) (end int) { return SkipValue(v, at) })
}

// ElementsBy is Elements with a function that returns the index after the element at an index of v. See MembersAt.
func ElementsBy(v jsontext.Value, endOf func(at int) (end int)) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		i := skipSpace(v, 0)
		if i >= len(v) || v[i] != '[' {
			return
		}
		for i = skipSpace(v, i+1); i < len(v) && v[i] != ']'; {
			end := endOf(i)
			if end == i || !yield(v[i:end]) {
				return
			}
			i = skipSpace(v, end)
			if i < len(v) && v[i] == ',' {
				i = skipSpace(v, i+1)
			}
		}
	}
}

// Tokens yields the tokens of a value at any depth: the kind of each token ('{', '}', '[', ']', ':' for the name of a
// member, '"' for a string, otherwise as Kind returns) and the token, which shares memory with v. It reads a value in
// one pass. Calling Members and Elements at each level would read the innermost values once for each level.
func Tokens(v jsontext.Value) iter.Seq2[byte, jsontext.Value] {
	return func(yield func(byte, jsontext.Value) bool) {
		for i := 0; i < len(v); {
			kind, end := v[i], i+1
			switch kind {
			case ' ', '\n', '\t', '\r', ',', ':':
				i++
				continue
			case '{', '}', '[', ']':
			case '"':
				end = skipString(v, i)
				if next := skipSpace(v, end); next < len(v) && v[next] == ':' {
					kind = ':'
				}
			default:
				if end = SkipValue(v, i); end == i {
					return // not JSON
				}
				kind = Kind(v[i:end])
			}
			if !yield(kind, v[i:end]) {
				return
			}
			i = end
		}
	}
}

// A Skip leaves values out of Tokens. Begin is called at the name of a member, and Holds returns true until the value
// of that member has ended.
type Skip struct {
	on    bool
	depth int // of open brackets in the value
}

// Begin leaves out the next value.
func (s *Skip) Begin() { s.on = true }

// Holds reports whether a token of this kind is left out. It must be called for each token.
func (s *Skip) Holds(kind byte) bool {
	if !s.on {
		return false
	}
	switch kind {
	case '{', '[':
		s.depth++
	case '}', ']':
		s.depth--
	}
	s.on = s.depth > 0
	return true
}

// Field returns the value of one member of an object, or nil. If several have that name, the first counts.
func Field(v jsontext.Value, name string) jsontext.Value {
	var found jsontext.Value
	walkMembers(v, func(n, value jsontext.Value) bool {
		if IsNamed(n, name) {
			found = value
			return false
		}
		return true
	})
	return found
}

// Or returns the first of some values that is not nil, or nil, as [cmp.Or] does for what can be compared.
func Or(values ...jsontext.Value) jsontext.Value {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

// IsNamed reports whether a quoted name, as QuotedMembers yields it, is that name.
func IsNamed(quoted jsontext.Value, name string) bool {
	return len(quoted) == len(name)+2 && string(quoted[1:len(quoted)-1]) == name ||
		bytes.IndexByte(quoted, '\\') >= 0 && unquote(quoted) == name
}

// String returns the decoded text of a JSON string, "" for any other value. Invalid UTF-8 and lone surrogates become
// U+FFFD.
func String(v jsontext.Value) string {
	if Kind(v) != '"' {
		return ""
	}
	return unquote(v)
}

// TextOf returns the text of a JSON string, "" for null and nothing, and the JSON itself for anything else. It is for
// values that usually are strings.
func TextOf(v jsontext.Value) string {
	switch Kind(v) {
	case 0, 'n':
		return ""
	case '"':
		return unquote(v)
	}
	return string(v)
}

// Amount returns a number that is not negative, such as a count, a price or a time, and 0 for any other value and for
// numbers that are too large to be one.
func Amount(v jsontext.Value) float64 {
	f, err := strconv.ParseFloat(string(bytes.TrimSpace(v)), 64)
	if err != nil || !(f > 0) || f > 1e15 {
		return 0
	}
	return f
}

// Kind returns the first byte of a JSON value ('{', '[', '"', 't', 'f', 'n', '0' for any number), or 0.
func Kind(v jsontext.Value) byte {
	i := skipSpace(v, 0)
	if i >= len(v) {
		return 0
	}
	if c := v[i]; c == '-' || '0' <= c && c <= '9' {
		return '0'
	}
	return v[i]
}

func unquote(v jsontext.Value) string {
	if v = bytes.TrimSpace(v); len(v) < 2 {
		return ""
	}
	text := v[1 : len(v)-1]
	if !utf8.Valid(text) {
		// An error only means that something was replaced by U+FFFD.
		b, _ := jsontext.AppendUnquote(nil, v)
		return string(b)
	}
	if bytes.IndexByte(text, '\\') < 0 {
		return string(text)
	}
	b := jsonstring.Append(nil, text)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// AppendString appends the text of a JSON string, and nothing for any other value.
func AppendString(b []byte, v jsontext.Value) []byte {
	if Kind(v) != '"' {
		return b
	}
	if v = bytes.TrimSpace(v); len(v) < 2 {
		return b
	}
	text := v[1 : len(v)-1]
	if !utf8.Valid(text) {
		b, _ = jsontext.AppendUnquote(b, v) // see unquote
		return b
	}
	return jsonstring.Append(b, text)
}

func skipSpace(v []byte, i int) int {
	for i < len(v) && (v[i] == ' ' || v[i] == '\n' || v[i] == '\t' || v[i] == '\r') {
		i++
	}
	return i
}

// SkipValue returns the index after the value that starts at an index of v.
func SkipValue(v []byte, i int) int {
	if i >= len(v) {
		return i
	}
	switch v[i] {
	case '"':
		return skipString(v, i)
	case '{', '[':
		depth := 0
		for i < len(v) {
			switch v[i] {
			case '"':
				i = skipString(v, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
		return i
	}
	for i < len(v) && v[i] != ',' && v[i] != '}' && v[i] != ']' && v[i] != ' ' && v[i] != '\n' &&
		v[i] != '\t' && v[i] != '\r' {
		i++
	}
	return i
}

func skipString(v []byte, i int) int {
	for i++; i < len(v); {
		q := bytes.IndexByte(v[i:], '"')
		if q < 0 {
			return len(v)
		}
		// The quote ends the string unless an odd number of backslashes comes before it.
		n := 0
		for j := i + q - 1; j >= i && v[j] == '\\'; j-- {
			n++
		}
		i += q + 1
		if n%2 == 0 {
			return i
		}
	}
	return i
}

// Crowded reports whether a value has more than about most members and elements, at any depth. The value must be valid
// JSON.
func Crowded(v jsontext.Value, most int) bool {
	if len(v) < 2*most {
		return false
	}
	for i := 0; i < len(v); {
		switch v[i] {
		case '"':
			i = skipString(v, i)
			continue
		case ',':
			if most--; most < 0 {
				return true
			}
		}
		i++
	}
	return false
}
