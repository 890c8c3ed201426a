package redact

import (
	"bytes"
	"slices"
	"strings"
	"sync"
)

// A walker goes over the strings of one JSON value. It checks no syntax: what is no valid JSON is gone over as far as it
// looks like it.
type walker struct {
	raw    []byte
	frames []frame
	spans  []span
	ahead  int    // behind the string at hand
	escape int    // where the next backslash is
	sign   int    // where the next @ is
	peeked []byte // the memory of next
	more   func() []byte
}

// A frame is an object or an array that is open.
type frame struct {
	array    bool
	wantName bool     // of an object: the next string is a name
	name     []byte   // the last name; of an array, that which it is the value of
	class    class    // what the name says of the value
	pair     class    // what the member "name" says of the member "value"
	id       []byte   // the member "id": that of a call
	reads    fileKind // a call in it reads such a file
	block    bool     // of an array: its next element is a line of a key
	free     bool     // it is of a tool: what its members are called says nothing

	signature [2]int // where the inside of the member "signature" stands
	edited    bool   // the member "thinking", which that signs, is not what it was
}

// A span is an edit in raw JSON.
type span struct {
	edit         // where it is in the value
	escaped bool // what it replaces is written with escapes
}

// mostKept is how many edits a session keeps the memory for; a value full of secrets has more.
const mostKept = 1 << 12

// Member names that hold nothing to replace are remembered, since the same few stand in each record: so many, of so
// many bytes.
const (
	mostPlain    = 1 << 10
	longestPlain = 40
)

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// JSON returns a JSON value without its secrets: the same value but for the insides of strings and member names, and raw
// itself when there is nothing to replace. Raw must be valid JSON; it is not changed.
func (s *Session) JSON(raw []byte) []byte {
	s.begun = true
	w := &s.walker
	if w.more == nil {
		w.more = w.next
	}
	buffer := buffers.Get().(*[]byte) // sessions are many, and most are small
	s.buffer = *buffer
	defer func() {
		if cap(s.buffer) <= 1<<20 {
			*buffer = s.buffer
			buffers.Put(buffer)
		}
		s.buffer = nil
	}()
	if kind := s.walk(raw, noFile); kind != noFile {
		s.walk(raw, kind)
	}
	if len(w.spans) == 0 {
		return raw
	}
	defer func() {
		if cap(w.spans) > mostKept {
			w.spans = nil
		}
	}()
	out := make([]byte, 0, len(raw)+8*len(w.spans))
	from := 0
	for _, sp := range w.spans {
		out = append(out, raw[from:sp.start]...)
		secret := ""
		if sp.how == numbered && sp.key == "" {
			text := raw[sp.start:sp.end]
			if sp.escaped {
				text = unquote(nil, text)
			}
			secret = string(text)
		}
		marker := s.marker(secret, sp.edit)
		if sp.how == encodedAnew {
			marker = strings.ReplaceAll(marker, "\n", `\n`)
		}
		out = append(out, marker...)
		from = sp.end
	}
	return append(out, raw[from:]...)
}

// walk notes what is to be replaced. When it finds that a file made for secrets is read or written in the value it
// says of which kind, so that all of the value is gone over once more as the content of such a file.
func (s *Session) walk(raw []byte, file fileKind) fileKind {
	w := &s.walker
	w.raw, w.frames, w.spans = raw, append(w.frames[:0], frame{array: true}), w.spans[:0]
	w.escape, w.sign = -1, -1
	found := noFile
	for i := 0; i < len(raw); {
		top := &w.frames[len(w.frames)-1]
		switch raw[i] {
		case '{':
			w.frames = append(w.frames, frame{wantName: true, pair: top.class, free: top.free || isFree(top.name)})
		case '[':
			w.frames = append(w.frames, frame{array: true, name: top.name, class: top.class, free: top.free})
		case '}', ']':
			if len(w.frames) > 1 {
				if top.edited && top.signature[1] > top.signature[0] {
					w.unsign(top.signature)
				}
				w.frames = w.frames[:len(w.frames)-1]
				up := &w.frames[len(w.frames)-1]
				if top.reads != noFile && len(top.id) > 0 && len(s.reading) < 10_000 {
					s.reading[string(top.id)] = top.reads
				}
				up.reads |= top.reads
				found |= top.reads
			}
		case ',':
			top.wantName = !top.array
		case '"':
			end := stringEnd(raw, i)
			w.ahead = end
			kind := s.str(top, raw[i+1:max(i+1, end-1)], i+1, file)
			found |= kind
			i = end
			continue
		}
		i++
	}
	if file != noFile {
		return noFile
	}
	return found
}

// str goes over one string; at is where its inside starts.
func (s *Session) str(f *frame, inside []byte, at int, file fileKind) fileKind {
	w := &s.walker
	c := context{file: file}
	switch {
	case !f.array && f.wantName:
		f.wantName = false
		f.name, f.class = inside, none
		c.isName = true
	case f.array:
		c.name, c.class, c.more = f.name, f.class, w.more
	default:
		c.name, c.class = f.name, f.class
		if !f.free && besideFile(f.name) {
			c.file = noFile
		}
		switch string(f.name) {
		case "signature":
			f.signature = [2]int{at, at + len(inside)}
		case "value", "Value":
			c.class = max(c.class, f.pair)
		case "id":
			f.id = inside
		case "cwd":
			if string(inside) != s.folder {
				s.folder = string(inside)
				s.learnFrom(unquote(nil, inside))
			}
		case "call_id", "callId": // of the call, and of what it printed
			f.id = inside
			return s.reading[string(inside)]
		case "tool_use_id", "toolUseID", "parentToolUseID", "sourceToolUseID", "toolCallId", "tool_call_id":
			return s.reading[string(inside)]
		}
	}
	if len(inside) < shortest || !f.array && !f.free && envelope[string(f.name)] {
		return noFile
	}
	if c.isName && file == noFile {
		if class, ok := s.plain[string(inside)]; ok {
			f.class = class
			return noFile
		}
	}
	text := inside
	escaped := w.has(&w.escape, '\\', at, len(inside))
	c.at = escaped || w.has(&w.sign, '@', at, len(inside))
	if escaped {
		s.buffer = unquote(s.buffer[:0], inside)
		text = s.buffer
	}
	var edits []edit
	if f.block {
		edits, f.block = s.scan.blockLine(text)
	}
	if len(edits) == 0 {
		edits = s.scan.over(text, c)
		f.block = f.array && s.scan.openBlock != nil
	}
	if c.isName {
		f.class = s.scan.kind
		if len(edits) == 0 && s.scan.reads == noFile && file == noFile && !escaped && len(inside) <= longestPlain && len(s.plain) < mostPlain {
			s.plain[string(inside)] = f.class
		}
	} else if s.scan.kind != none && !f.array && isPairName(f.name) {
		f.pair = s.scan.kind
	}
	if s.scan.reads != noFile {
		f.reads |= s.scan.reads
	}
	if len(edits) > 0 {
		f.edited = f.edited || !c.isName && !f.free && !f.array && string(f.name) == "thinking"
		r := ruler{raw: inside}
		for _, e := range edits {
			if escaped {
				e.start, e.end = r.to(e.start), r.to(e.end)
			}
			e.start, e.end = at+e.start, at+e.end
			w.spans = append(w.spans, span{e, escaped})
		}
		if cap(s.scan.edits) > mostKept {
			s.scan.edits = nil
		}
	}
	return noFile
}

// Unsigned stands in the place of the signature of a text that was edited, for which it holds no more.
const Unsigned = "[edited]"

var signatureRule = &rule{id: "signature", label: "signature", confidence: Personal}

// unsign replaces a signature, which may stand before what it signs.
func (w *walker) unsign(at [2]int) {
	w.spans = slices.DeleteFunc(w.spans, func(sp span) bool { return sp.start >= at[0] && sp.end <= at[1] })
	i, _ := slices.BinarySearchFunc(w.spans, at[0], func(sp span, start int) int { return sp.start - start })
	w.spans = slices.Insert(w.spans, i, span{edit: edit{start: at[0], end: at[1], how: unsigned, rule: signatureRule}})
}

func isPairName(name []byte) bool {
	switch string(name) {
	case "name", "Name", "key", "Key":
		return true
	}
	return false
}

// has says whether a byte is among the n from at on; next is where it was seen last. So most strings need not be searched.
func (w *walker) has(next *int, c byte, at, n int) bool {
	if *next < at {
		if i := bytes.IndexByte(w.raw[at:], c); i >= 0 {
			*next = at + i
		} else {
			*next = len(w.raw)
		}
	}
	return *next < at+n
}

// next is the text of the next element of the array at hand, nil when there is none or it is no string.
func (w *walker) next() []byte {
	i := w.ahead
	for i < len(w.raw) && (isSpace(w.raw[i]) || w.raw[i] == ',') {
		i++
	}
	if i >= len(w.raw) || w.raw[i] != '"' {
		return nil
	}
	w.ahead = stringEnd(w.raw, i)
	w.peeked = unquote(w.peeked[:0], w.raw[i+1:max(i+1, w.ahead-1)])
	return w.peeked
}

// stringEnd is behind the quote that ends the string that starts at i.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); {
		q := bytes.IndexByte(raw[i:], '"')
		if q < 0 {
			return len(raw) + 1
		}
		n := 0
		for j := i + q - 1; j >= i && raw[j] == '\\'; j-- {
			n++
		}
		i += q + 1
		if n%2 == 0 {
			return i
		}
	}
	return len(raw) + 1
}
