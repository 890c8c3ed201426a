package transcript

import (
	"iter"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// interners holds interners for reuse.
var interners = sync.Pool{New: func() any { return new(interner) }}

// HeadMembers yields the names and values of the object that head begins with, as far as they are valid. head may be
// cut off anywhere: a value that is not complete is nil, and the last one. Values share memory with head.
func HeadMembers(head []byte) iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		p := parser{data: head}
		if p.kind() != '{' {
			return
		}
		names := interners.Get().(*interner)
		defer interners.Put(names)
		p.open()
		for first := true; p.next('}', first); first = false {
			start := p.pos
			if p.text(); p.failed {
				return
			}
			quoted := p.data[start:p.pos]
			name := ""
			if p.odd {
				name = unquote(quoted)
			} else {
				name = names.of(quoted[1 : len(quoted)-1])
			}
			var value jsontext.Value
			if p.space(); p.at(0) == ':' {
				p.pos++
				value = p.value()
			} else {
				p.failed = true
			}
			if p.failed {
				value = nil
			}
			if !yield(name, value) {
				return
			}
		}
	}
}
