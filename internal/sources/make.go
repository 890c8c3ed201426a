package sources

import (
	"bytes"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// Make returns a JSON object of alternating names and values: strings, integers, floats, true, and JSON. Empty values
// are left out.
func Make(pairs ...any) jsontext.Value {
	b := []byte{'{'}
	for i := 0; i+1 < len(pairs); i += 2 {
		var value []byte
		switch v := pairs[i+1].(type) {
		case string:
			if v != "" {
				value = appendQuoted(nil, v)
			}
		case int:
			value = strconv.AppendInt(nil, int64(v), 10)
		case int64:
			value = strconv.AppendInt(nil, v, 10)
		case float64:
			if !math.IsInf(v, 0) && !math.IsNaN(v) {
				value = strconv.AppendFloat(nil, v, 'f', -1, 64)
			}
		case bool:
			if v {
				value = []byte("true")
			}
		case jsontext.Value:
			value = v
		}
		if len(value) == 0 || string(value) == "0" {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(appendQuoted(b, pairs[i].(string)), ':'), value...)
	}
	return append(b, '}')
}

// MakeList returns a JSON array. Empty values are null.
func MakeList(values ...jsontext.Value) jsontext.Value {
	b := []byte{'['}
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, transcript.Or(v, jsontext.Value("null"))...)
	}
	return append(b, ']')
}

// WriteLine writes JSON on one line. Line ends in JSON are white space between values.
func WriteLine(out *bytes.Buffer, v jsontext.Value) {
	if bytes.IndexByte(v, '\n') >= 0 {
		v = bytes.ReplaceAll(v, []byte("\n"), []byte(" "))
	}
	out.Write(v)
	out.WriteByte('\n')
}

// Quote returns a text as a JSON string.
func Quote(s string) jsontext.Value { return appendQuoted(nil, s) }

// appendQuoted appends a text as a JSON string. Bytes that are not UTF-8 are replaced.
func appendQuoted(b []byte, s string) []byte {
	quoted, _ := jsontext.AppendQuote(b, s)
	return quoted
}
