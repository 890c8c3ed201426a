package fields

import (
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// Text accepts any JSON value as a string. Models send numbers and lists where strings belong, and programs before
// 2.1.92 sent JSON in strings.
type Text string

func (t *Text) UnmarshalJSON(v []byte) error {
	*t = Text(transcript.TextOf(v))
	return nil
}

// Number accepts numbers, also in strings. Anything else is 0.
type Number float64

func (n *Number) UnmarshalJSON(v []byte) error {
	f, err := strconv.ParseFloat(strings.TrimSpace(transcript.TextOf(v)), 64)
	if err == nil && f == f && f > -1e15 && f < 1e15 {
		*n = Number(f)
	}
	return nil
}

// Bool accepts true and "true". Anything else is false.
type Bool bool

func (t *Bool) UnmarshalJSON(v []byte) error {
	*t = transcript.TextOf(v) == "true"
	return nil
}

// Extra keeps the members without a field in the struct that embeds it, so that values added by new versions are listed
// and not lost.
type Extra struct {
	Rest jsontext.Value `json:",embed"`
}

// Ignored accepts any value and keeps nothing, for copies of whole files.
type Ignored struct{}

func (*Ignored) UnmarshalJSON([]byte) error { return nil }

// List accepts a list, also as JSON in a string. Anything else is an error, so that the value is drawn generically and
// nothing is lost.
type List[T any] []T

func (l *List[T]) UnmarshalJSON(v []byte) error {
	s := transcript.String(v)
	if s != "" {
		v = []byte(s)
	}
	if k := transcript.Kind(v); k == 'n' || k == 0 {
		return nil
	} else if k != '[' || s != "" && !transcript.Valid(v) {
		return errors.New("not a list")
	}
	if fill(v, reflect.ValueOf((*[]T)(l)).Elem()) == nil {
		return nil
	}
	return json.Unmarshal(v, (*[]T)(l), options)
}
