package fields

import (
	"errors"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// options accept what models and programs of many versions wrote: names in any case, repeated names, invalid UTF-8.
var (
	syntax  = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	options = json.JoinOptions(json.MatchCaseInsensitiveNames(true), syntax)
)

// errNoObject means that a value is not a JSON object.
var errNoObject = errors.New("not an object")

// Decode decodes a JSON object into a struct with fields of type Text, Number, Bool, List and jsontext.Value. These
// types keep values of a wrong type. The object must be valid JSON. Decode fails with errNoObject, ErrCrowded, or the
// error of a List.
func Decode(v jsontext.Value, to any) error {
	if transcript.Kind(v) != '{' {
		return errNoObject
	}
	if transcript.Crowded(v, Most) {
		return ErrCrowded
	}
	into := reflect.ValueOf(to).Elem()
	if fill(v, into) == nil {
		return nil
	}
	into.SetZero()
	return json.Unmarshal(v, to, options)
}

// Most limits the number of values in an object that is decoded. Each takes at least a hundred bytes of memory, so that
// a larger object could take ten times its size. It is drawn as JSON instead.
const Most = 1 << 16

// ErrCrowded means that an object has more than Most values.
var ErrCrowded = errors.New("too many values")
