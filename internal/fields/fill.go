package fields

import (
	"errors"
	"reflect"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// errUnusual means that only json.Unmarshal can decode a value, or tell what is wrong with it.
var errUnusual = errors.New("unusual value")

// fill stores valid JSON in a zero value like json.Unmarshal with options, in a third of the time because it does not
// check the syntax. It knows structs, slices, pointers, and all that implements json.Unmarshaler. If it fails, the
// value is undefined, and json.Unmarshal must be used.
func fill(v jsontext.Value, to reflect.Value) error {
	if u, ok := to.Addr().Interface().(json.Unmarshaler); ok {
		return u.UnmarshalJSON(v)
	}
	kind := transcript.Kind(v)
	switch k := to.Kind(); {
	case k != reflect.Pointer && k != reflect.Struct && k != reflect.Slice:
	case kind == 'n':
		to.SetZero()
		return nil
	case k == reflect.Pointer:
		if to.IsNil() {
			to.Set(reflect.New(to.Type().Elem()))
		}
		return fill(v, to.Elem())
	case k == reflect.Struct && kind == '{':
		return layoutOf(to.Type()).fill(v, to)
	case k == reflect.Slice && kind == '[':
		to.Set(reflect.MakeSlice(to.Type(), 0, 4))
		for e := range transcript.Elements(v) {
			n := to.Len()
			to.Grow(1)
			to.SetLen(n + 1)
			if err := fill(e, to.Index(n)); err != nil {
				return err
			}
		}
		return nil
	}
	return errUnusual
}

// A layout has the fields of a struct.
type layout struct {
	unusual bool             // it has fields that only json.Unmarshal can store
	fields  map[string][]int // the index of each by its name, see folded
	rest    []int            // of the one for members without a field, nil for none
}

var layouts sync.Map // of structs

func layoutOf(t reflect.Type) *layout {
	if known, ok := layouts.Load(t); ok {
		return known.(*layout)
	}
	l := &layout{fields: make(map[string][]int)}
	for _, f := range reflect.VisibleFields(t) {
		switch {
		case f.Tag == `json:",embed"` && f.Type == reflect.TypeFor[jsontext.Value]():
			l.rest = f.Index
		case f.Anonymous && f.Type.Kind() == reflect.Struct && f.Tag == "": // its fields follow
		default:
			name, plain := folded(nil, f.Name)
			if f.Anonymous || f.Tag != "" || !f.IsExported() || !plain || l.fields[string(name)] != nil {
				l.unusual = true
			}
			l.fields[string(name)] = f.Index
		}
	}
	layouts.Store(t, l)
	return l
}

// fill stores the members of an object.
func (l *layout) fill(v jsontext.Value, to reflect.Value) error {
	if l.unusual {
		return errUnusual
	}
	var memory [48]byte
	for name, value := range transcript.QuotedMembers(v) {
		key, plain := folded(memory[:0], string(name[1:len(name)-1]))
		if !plain {
			return errUnusual
		}
		if index := l.fields[string(key)]; index != nil {
			if err := fill(value, to.FieldByIndex(index)); err != nil {
				return err
			}
		} else if l.rest != nil {
			rest := to.FieldByIndex(l.rest)
			rest.SetBytes(AppendMember(rest.Bytes(), name, value))
		}
	}
	return nil
}

// folded appends a name in lower case and without "_" and "-", like the comparison of json.MatchCaseInsensitiveNames.
// A name is plain if it has only ASCII characters and no escapes.
func folded(b []byte, name string) (fold []byte, plain bool) {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 0x80 || c == '\\':
			return nil, false
		case c == '_' || c == '-':
		case 'A' <= c && c <= 'Z':
			b = append(b, c+'a'-'A')
		default:
			b = append(b, c)
		}
	}
	return b, true
}

// AppendMember appends a member with a quoted name to an object, which begins empty.
func AppendMember(object []byte, name, value jsontext.Value) []byte {
	if len(object) == 0 {
		object = append(object, '{')
	} else {
		object[len(object)-1] = ','
	}
	return append(append(append(append(object, name...), ':'), value...), '}')
}
