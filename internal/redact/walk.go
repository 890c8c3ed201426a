package redact

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"viewer/internal/jsonstring"
	"viewer/internal/redact/match"
)

// A walker visits the strings of one JSON value. It does not check the syntax.
type walker struct {
	raw         []byte
	frames      []frame
	spans       []span
	next        int    // offset after the current string
	escape      int    // offset of the next backslash
	sign        int    // offset of the next @
	peeked      []byte // memory for readElement
	nextElement func() []byte
}

// A frame is an open object or array.
type frame struct {
	array     bool
	wantName  bool       // for an object: the next string is a name
	name      []byte     // the last name; for an array, the name of the member that has it
	member    memberKind // the kind of the name
	class     class      // the class of the name
	pairClass class      // class of the member "name" for the member "value"
	id        []byte     // the member "id", of a call
	reads     fileKind   // kind of the secret file that a call in it reads
	block     bool       // for an array: the next element is a line of a key
	ofTool    bool       // it belongs to a tool, so that the names of its members imply nothing

	signature [2]int // place of the member "signature", without quotes
	edited    bool   // the signed member "thinking" was edited
}

// A span is an edit in raw JSON.
type span struct {
	edit         // place in the value
	escaped bool // the replaced text has escapes
}

// maxKeptEdits limits the memory for edits that a session keeps; a value full of secrets needs more.
const maxKeptEdits = 1 << 12

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// JSON returns a JSON value without its secrets: the same value except for the contents of strings and member names,
// and raw itself if there is nothing to replace. raw must be valid JSON; it is not changed.
func (s *Session) JSON(raw []byte) []byte { return s.Rewrite(raw, nil) }

// Rewrite is JSON with memory for the result. If the result is longer or raw, the memory is not used.
func (s *Session) Rewrite(raw, memory []byte) []byte {
	s.started = true
	var out []byte
	if s.placed != nil {
		out = s.placed.rewrite(s, raw, memory)
	} else {
		out = s.rewritten(raw, memory)
	}
	if s.all.add(len(raw)); !bytes.Equal(out, raw) { // a comparison with itself takes no time
		s.all.edited(maphash.Bytes(seed, out))
	}
	s.noteLate()
	return out
}

func (s *Session) rewritten(raw, memory []byte) []byte {
	w := &s.walker
	if w.nextElement == nil {
		w.nextElement = w.readElement
	}
	buffer := buffers.Get().(*[]byte) // there are many sessions, most of them small
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
		if s.placed != nil { // it may be a call whose result is known by it
			s.placed.again = true
		}
	}
	if len(raw) > largeValue {
		defer s.forgetLast()
	}
	if len(w.spans) == 0 {
		return raw
	}
	defer func() {
		if cap(w.spans) > maxKeptEdits {
			w.spans = nil
		}
	}()
	out := memory[:0]
	if n := len(raw) + 8*len(w.spans); n > cap(out) {
		out = make([]byte, 0, n)
	}
	from := 0
	for _, sp := range w.spans {
		out = append(out, raw[from:sp.start]...)
		secret := ""
		if sp.kind == numbered && sp.key == "" {
			text := raw[sp.start:sp.end]
			if sp.escaped {
				text = jsonstring.Append(nil, text)
			}
			secret = string(text)
		}
		marker := s.marker(secret, sp.edit)
		if sp.kind == reencoded {
			marker = strings.ReplaceAll(marker, "\n", `\n`)
		}
		if s.placed != nil {
			s.placed.edit(raw, sp, marker)
		}
		out = append(out, marker...)
		from = sp.end
	}
	return append(out, raw[from:]...)
}

// largeValue is the size in bytes of a value that a session does not keep in memory until the next one. A file may be
// one value, and a session is in use until its pages are drawn.
const largeValue = 1 << 20

// forgetLast drops what refers to the last value.
func (s *Session) forgetLast() {
	w := &s.walker
	w.raw = nil
	clear(w.frames[:cap(w.frames)])
	s.scan.context, s.scan.text = context{}, nil
}

// walk collects the edits. If it finds that a secret file is read or written in the value, it returns its kind, so that
// the whole value is examined again as the content of such a file.
func (s *Session) walk(raw []byte, file fileKind) fileKind {
	w := &s.walker
	w.raw, w.frames, w.spans = raw, append(w.frames[:0], frame{array: true}), w.spans[:0]
	w.escape, w.sign = -1, -1
	found := noFile
	for i := 0; i < len(raw); {
		top := &w.frames[len(w.frames)-1]
		switch raw[i] {
		case '{':
			w.frames = append(
				w.frames,
				frame{wantName: true, pairClass: top.class, ofTool: top.ofTool || top.member&toolMember != 0},
			)
		case '[':
			w.frames = append(
				w.frames,
				frame{array: true, name: top.name, member: top.member, class: top.class, ofTool: top.ofTool},
			)
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
			w.next = end
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

// str visits one string. at is the offset of its content.
func (s *Session) str(f *frame, inside []byte, at int, file fileKind) fileKind {
	if f.wantName && !f.array {
		f.wantName = false
		s.memberName(f, inside, at, file)
		return noFile
	}
	c := context{name: f.name, member: f.member, class: f.class, file: file}
	if f.array {
		c.nextElement = s.walker.nextElement
	} else if f.member != 0 {
		if f.member&personalMember != 0 && !f.ofTool {
			c.file = noFile
		}
		if f.member&callMember != 0 {
			if f.member&idMember != 0 {
				f.id = inside
			}
			if !isPlainID(inside) {
				s.value(f, c, inside, at)
			}
			return s.reading[string(inside)]
		}
		s.memberOfRecord(f, &c, inside, at)
		if f.member&envelopeMember != 0 && !f.ofTool && isPlainID(inside) {
			return noFile
		}
	}
	if len(inside) < match.ShortestWord {
		return noFile
	}
	s.value(f, c, inside, at)
	return noFile
}

// memberName redacts the name of a member, and stores what it implies about the value.
func (s *Session) memberName(f *frame, inside []byte, at int, file fileKind) {
	m, known := s.members[string(inside)]
	if !known {
		m.kind = memberKinds[string(inside)]
	}
	f.name, f.member, f.class = inside, m.kind, noClass
	if len(inside) >= match.ShortestWord && (f.ofTool || m.kind&envelopeMember == 0) {
		if m.judged && file == noFile {
			f.class = m.class
			return
		}
		edits, escaped := s.found(f, context{isName: true, file: file}, inside, at)
		f.class = s.scan.nameClass
		f.reads |= s.scan.reads
		s.note(edits, inside, at, escaped)
		if len(edits) == 0 && !escaped && file == noFile && s.scan.reads == noFile {
			m.judged, m.class, known = true, f.class, false
		}
	}
	if !known && len(inside) <= longestMemberName && len(s.members) < maxMembers {
		s.members[string(inside)] = m
	}
}

// memberOfRecord stores what the value of a member implies about neighbouring members.
func (s *Session) memberOfRecord(f *frame, c *context, inside []byte, at int) {
	switch {
	case f.member&signatureMember != 0:
		f.signature = [2]int{at, at + len(inside)}
	case f.member&pairValueMember != 0:
		c.class = max(c.class, f.pairClass)
	case f.member&idMember != 0:
		f.id = inside
	case f.member&folderMember != 0 && string(inside) != s.folder:
		s.folder = string(inside)
		s.learnFrom(jsonstring.Append(nil, inside))
	}
}

// value redacts the value of a member, or an element of an array.
func (s *Session) value(f *frame, c context, inside []byte, at int) {
	edits, escaped := s.found(f, c, inside, at)
	if s.scan.nameClass != noClass && !f.array && f.member&pairNameMember != 0 {
		f.pairClass = s.scan.nameClass
	}
	f.reads |= s.scan.reads
	if len(edits) > 0 {
		f.edited = f.edited || !f.ofTool && !f.array && f.member&thinkingMember != 0
		s.note(edits, inside, at, escaped)
	}
}

// found returns the edits of a string. Their places are in its text, which differs from the JSON if that has escapes.
func (s *Session) found(f *frame, c context, inside []byte, at int) (edits []edit, escaped bool) {
	w := &s.walker
	text := inside
	escaped = w.has(&w.escape, '\\', at, len(inside))
	c.hasAtSign = escaped || w.has(&w.sign, '@', at, len(inside))
	if escaped {
		s.buffer = jsonstring.Append(s.buffer[:0], inside)
		text = s.buffer
	}
	if f.block {
		edits, f.block = s.scan.blockLine(text)
	}
	if len(edits) > 0 {
		s.scan.nameClass, s.scan.reads = noClass, noFile
	} else {
		edits = s.scan.findEdits(text, c)
		f.block = f.array && s.scan.openBlock != nil
	}
	return edits, escaped
}

// note keeps the edits of a string until the value is written.
func (s *Session) note(edits []edit, inside []byte, at int, escaped bool) {
	r := offsetMapper{raw: inside}
	for _, e := range edits {
		if escaped {
			e.start, e.end = r.rawOffset(e.start), r.rawOffset(e.end)
		}
		e.start, e.end = at+e.start, at+e.end
		s.walker.spans = append(s.walker.spans, span{e, escaped})
	}
	if cap(s.scan.edits) > maxKeptEdits && len(edits) > 0 {
		s.scan.edits = nil
	}
}

// editedSignature replaces the signature of a text that was edited, because it is no longer valid.
const editedSignature = "[edited]"

var signatureRule = &rule{id: "signature", label: "signature", confidence: Personal}

// unsign replaces a signature, which may come before the text that it signs.
func (w *walker) unsign(at [2]int) {
	w.spans = slices.DeleteFunc(w.spans, func(sp span) bool { return sp.start >= at[0] && sp.end <= at[1] })
	i, _ := slices.BinarySearchFunc(w.spans, at[0], func(sp span, start int) int { return sp.start - start })
	w.spans = slices.Insert(w.spans, i, span{edit: edit{start: at[0], end: at[1], kind: unsigned, rule: signatureRule}})
}

// has reports whether a byte is among the n bytes from at on. next is the offset where it was found last, so that most
// strings need not be searched.
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

// readElement returns the text of the next element of the current array, nil if there is none or it is not a string.
func (w *walker) readElement() []byte {
	i := w.next
	for i < len(w.raw) && (isSpace(w.raw[i]) || w.raw[i] == ',') {
		i++
	}
	if i >= len(w.raw) || w.raw[i] != '"' {
		return nil
	}
	w.next = stringEnd(w.raw, i)
	w.peeked = jsonstring.Append(w.peeked[:0], w.raw[i+1:max(i+1, w.next-1)])
	return w.peeked
}

// stringEnd returns the offset after the closing quote of the string that starts at i.
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
