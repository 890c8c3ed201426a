package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// A File is the content of one session file.
type File struct {
	Name     string
	Size     int64
	Writer   Writer
	Records  []Record // in file order
	Problems []Problem
}

// Values returns the number of JSON values (or lines that are not JSON) that were read. Each is a record or a lost
// problem.
func (f *File) Values() int { return len(f.Records) + CountLost(f.Problems) }

// Decode decodes a JSON object that is part of another record at pos. The value must be valid JSON, as every Raw is.
func Decode(pos Pos, v jsontext.Value) (Record, []Problem) {
	d := decoder{p: parser{data: v}, pos: pos}
	r := Record{Pos: pos, Raw: v, Rare: &nothing}
	if d.p.kind() == '{' {
		d.record(&r)
	}
	return r, d.problems
}

// MaxLine is the length of the longest line that is decoded, in bytes. A longer one is a problem. Lines of 2 MB are
// known, and 20 MB were reported.
const MaxLine = 64 << 20

var syntax = []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}

// Read decodes a session file. Records share memory with data, which must not change afterwards; but see Options.Own.
//
// A file has one JSON object a line, possibly several on a line; or it is one JSON array (the execution file of the CI
// action); or it has indented objects. The content decides, never the name.
func Read(name string, data []byte) File { return Options{}.Read(name, data) }

// Options control how the values of a file are decoded.
type Options struct {
	// Rewrite returns the replacement of a value: valid JSON for valid JSON, and anything for other text. The result is
	// the value itself, or has its own memory or the given one if that is large enough. Nil keeps all values.
	Rewrite func(value, memory []byte) []byte
	// Own gives records their own memory, so that the input may change afterwards.
	Own bool
	// Originals keeps texts that are otherwise left out: the whole file before each edit.
	Originals bool
	// Clean rewrites texts that problems quote from lines that are not records.
	Clean func(text string) string
	// Translate converts a value of another writer to records, in file order; nil if values are records. It is called
	// with the place of the value and the valid JSON that Rewrite returned, which it may keep. A record without place
	// or raw value gets those of the value, and a value without records becomes a record of its "type".
	Translate func(pos Pos, value jsontext.Value) ([]Record, []Problem)
	Writer    Writer // of the file
}

// Read decodes a session file, see the function Read.
func (o Options) Read(name string, data []byte) File { return o.read(name, data, MaxLine) }

func (o Options) read(name string, data []byte, longest int) File {
	r := newReader(o, longest)
	body := bytes.TrimPrefix(data, bom)
	r.values(body, Pos{File: name, Line: 1, Offset: int64(len(data) - len(body))})
	return r.file(name, int64(len(data)))
}

var bom = []byte("\ufeff")

func newReader(o Options, longest int) *reader {
	return &reader{Options: o, copied: o.Own, longest: longest}
}

func (r *reader) file(name string, size int64) File {
	f := File{Name: name, Size: size, Writer: r.Writer, Problems: r.list()}
	if len(r.records) > 0 {
		f.Records = r.records
	}
	return f
}

// values reads the rest of a file, from the start of a line.
func (r *reader) values(data []byte, pos Pos) {
	for len(data) > 0 {
		body := bytes.TrimLeft(data, " \t\r\n")
		if !isArray(body) && !isSpread(body) {
			r.lines(data, pos)
			return
		}
		data, pos = r.document(data, pos)
	}
}

// isArray tells a JSON array of objects from a log line such as "[debug] ...".
func isArray(body []byte) bool {
	if len(body) == 0 || body[0] != '[' {
		return false
	}
	rest := bytes.TrimLeft(body[1:], " \t\r\n")
	return len(rest) > 0 && (rest[0] == '{' || rest[0] == ']')
}

// isSpread reports whether the first object spans several lines.
func isSpread(body []byte) bool {
	line, _, _ := bytes.Cut(body, []byte("\n"))
	return string(bytes.TrimSpace(line)) == "{"
}

type reader struct {
	decoder // its problems are those of the file
	Options
	records []Record
	longest int   // see MaxLine
	skipped int64 // length in bytes of the part of the current line that was dropped because the line is too long
	size    int64 // of the whole file, as far as it is known
	copied  bool  // records share no memory with the input

	scratch  []byte // memory for a rewritten value, which is then copied; nil if values need none
	block    []byte // memory for values
	inBlocks int64  // size in bytes of all blocks
}

// lines reads whole lines, and at the end of a file also an incomplete one. It returns where they end.
func (r *reader) lines(data []byte, pos Pos) Pos {
	r.reserve(data, pos.Offset+int64(len(data)))
	for ; len(data) > 0; pos.Line++ {
		line, rest, complete := bytes.Cut(data, []byte("\n"))
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 {
			at := pos
			at.Offset += int64(len(line) - len(bytes.TrimLeftFunc(line, unicode.IsSpace)))
			if r.admit(at.Offset+int64(len(trimmed)), 1) {
				r.line(at, trimmed, !complete)
			} else {
				r.unread.add(at)
			}
		}
		pos.Offset += int64(len(data) - len(rest))
		data = rest
	}
	return pos
}

// reserve allocates memory for the records of lines that end at an offset, assuming one record a line. Growing step by
// step would cost as much again. It allocates also for the rest of the file, on the assumption that it is similar, but
// for at most four times the current number of records.
func (r *reader) reserve(data []byte, end int64) {
	more := min(bytes.Count(data, []byte("\n"))+1-bytes.Count(data, []byte("\n\n")), r.remaining(end))
	need := len(r.records) + more
	if need <= cap(r.records) {
		return
	}
	if r.size > end && end > 0 {
		all := int(float64(need) * float64(r.size) / float64(end))
		need = min(all+all/64, 4*need, len(r.records)+r.remaining(r.size))
	} else if len(r.records) > 0 {
		need = max(need, len(r.records)+len(r.records)/4)
	}
	r.records = append(make([]Record, 0, need), r.records...)
}

// line reads the values of one line, which nearly always is one valid object.
func (r *reader) line(pos Pos, line []byte, last bool) {
	if len(line) > r.longest {
		r.lost(pos, "a line of %d MB is longer than the %d MB that are read", (int64(len(line))+r.skipped)>>20,
			r.longest>>20)
		return
	}
	switch {
	case line[0] != '{':
	case r.Translate != nil && isObject(line):
		r.translate(pos, line)
		return
	case r.Translate == nil && r.value(pos, line):
		return
	}
	switch {
	case line[0] == 0: // zero bytes, as a crash of the machine leaves them, before what was appended after it
		rest := bytes.TrimLeft(line, "\x00 \t")
		zeros := line[:len(line)-len(rest)]
		r.lost(pos, "not JSON: %s", r.quote(zeros))
		if pos.Offset += int64(len(zeros)); len(rest) > 0 {
			r.line(pos, rest, last)
		}
	case line[0] == '{':
		r.stream(pos, line, last)
	case bytes.HasPrefix(line, []byte("//")), line[0] == '#':
		r.lost(pos, "a comment, not a record")
	case Valid(line):
		r.lost(pos, "want an object, got %s", kindName(line))
	case gluedRecord(line) > 0: // behind other output
		r.stream(pos, line, last)
	default:
		r.lost(pos, "not JSON: %s", r.quote(line))
	}
}

// stream reads a line that is not one valid object: several values, an incomplete one, or control characters that a
// capture of a terminal left inside strings.
func (r *reader) stream(pos Pos, line []byte, last bool) {
	first := pos.Offset
	line, escapes := escapeControls(line)
	dec := jsontext.NewDecoder(bytes.NewReader(line), syntax...)
	var base int64 // offset of the decoder in the line
	for values := 0; ; values++ {
		start := base + dec.InputOffset()
		start += int64(skipSpace(line[start:], 0))
		before, _ := slices.BinarySearch(escapes, int(start))
		pos.Offset = first + start - int64(before*(escaped-1))
		v, err := dec.ReadValue()
		if err == io.EOF {
			return
		}
		if values > 0 && !r.admit(pos.Offset+int64(len(v)), 1) { // the first value was counted with the line
			r.unread.add(pos)
			if err != nil {
				return
			}
			continue
		}
		if err != nil {
			rest := line[start:]
			if next := gluedRecord(rest); next > 0 {
				if rest[0] == '{' {
					r.lost(pos, "a record ends in its middle, where the next one begins: %s", r.quote(rest[:next]))
				} else {
					r.lost(pos, "not JSON: %s", r.quote(rest[:next]))
				}
				base = start + int64(next)
				dec = jsontext.NewDecoder(bytes.NewReader(line[base:]), syntax...)
				continue
			}
			switch {
			case !errors.Is(err, io.ErrUnexpectedEOF):
				r.lost(pos, "not JSON: %s", r.quote(rest))
			case last:
				r.lost(pos, "the file ends in the middle of a record")
			default:
				r.lost(pos, "the line ends in the middle of a record")
			}
			return
		}
		if Kind(v) != '{' {
			r.lost(pos, "want an object, got %s", kindName(v))
			continue
		}
		r.value(pos, v.Clone())
	}
}

// gluedRecord finds the next record in a line whose first record is incomplete: a killed writer leaves half a record
// without a newline, and the next writer appends to it. The next record must reach the end of the line, alone or with
// others after it, and have members that only records have. The result is 0 if there is none.
func gluedRecord(line []byte) int {
	at := 0
	for range 1000 { // a limit on nested objects, so that a hostile line cannot take forever
		next := nextObject(line[at+1:])
		if next < 0 {
			return 0
		}
		at += 1 + next
		dec := jsontext.NewDecoder(bytes.NewReader(line[at:]), syntax...)
		v, err := dec.ReadValue()
		if err != nil || !isRecord(v) {
			continue
		}
		rest := bytes.TrimSpace(line[at+int(dec.InputOffset()):])
		if len(rest) == 0 || rest[0] == '{' {
			return at
		}
	}
	return 0
}

// nextObject returns the offset of the next object with members, or -1.
func nextObject(line []byte) int {
	for at := 0; ; at++ {
		next := bytes.IndexByte(line[at:], '{')
		if next < 0 {
			return -1
		}
		at += next
		if i := skipSpace(line, at+1); i < len(line) && line[i] == '"' {
			return at
		}
	}
}

// isRecord tells a record from the objects inside records.
func isRecord(v jsontext.Value) bool {
	if String(Field(v, "type")) == "" {
		return false
	}
	ids := []string{"uuid", "sessionId", "session_id", "leafUuid", "messageId"}
	return slices.ContainsFunc(ids, func(name string) bool { return String(Field(v, name)) != "" })
}

// document reads values that may span lines. At invalid JSON it stops and returns the rest from the next line that
// starts with an object.
func (r *reader) document(data []byte, first Pos) ([]byte, Pos) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), syntax...) // of a Buffer it copies nothing
	at, line := 0, first.Line
	place := func() Pos { // of the next value; line breaks are counted once
		next := int(dec.InputOffset())
		for next < len(data) && bytes.IndexByte([]byte(" \t\r\n,"), data[next]) >= 0 {
			next++
		}
		line += bytes.Count(data[at:next], []byte("\n"))
		at = next
		return Pos{File: first.File, Line: line, Offset: first.Offset + int64(at)}
	}
	for {
		pos := place()
		var v jsontext.Value
		var err error
		switch k := dec.PeekKind(); k {
		case '[', ']':
			if dec.StackDepth() == 0 || k == ']' {
				if _, err = dec.ReadToken(); err == nil {
					continue
				}
				break
			}
			fallthrough
		default:
			v, err = dec.ReadValue()
		}
		switch {
		case err == io.EOF:
			return nil, pos
		case errors.Is(err, io.ErrUnexpectedEOF):
			r.lost(pos, "the file ends in the middle of a record")
			return nil, pos
		case err != nil:
			r.lost(pos, "not JSON: %s", r.quote(data[at:]))
			left := data[at:]
			n := bytes.Index(left, []byte("\n{"))
			if n < 0 {
				return nil, pos
			}
			pos.Line += bytes.Count(left[:n+1], []byte("\n"))
			pos.Offset += int64(n + 1)
			return left[n+1:], pos
		case !r.admit(pos.Offset+int64(len(v)), 1):
			r.unread.add(pos)
		case Kind(v) != '{':
			r.lost(pos, "want an object, got %s", kindName(v))
		default:
			r.value(pos, v[:len(v):len(v)])
		}
	}
}

// value reads one object. It returns false, and reads nothing, if v is not exactly one object.
func (r *reader) value(pos Pos, v jsontext.Value) bool {
	if r.Translate != nil {
		if !isObject(v) {
			return false
		}
		r.translate(pos, v)
		return true
	}
	before := r.quota
	v = r.kept(v)
	r.p, r.pos = parser{data: v}, pos
	if len(r.records) == 1 { // the first record repeats no names of others
		r.interned = new(interner)
	}
	r.records = append(r.records, Record{Rare: &nothing})
	r.record(&r.records[len(r.records)-1])
	if !r.p.failed && r.p.pos == len(v) {
		return true
	}
	r.quota = before
	r.records = r.records[:len(r.records)-1]
	return false
}

// kept returns the bytes of a value to keep: rewritten, without texts that are not shown, and copied if necessary.
func (r *reader) kept(read []byte) []byte {
	v := r.rewritten(read)
	if !r.Originals {
		if cuts := unread(v); len(cuts) > 0 {
			return without(v, cuts)
		}
	}
	return r.own(v, read)
}

func (r *reader) rewritten(v []byte) []byte {
	if r.Rewrite == nil {
		return v
	}
	return r.Rewrite(v, r.scratch)
}

// own copies a rewritten value if its memory is reused. Records of a file are freed together, so short ones share a
// block, which wastes less than an object for each.
func (r *reader) own(v, read []byte) []byte {
	if !(r.copied && sameStart(v, read)) && !sameStart(v, r.scratch) {
		return v
	}
	if len(v) > len(r.block) {
		size := min(blockSize, r.size-r.inBlocks)
		if int64(len(v)) > size/8 {
			return bytes.Clone(v)
		}
		r.block = make([]byte, size)
		r.inBlocks += size
	}
	own := r.block[:len(v):len(v)]
	r.block = r.block[copy(own, v):]
	return own
}

// blockSize is the maximum size of a block for values, in bytes.
const blockSize = 256 << 10

// sameStart reports whether two slices begin at the same byte.
func sameStart(a, b []byte) bool { return len(a) > 0 && len(b) > 0 && &a[0] == &b[0] }

func (r *reader) lost(pos Pos, format string, args ...any) {
	r.note(Problem{Pos: pos, Text: fmt.Sprintf(format, args...), Lost: true})
}

// quote returns the beginning of a text that could not be read.
func (r *reader) quote(b []byte) string {
	const most = 60
	if r.Clean != nil { // as a whole, because half a secret is not recognized
		b = []byte(r.Clean(string(b[:min(len(b), 100*most)])))
	}
	if len(b) > most {
		return fmt.Sprintf("%q...", b[:most])
	}
	return fmt.Sprintf("%q", b)
}

// escaped is the length of the escape for one control character.
const escaped = len(`\u0000`)

// escapeControls escapes raw control characters inside the strings of a line. It also returns where the escapes start.
func escapeControls(line []byte) (out []byte, escapes []int) {
	if bytes.IndexFunc(line, func(c rune) bool { return c < ' ' }) < 0 {
		return line, nil
	}
	out = make([]byte, 0, len(line)+64)
	inString := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && inString && i+1 < len(line) && line[i+1] >= ' ':
			out = append(out, c, line[i+1])
			i++
		case c == '"':
			inString = !inString
			out = append(out, c)
		case c < ' ' && inString:
			escapes = append(escapes, len(out))
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = append(out, c)
		}
	}
	return out, escapes
}
