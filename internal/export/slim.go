package export

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// repeated are members of structured results with copies of whole files.
var repeated = map[string]bool{"originalFile": true, "originalFileContents": true, "base64": true, "signature": true}

// slimmed returns a value without the data of images and files, at any depth.
func slimmed(v jsontext.Value) []byte { return copied(v, true) }

// copied returns a value in valid UTF-8, slimmed or complete.
func copied(v jsontext.Value, slim bool) []byte {
	out := make([]byte, 0, len(v))
	var files map[int]bool
	if slim {
		files = encodedFiles(v)
	}
	var skip transcript.Skip
	var open nesting
	for kind, token := range transcript.Tokens(v) {
		open.add(kind)
		if skip.Holds(kind) {
			continue
		}
		switch kind {
		case '}', ']':
			out = append(out, kind)
		case ':':
			name := transcript.String(token)
			if slim && repeated[name] || name == "data" && files[open.innermost()] {
				skip.Begin()
				continue
			}
			out = append(append(separated(out), quote(name)...), ':')
		case '"':
			out = append(separated(out), quote(transcript.String(token))...) // invalid UTF-8 becomes U+FFFD
		default:
			out = append(separated(out), token...)
		}
	}
	return out
}

// separated appends the comma that the next value or name needs.
func separated(out []byte) []byte {
	if len(out) > 0 {
		switch out[len(out)-1] {
		case '{', '[', ':':
		default:
			return append(out, ',')
		}
	}
	return out
}

// encodedFiles returns the numbers of the objects whose type is "base64", counted from 1 in the order in which they
// begin. If a member occurs several times, the first counts.
func encodedFiles(v jsontext.Value) map[int]bool {
	var files, typed map[int]bool
	var open nesting
	isType := false
	for kind, token := range transcript.Tokens(v) {
		if isType && transcript.String(token) == "base64" {
			if files == nil {
				files = make(map[int]bool)
			}
			files[open.innermost()] = true
		}
		open.add(kind)
		isType = kind == ':' && transcript.String(token) == "type" && !typed[open.innermost()]
		if isType {
			if typed == nil {
				typed = make(map[int]bool)
			}
			typed[open.innermost()] = true
		}
	}
	return files
}

// A nesting tracks the object that contains a token.
type nesting struct {
	objects int   // number of objects so far
	open    []int // the numbers of open objects, 0 for an array
}

// add reads the next token.
func (n *nesting) add(kind byte) {
	switch kind {
	case '{':
		n.objects++
		n.open = append(n.open, n.objects)
	case '[':
		n.open = append(n.open, 0)
	case '}', ']':
		n.open = n.open[:max(0, len(n.open)-1)]
	}
}

// innermost returns the number of the object that has a member.
func (n *nesting) innermost() int {
	if len(n.open) == 0 {
		return 0
	}
	return n.open[len(n.open)-1]
}
