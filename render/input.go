package render

import (
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/markup"
	"viewer/transcript"
)

// text takes any JSON value for a string: models send numbers and lists where
// a string belongs, and programs before 2.1.92 sent JSON inside strings.
type text string

func (t *text) UnmarshalJSON(v []byte) error {
	*t = text(transcript.TextOf(v))
	return nil
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

// A field is one name and value of an object that is listed as it is.
type field struct {
	Name  string
	Value string
	Long  bool // stands in a block of its own
}

// Folded is a long value as a block: its start, and the rest folded.
func (f field) Folded() fieldBlock {
	b := fieldBlock{Head: f.Value}
	if n := markup.Lines(f.Value); n > screenful+slack {
		b.Head, b.Rest = markup.CutText(f.Value, screenful)
		b.All = "all " + count(n) + " lines"
	} else if len(f.Value) > wideValue {
		b.Head = cutBytes(f.Value, wideValue/2)
		b.Rest, b.All = f.Value[len(b.Head):], "all of it"
	}
	return b
}

// wideValue is how many bytes of few lines fill a screen.
const wideValue = 4 << 10

type fieldBlock struct{ Head, Rest, All string }

// emptyText stands for a text without characters, which is not nothing.
const emptyText = `""`

// fields lists the members of an object; nested values as JSON.
func fields(v jsontext.Value) []field {
	var all []field
	for name, value := range transcript.Members(v) {
		if transcript.Kind(value) == 'n' {
			continue
		}
		s := transcript.TextOf(value)
		if k := transcript.Kind(value); k == '{' || k == '[' {
			s = pretty(value)
		}
		if s == "" {
			s = emptyText
		}
		all = append(all, field{Name: name, Value: s, Long: len(s) > 80 || strings.Contains(s, "\n")})
	}
	return all
}

// pretty indents JSON for reading.
func pretty(v jsontext.Value) string {
	out := v.Clone()
	if err := out.Indent(jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
		return string(v)
	}
	return string(out)
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
