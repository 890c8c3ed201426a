package sources

import (
	"iter"
	"net/url"
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
