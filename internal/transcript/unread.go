package transcript

import (
	"bytes"
	"fmt"
	"strings"
)

// A cut is the range of a string's inside in a value.
type cut struct{ from, to int }

// least is the minimum length in bytes of texts that are left out.
const least = 512

// unread returns the texts in the structured result of an edit that pages do not show: the whole file before the edit,
// repeated by each edit, a fifth of all bytes in many logs. The result also has the change itself.
func unread(v []byte) []cut {
	if len(v) < least || !namesOriginal(v) {
		return nil
	}
	var all []cut
	p := parser{data: v}
	p.members(func(name []byte) {
		if s := string(name); s != "toolUseResult" && s != "tool_use_result" || p.kind() != '{' {
			p.skip()
			return
		}
		p.members(func(name []byte) {
			start := p.pos
			p.skip()
			if s := string(name); s != original && s != original+"Contents" {
				return
			}
			if v[start] == '"' && p.pos-start > least {
				all = append(all, cut{start + 1, p.pos - 1})
			}
		})
	})
	if p.failed {
		return nil
	}
	return all
}

const original = "originalFile"

// namesOriginal reports whether a value may have such texts. It looks for their rarest letter.
func namesOriginal(v []byte) bool {
	const at = len(`"original`)
	for from := at; from < len(v); from++ {
		n := bytes.IndexByte(v[from:], 'F')
		if n < 0 {
			return false
		}
		from += n
		if bytes.HasPrefix(v[from-at:], []byte(`"`+original)) {
			return true
		}
	}
	return false
}

// members calls each for the members of the object at the parser's position. each must skip the value of the member.
func (p *parser) members(each func(name []byte)) {
	if p.kind() != '{' {
		p.failed = true
		return
	}
	p.open()
	for first := true; p.next('}', first); first = false {
		name := p.name()
		if p.failed {
			return
		}
		p.space()
		each(name)
	}
}

// without returns a copy of a value with a remark in place of each cut.
func without(v []byte, cuts []cut) []byte {
	n := len(v)
	for _, c := range cuts {
		n += len("( bytes left out)") + len("2147483647") - (c.to - c.from)
	}
	b := make([]byte, 0, n)
	from := 0
	for _, c := range cuts {
		b = fmt.Appendf(append(b, v[from:c.from]...), "(%d bytes left out)", c.to-c.from)
		from = c.to
	}
	return append(b, v[from:]...)
}

// LeftOut reports whether a text is the remark in place of one that was left out.
func LeftOut(s string) bool {
	digits, ok := strings.CutSuffix(s, " bytes left out)")
	digits, open := strings.CutPrefix(digits, "(")
	return ok && open && digits != "" && strings.Trim(digits, "0123456789") == ""
}
