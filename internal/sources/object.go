package sources

import (
	"bytes"
	"iter"
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// An Object holds the members of a JSON object in their order, for translators that look up several of them. Read may
// be called again and reuses the memory.
type Object []Member

// A Member is a quoted name and its value. Both share memory with the JSON that they were read from.
type Member struct{ Name, Value jsontext.Value }

// Read reads the members of an object. Any other value has none.
func (o *Object) Read(v jsontext.Value) {
	o.read(v, 0, "", nil)
}

// ReadWith reads the members of an object, and those of the object that its first member with a name has. It reads the
// bytes of both once.
func (o *Object) ReadWith(v jsontext.Value, name string, inner *Object) {
	*inner = (*inner)[:0]
	o.read(v, 0, name, inner)
}

// read reads the object at an index of v, and returns the index after it.
func (o *Object) read(v jsontext.Value, at int, name string, inner *Object) (end int) {
	*o = (*o)[:0]
	return transcript.MembersAt(v, at, func(q jsontext.Value, at int) (end int) {
		if inner != nil && string(q[1:len(q)-1]) == name {
			end = inner.read(v, at, "", nil)
			inner = nil
		} else {
			end = transcript.SkipValue(v, at)
		}
		*o = append(*o, Member{q, v[at:end]})
		return end
	})
}

// Elements yields the elements of a list, each after its members were read. It reads the bytes of both once.
func (o *Object) Elements(list jsontext.Value) iter.Seq[jsontext.Value] {
	return transcript.ElementsBy(list, func(at int) (end int) { return o.read(list, at, "", nil) })
}

// Get returns the value of the first member with that name, or nil if there is none or it is null. Of several names,
// the first that has a value counts: versions of a format name a member differently.
func (o Object) Get(names ...string) jsontext.Value {
	for _, name := range names {
		if v := o.get(name); v != nil {
			return v
		}
	}
	return nil
}

func (o Object) get(name string) jsontext.Value {
	for i := range o {
		if q := o[i].Name; len(q) == len(name)+2 && string(q[1:len(q)-1]) == name {
			if transcript.Kind(o[i].Value) == 'n' {
				return nil
			}
			return o[i].Value
		}
	}
	return nil
}

// Text returns the string value of a member, or "" if there is none or it is not a string. Of several names, the first
// whose string is not empty counts.
func (o Object) Text(names ...string) string {
	for _, name := range names {
		if s := transcript.String(o.get(name)); s != "" {
			return s
		}
	}
	return ""
}

// FirstText returns the first non-empty string of a JSON document at one of some paths, "" for none or for invalid
// JSON. A path has the names of nested members.
func FirstText(document []byte, paths ...[]string) string {
	v := jsontext.Value(document)
	if !transcript.Valid(v) {
		return ""
	}
	for _, path := range paths {
		at := v
		for _, name := range path {
			at = transcript.Field(at, name)
		}
		if s := transcript.String(at); s != "" {
			return s
		}
	}
	return ""
}

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

// FilePath returns the path in a file: address, "" for other addresses, and a plain path unchanged. The home folder may
// have been redacted in the address: file://~/tides.
func FilePath(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	p, err := url.PathUnescape(rest)
	if scheme != "file" || err != nil {
		return ""
	}
	if strings.HasPrefix(p, "~") {
		return p
	}
	at := strings.IndexByte(p, '/') // after the host name
	if at < 0 {
		return ""
	}
	if disk := p[at+1:]; len(disk) > 1 && disk[1] == ':' {
		return disk
	}
	return p[at:]
}

// WithExitCode puts the exit code of a command that failed before its output, as Claude Code writes it.
func WithExitCode(code, output string) string { return "Exit code " + code + "\n" + output }
