package vscode

import (
	"bytes"
	"iter"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// Values yields the session without its requests, and then each request, after all changes of the log.
func (Source) Values(data []byte) iter.Seq2[transcript.Pos, jsontext.Value] {
	return func(yield func(transcript.Pos, jsontext.Value) bool) {
		data = bytes.TrimPrefix(data, []byte("\ufeff"))
		head := bytes.TrimLeft(data, " \t\r\n")
		if !bytes.HasPrefix(head, []byte(`{"kind":`)) {
			whole(data, yield)
			return
		}
		replay(data, yield)
	}
}

// whole yields the parts of a document.
func whole(data jsontext.Value, yield func(transcript.Pos, jsontext.Value) bool) {
	start := transcript.Pos{Line: 1}
	if !transcript.Valid(data) {
		yield(start, data)
		return
	}
	if !yield(start, without(data, "requests")) {
		return
	}
	for pos, v := range sources.ElementsIn(start, data, transcript.Field(data, "requests")) {
		if !yield(pos, v) {
			return
		}
	}
}

// without returns an object without one of its members.
func without(v jsontext.Value, name string) jsontext.Value {
	var pairs []any
	for member, value := range transcript.Members(v) {
		if member != name {
			pairs = append(pairs, member, value)
		}
	}
	return sources.Make(pairs...)
}

// replay applies the changes of a log. Lines that are not changes are yielded unchanged.
func replay(data []byte, yield func(transcript.Pos, jsontext.Value) bool) {
	root := new(node)
	line, offset := 0, int64(0)
	for raw := range bytes.Lines(data) {
		line++
		pos := transcript.Pos{Line: line, Offset: offset}
		offset += int64(len(raw))
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 {
			continue
		}
		if !transcript.Valid(raw) || !root.change(raw, line) {
			if !yield(pos, raw) {
				return
			}
		}
	}
	requests := root.member("requests")
	if !yield(transcript.Pos{Line: 1}, without(root.value(), "requests")) || requests == nil {
		return
	}
	for _, r := range requests.kids {
		if v := r.value(); string(v) != "null" && !yield(transcript.Pos{Line: max(1, r.line)}, v) {
			return
		}
	}
}

// A node is a value of the session. It keeps its JSON until a change inside it needs its members.
type node struct {
	raw   jsontext.Value
	line  int      // that it was set on
	open  bool     // the members or elements are in kids
	names []string // the names of an object's members, in the order of kids
	kids  []*node
}

// maxKeys limits the depth of a change.
const maxKeys = 100

// change applies a change: 0 sets all, 1 sets a value, 2 adds to a list, 3 deletes. It returns false for other lines.
func (n *node) change(raw jsontext.Value, line int) bool {
	var o sources.Object
	o.Read(raw)
	value := o.Get("v")
	kind := string(o.Get("kind"))
	if kind == "0" {
		*n = node{raw: value, line: line}
		return transcript.Kind(value) == '{'
	}
	path := o.Get("k")
	if transcript.Kind(path) != '[' {
		return false
	}
	keys := slices.Collect(transcript.Elements(path))
	if len(keys) == 0 || len(keys) > maxKeys {
		return false
	}
	at := n
	for _, key := range keys[:len(keys)-1] {
		if at = at.child(key, line); at == nil {
			return false
		}
	}
	last := keys[len(keys)-1]
	switch kind {
	case "1":
		to := at.child(last, line)
		if to == nil {
			return false
		}
		*to = node{raw: value, line: line}
	case "2":
		list := at.child(last, line)
		if list == nil {
			return false
		}
		return list.push(o.Get("i"), value, line)
	case "3":
		at.remove(last)
	default:
		return false
	}
	return true
}

// push adds to a list. If the change gives a length, the list is cut to it first.
func (n *node) push(keep, values jsontext.Value, line int) bool {
	n.expand()
	if n.names != nil {
		return false
	}
	if at, err := strconv.Atoi(string(keep)); err == nil && at >= 0 && at < len(n.kids) {
		n.kids = n.kids[:at]
	}
	n.raw = jsontext.Value("[]")
	for v := range transcript.Elements(values) {
		n.kids = append(n.kids, &node{raw: v, line: line})
	}
	return true
}

// remove removes a member.
func (n *node) remove(key jsontext.Value) {
	n.expand()
	name := transcript.String(key)
	for i := range n.names {
		if n.names[i] == name {
			n.names = append(n.names[:i:i], n.names[i+1:]...)
			n.kids = append(n.kids[:i:i], n.kids[i+1:]...)
			return
		}
	}
	if i, err := strconv.Atoi(string(key)); err == nil && n.names == nil && i >= 0 && i < len(n.kids) {
		n.kids[i] = &node{raw: jsontext.Value("null"), line: n.kids[i].line}
	}
}

// expand parses the JSON of a value into kids.
func (n *node) expand() {
	if n.open {
		return
	}
	n.open = true
	switch transcript.Kind(n.raw) {
	case '{':
		n.names = []string{}
		for name, v := range transcript.Members(n.raw) {
			n.names = append(n.names, name)
			n.kids = append(n.kids, &node{raw: v, line: n.line})
		}
	case '[':
		for v := range transcript.Elements(n.raw) {
			n.kids = append(n.kids, &node{raw: v, line: n.line})
		}
	}
}

func (n *node) member(name string) *node {
	n.expand()
	for i := range n.names {
		if n.names[i] == name {
			n.kids[i].expand()
			return n.kids[i]
		}
	}
	return nil
}

// child returns the value of a key and adds it when missing; nil where there cannot be one.
func (n *node) child(key jsontext.Value, line int) *node {
	n.expand()
	if transcript.Kind(key) == '"' {
		name := transcript.String(key)
		if kid := n.member(name); kid != nil {
			return kid
		}
		if n.names == nil {
			if len(n.kids) > 0 {
				return nil
			}
			n.names = []string{}
		}
		n.raw = jsontext.Value("{}")
		kid := &node{line: line}
		n.names, n.kids = append(n.names, name), append(n.kids, kid)
		return kid
	}
	i, err := strconv.Atoi(string(key))
	if err != nil || i < 0 || n.names != nil || i > len(n.kids) {
		return nil
	}
	n.raw = jsontext.Value("[]")
	if len(n.kids) == i {
		n.kids = append(n.kids, &node{raw: jsontext.Value("null"), line: line})
	}
	return n.kids[i]
}

// value returns the current value of a node.
func (n *node) value() jsontext.Value {
	if !n.open || len(n.kids) == 0 {
		if len(n.raw) == 0 {
			return jsontext.Value("null")
		}
		return emptied(n)
	}
	var b []byte
	open, end := byte('['), byte(']')
	if n.names != nil {
		open, end = '{', '}'
	}
	b = append(b, open)
	for i, kid := range n.kids {
		if i > 0 {
			b = append(b, ',')
		}
		if n.names != nil {
			b = append(append(b, sources.Quote(n.names[i])...), ':')
		}
		b = append(b, kid.value()...)
	}
	return append(b, end)
}

// emptied returns the value of a node without kids: its JSON, or an empty value of the same kind.
func emptied(n *node) jsontext.Value {
	switch {
	case !n.open:
		return n.raw
	case n.names != nil:
		return jsontext.Value("{}")
	case transcript.Kind(n.raw) == '[':
		return jsontext.Value("[]")
	}
	return n.raw
}
