package render

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
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
func decode(v jsontext.Value, to any) error {
	if transcript.Kind(v) != '{' {
		return errNoObject
	}
	if transcript.Crowded(v, mostDecoded) {
		return errCrowded
	}
	return json.Unmarshal(v, to, decodeOptions)
}

// mostDecoded is how many values of an object are decoded for a drawing. Each takes a hundred bytes of memory and
// more, so that an object of millions would take ten times its size; it is drawn as JSON.
const mostDecoded = 1 << 16

var errCrowded = errors.New("too many values")
