package render

import (
	"errors"
	"reflect"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/transcript"
)

// decodeOptions read what models and programs of many versions wrote: names in
// any case, doubled names, broken text.
var (
	decodeSyntax  = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	decodeOptions = json.JoinOptions(json.MatchCaseInsensitiveNames(true), decodeSyntax)
)

var errNoObject = errors.New("not an object")

// decode fills a struct of text, number, truth and jsontext.Value fields from
// a JSON object. With these types a value of the wrong type is still shown.
//
// It does what json.Unmarshal does with decodeOptions, without checking the
// syntax of values once more: it was checked when they were read. A struct or an
// object with anything that it does not know goes to json.Unmarshal.
func decode(v jsontext.Value, to any) error {
	if transcript.Kind(v) != '{' {
		return errNoObject
	}
	if transcript.Crowded(v, mostDecoded) {
		return errCrowded
	}
	into := reflect.ValueOf(to).Elem()
	if p := planFor(into.Type()); p != nil {
		if err := p.fill(v, into); err != errForeign {
			return err
		}
		into.SetZero()
	}
	return json.Unmarshal(v, to, decodeOptions)
}

// mostDecoded is how many values of an object are decoded for a drawing. Each takes a hundred bytes of memory and
// more, so that an object of millions would take ten times its size; it is drawn as JSON.
const mostDecoded = 1 << 16

var errCrowded = errors.New("too many values")

// errForeign says of an object that it needs json.Unmarshal.
var errForeign = errors.New("a name that is not plain")

// A plan says how to fill a struct.
type plan struct {
	fields map[string]plannedField // by name, folded
	rest   []int                   // the field for members that have none, nil when they are dropped
}

type plannedField struct {
	index []int
	fill  filler
}

// A filler puts a JSON value into a field.
type filler func(v jsontext.Value, into reflect.Value) error

// plans holds what was found of each type, nil for one that is not known.
var plans sync.Map

func planFor(t reflect.Type) *plan {
	if known, ok := plans.Load(t); ok {
		return known.(*plan)
	}
	p := newPlan(t, 0)
	plans.Store(t, p)
	return p
}

// newPlan is nil for types that hold themselves, too.
func newPlan(t reflect.Type, depth int) *plan {
	if t.Kind() != reflect.Struct || depth > 6 {
		return nil
	}
	p := &plan{fields: make(map[string]plannedField)}
	for _, f := range reflect.VisibleFields(t) {
		switch {
		case f.Anonymous && f.Type == reflect.TypeFor[extra]():
			p.rest = append(slices.Clone(f.Index), 0)
			continue
		case f.Anonymous && f.Type.Kind() == reflect.Struct && f.Tag == "":
			continue // its fields follow
		case p.rest != nil && slices.Equal(f.Index, p.rest):
			continue
		case f.Anonymous || f.Tag != "" || !f.IsExported():
			return nil
		}
		name, ok := folded(nil, f.Name)
		if _, twice := p.fields[string(name)]; twice || !ok {
			return nil
		}
		fill := fillerFor(f.Type, depth)
		if fill == nil {
			return nil
		}
		p.fields[string(name)] = plannedField{f.Index, fill}
	}
	return p
}

// folded appends a name without its case and without "_" and "-", as
// json.MatchCaseInsensitiveNames compares them; not ok with a letter that is not ASCII.
func folded[T string | jsontext.Value](out []byte, name T) (fold []byte, ok bool) {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 0x80 || c == '\\':
			return nil, false
		case c == '_' || c == '-':
		case c >= 'A' && c <= 'Z':
			out = append(out, c+'a'-'A')
		default:
			out = append(out, c)
		}
	}
	return out, true
}

func (p *plan) fill(v jsontext.Value, into reflect.Value) error {
	var err error
	var room [48]byte
	for name, value := range transcript.QuotedMembers(v) {
		fold, ok := folded(room[:0], name[1:len(name)-1])
		if !ok {
			return errForeign
		}
		if f, known := p.fields[string(fold)]; known {
			err = f.fill(value, into.FieldByIndex(f.index))
		} else if p.rest != nil {
			rest := into.FieldByIndex(p.rest)
			rest.SetBytes(appendMember(rest.Bytes(), name, value))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// appendMember appends a member to an object that may be empty.
func appendMember(object []byte, name, value jsontext.Value) []byte {
	if len(object) == 0 {
		object = append(object, '{')
	} else {
		object[len(object)-1] = ','
	}
	return append(append(append(append(object, name...), ':'), value...), '}')
}

type unmarshaler interface{ UnmarshalJSON(v []byte) error }

// fillerFor is how a field of a type is filled, nil when that is not known.
func fillerFor(t reflect.Type, depth int) filler {
	switch t {
	case reflect.TypeFor[text]():
		return func(v jsontext.Value, into reflect.Value) error {
			into.SetString(transcript.TextOf(v))
			return nil
		}
	case reflect.TypeFor[ignored]():
		return func(jsontext.Value, reflect.Value) error { return nil }
	case reflect.TypeFor[jsontext.Value]():
		return func(v jsontext.Value, into reflect.Value) error {
			into.SetBytes(slices.Clip(v)) // shared with the file, and not changed
			return nil
		}
	}
	switch {
	case reflect.PointerTo(t).Implements(reflect.TypeFor[unmarshaler]()):
		return func(v jsontext.Value, into reflect.Value) error {
			return into.Addr().Interface().(unmarshaler).UnmarshalJSON(v)
		}
	case reflect.PointerTo(t).Implements(reflect.TypeFor[json.UnmarshalerFrom]()):
		return nil
	case t.Kind() == reflect.Struct:
		return structFiller(t, depth)
	case t.Kind() == reflect.Slice:
		return sliceFiller(t, depth)
	}
	return nil
}

func structFiller(t reflect.Type, depth int) filler {
	p := newPlan(t, depth+1)
	if p == nil {
		return nil
	}
	return func(v jsontext.Value, into reflect.Value) error {
		switch transcript.Kind(v) {
		case '{':
			return p.fill(v, into)
		case 'n':
			into.SetZero()
			return nil
		}
		return errNoObject
	}
}

func sliceFiller(t reflect.Type, depth int) filler {
	fill := fillerFor(t.Elem(), depth)
	if fill == nil || t.Elem().Kind() == reflect.Uint8 {
		return nil
	}
	return func(v jsontext.Value, into reflect.Value) error {
		switch transcript.Kind(v) {
		case '[':
			into.Set(reflect.MakeSlice(t, 0, 4))
			for e := range transcript.Elements(v) {
				into.Grow(1)
				into.SetLen(into.Len() + 1)
				if err := fill(e, into.Index(into.Len()-1)); err != nil {
					return err
				}
			}
			return nil
		case 'n':
			into.SetZero()
			return nil
		}
		return errors.New("not a list")
	}
}
