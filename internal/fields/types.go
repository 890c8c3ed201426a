package fields

import (
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// Text takes any JSON value for a string: models send numbers and lists where
// a string belongs, and programs before 2.1.92 sent JSON inside strings.
type Text string

func (t *Text) UnmarshalJSON(v []byte) error {
	*t = Text(transcript.TextOf(v))
	return nil
}

// Number takes numbers, also inside strings; anything else is 0.
type Number float64

func (n *Number) UnmarshalJSON(v []byte) error {
	f, err := strconv.ParseFloat(strings.TrimSpace(transcript.TextOf(v)), 64)
	if err == nil && f == f && f > -1e15 && f < 1e15 {
		*n = Number(f)
	}
	return nil
}

// Bool takes true and "true"; anything else is false.
type Bool bool

func (t *Bool) UnmarshalJSON(v []byte) error {
	*t = transcript.TextOf(v) == "true"
	return nil
}

// Extra keeps the members that a struct does not name. A view's input embeds
// it, so that what a new version adds is listed and not lost.
type Extra struct {
	Rest jsontext.Value `json:",embed"`
}

// Ignored takes any value and keeps nothing: whole files that the log repeats.
type Ignored struct{}

func (*Ignored) UnmarshalJSON([]byte) error { return nil }

// List takes a list, also as JSON inside a string. Anything else is an error,
// so that the drawing is generic and nothing is lost.
type List[T any] []T

func (l *List[T]) UnmarshalJSON(v []byte) error {
	if s := transcript.String(v); s != "" {
		v = []byte(s)
	}
	if k := transcript.Kind(v); k == 'n' || k == 0 {
		return nil
	} else if k != '[' || !jsontext.Value(v).IsValid(syntax) {
		return errors.New("not a list")
	}
	return json.Unmarshal(v, (*[]T)(l), options)
}
