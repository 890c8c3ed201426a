package transcript

import (
	"iter"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Writer is a program that writes session files, with the properties that readers of its records need. The zero value
// is Claude Code.
type Writer struct {
	Name      string // as shown in pages and messages, "" for Claude Code
	NotSent   bool   // its files do not tell what the model was sent
	Directs   bool   // its answers have lines of directives, which tell its window what to offer
	NoResults bool   // its files have no results of calls, so that a missing result means nothing
	Tree      bool   // each record names the one before; the branch that ends with the last record is the conversation
}

// String returns the name.
func (w Writer) String() string {
	if w.Name == "" {
		return "Claude Code"
	}
	return w.Name
}

// ID returns the name as one word for commands, addresses and programs: "claude-code".
func (w Writer) ID() string {
	return strings.ReplaceAll(strings.ToLower(w.String()), " ", "-")
}

// isObject reports whether v, which begins with a brace, is exactly one object.
func isObject(v []byte) bool {
	p := parser{data: v}
	p.skip()
	return !p.failed && p.pos == len(v)
}

// translate reads one object of another writer. v may be a whole file: if callers do not need it afterwards, its memory
// is free as soon as it is redacted.
func (r *reader) translate(pos Pos, v jsontext.Value) {
	r.addTranslated(pos, pos.Offset+int64(len(v)), r.owned(v))
}

// addTranslated adds the records of an object, which ends at an offset of the file.
func (r *reader) addTranslated(pos Pos, end int64, v jsontext.Value) {
	records, problems := r.Translate(pos, v)
	for _, p := range problems {
		if p.Pos.File == "" {
			p.Pos = pos
		}
		r.note(p)
	}
	if len(records) == 0 {
		records = []Record{{Type: String(Field(v, "type"))}}
	}
	for _, record := range records {
		if record.Pos.File == "" {
			record.Pos = pos
		}
		if n := record.weight(); !r.admit(end, n) {
			r.unread.add(record.Pos)
			continue
		}
		record.Raw = Or(record.Raw, v)
		if record.Rare == nil {
			record.Rare = &nothing
		}
		if r.Writer.NoResults {
			record.expectNoResults()
		}
		r.records = append(r.records, record)
	}
}

// expectNoResults marks the calls of a record as calls without a result in the log.
func (r *Record) expectNoResults() {
	if r.Message == nil {
		return
	}
	for i := range r.Message.Content {
		b := &r.Message.Content[i]
		b.NoResult = b.NoResult || strings.HasSuffix(b.Type, "tool_use")
	}
}

// owned returns a value of another writer, rewritten and copied if necessary.
func (r *reader) owned(read []byte) []byte {
	return r.own(r.rewritten(read), read)
}

// weight returns how many values a record counts for, in addition to the value that contains it, see quota.go.
func (r *Record) weight() int {
	if r.Message == nil {
		return 1
	}
	return valuesPerBlock * max(1, len(r.Message.Content))
}

// ReadValues returns the records of values that were found in a file that is not JSON, such as a database, each with
// its place. size is that of the file, in bytes.
func (o Options) ReadValues(name string, size int64, values iter.Seq2[Pos, jsontext.Value]) File {
	r := newReader(o, MaxLine)
	for pos, v := range values {
		pos.File = name
		switch {
		case !r.admit(size, 1):
			r.unread.add(pos)
		case Kind(v) == '{' && r.value(pos, v):
		case Kind(v) != '{' && Valid(v):
			r.lost(pos, "want an object, got %s", kindName(v))
		default:
			r.lost(pos, "not JSON: %s", r.quote(v))
		}
	}
	return r.file(name, size)
}
