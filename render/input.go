package render

import (
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// text takes any JSON value for a string: models send numbers and lists where
// a string belongs, and programs before 2.1.92 sent JSON inside strings.
type text string

func (t *text) UnmarshalJSON(v []byte) error {
	*t = text(transcript.TextOf(v))
	return nil
}

// joined are texts as one.
func joined(all []text, between string) string {
	var b strings.Builder
	for i, t := range all {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(string(t))
	}
	return b.String()
}

// number takes numbers, also inside strings; anything else is 0.
type number float64

func (n *number) UnmarshalJSON(v []byte) error {
	f, err := strconv.ParseFloat(strings.TrimSpace(transcript.TextOf(v)), 64)
	if err == nil && f == f && f > -1e15 && f < 1e15 {
		*n = number(f)
	}
	return nil
}

// truth takes true and "true"; anything else is false.
type truth bool

func (t *truth) UnmarshalJSON(v []byte) error {
	*t = transcript.TextOf(v) == "true"
	return nil
}

// extra keeps the members that a struct does not name. A view's input embeds
// it, so that what a new version adds is listed and not lost.
type extra struct {
	Rest jsontext.Value `json:",embed"`
}

// ignored takes any value and keeps nothing: whole files that the log repeats.
type ignored struct{}

func (*ignored) UnmarshalJSON([]byte) error { return nil }

// list takes a list, also as JSON inside a string. Anything else is an error,
// so that the drawing is generic and nothing is lost.
type list[T any] []T

func (l *list[T]) UnmarshalJSON(v []byte) error {
	if s := transcript.String(v); s != "" {
		v = []byte(s)
	}
	if k := transcript.Kind(v); k == 'n' || k == 0 {
		return nil
	} else if k != '[' || !jsontext.Value(v).IsValid(decodeSyntax) {
		return errors.New("not a list")
	}
	return json.Unmarshal(v, (*[]T)(l), decodeOptions)
}
