package highlight

import (
	"unicode"

	"github.com/dlclark/regexp2/v2/syntax"
)

// A matcher matches exprs in one text until its steps are spent. The matcher of regexp2 has a time limit instead, and
// its result depends on how busy the machine is. With steps the same text has the same classes on every machine, and
// the time is bounded.
//
// It backtracks in the order of regexp2; FuzzExpr compares the two.
type matcher struct {
	text  []rune
	steps int // that are left
	depth int // levels of nesting that are left

	last   *rule // that matched, nil for none
	start  int   // of the match
	end    int   // of what run matched
	groups []int // start and end of each, -1 for none
	opened []int // starts of open groups
	loops  []loopState
}

// A loopState is a loop whose body is being matched.
type loopState struct {
	in    *inst
	count int // number of earlier matches
	pos   int // where the body started
}

// nonASCIISteps is the cost of testing whether a set has a character outside of ASCII.
const nonASCIISteps = 10

// maxMatchDepth limits the stack of a match to a few megabytes.
const maxMatchDepth = 30_000

// match reports whether e matches at pos, and sets the groups.
func (m *matcher) match(e *expr, pos int) bool {
	if pos < len(m.text) {
		if !e.first.has(m.text[pos]) {
			return false
		}
	} else if e.first != anyRune {
		return false
	}
	m.start = pos
	m.depth = maxMatchDepth
	m.loops = m.loops[:0]
	m.groups, m.opened = m.groups[:0], m.opened[:0]
	for range e.groups {
		m.groups = append(m.groups, -1, -1)
		m.opened = append(m.opened, -1)
	}
	return m.run(e.start, pos)
}

// run matches in and the instructions after it, and sets end.
func (m *matcher) run(in *inst, pos int) bool {
	if m.depth--; m.depth < 0 {
		m.steps = -1
	}
	matched := m.follow(in, pos)
	m.depth++
	return matched
}

func (m *matcher) follow(in *inst, pos int) bool {
	for {
		if m.steps--; m.steps < 0 {
			return false
		}
		switch in.op {
		case opStop:
			m.end = pos
			return true
		case opFail:
			return false
		case opChar:
			if pos = m.step(in, pos); pos < 0 {
				return false
			}
		case opString:
			if pos = m.same(in.str, pos, in.back, false); pos < 0 {
				return false
			}
		case opRef:
			from, to := m.groups[2*in.n], m.groups[2*in.n+1]
			if from < 0 {
				return false
			}
			if pos = m.same(m.text[from:to], pos, in.back, in.fold); pos < 0 {
				return false
			}
		case opChars, opCharsLazy, opCharsAtomic:
			var done bool
			if pos, done = m.chars(in, pos); done {
				return pos >= 0
			}
		case opAlt:
			for _, alt := range in.alts[:len(in.alts)-1] {
				if m.run(alt, pos) {
					return true
				}
			}
			in = in.alts[len(in.alts)-1]
			continue
		case opLoop, opLoopLazy:
			return m.loop(in, pos, 0, -1)
		case opLoopEnd:
			return m.loopEnd(pos)
		case opOpen:
			return m.open(in, pos)
		case opClose:
			return m.close(in, pos)
		case opLook, opAtomic:
			loops := len(m.loops)
			if !m.run(in.body, pos) {
				return false
			}
			m.loops = m.loops[:loops]
			if in.op == opAtomic {
				pos = m.end
			}
		case opNotLook:
			loops := len(m.loops)
			if m.run(in.body, pos) || m.steps < 0 {
				return false
			}
			m.loops = m.loops[:loops]
		default:
			if !m.at(in.op, pos) {
				return false
			}
		}
		in = in.next
	}
}

// open starts a group at pos and undoes this if the rest does not match.
func (m *matcher) open(in *inst, pos int) bool {
	before := m.opened[in.n]
	m.opened[in.n] = pos
	if m.run(in.next, pos) {
		return true
	}
	m.opened[in.n] = before
	return false
}

// close ends a group at pos and undoes this if the rest does not match.
func (m *matcher) close(in *inst, pos int) bool {
	from, to := m.groups[2*in.n], m.groups[2*in.n+1]
	m.groups[2*in.n], m.groups[2*in.n+1] = min(m.opened[in.n], pos), max(m.opened[in.n], pos)
	if m.run(in.next, pos) {
		return true
	}
	m.groups[2*in.n], m.groups[2*in.n+1] = from, to
	return false
}

// step returns the position after the character at pos, -1 if it does not match.
func (m *matcher) step(in *inst, pos int) int {
	next := pos + 1
	if in.back {
		next, pos = pos-1, pos-1
	}
	if pos < 0 || pos >= len(m.text) {
		return -1
	}
	r := m.text[pos]
	if r >= 128 && in.char.set != nil {
		m.steps -= nonASCIISteps
	}
	if !in.char.has(r) {
		return -1
	}
	return next
}

// same returns the position after s at pos, -1 if s is not there.
func (m *matcher) same(s []rune, pos int, back, fold bool) int {
	from, to := pos, pos+len(s)
	if back {
		from, to = pos-len(s), pos
	}
	if from < 0 || to > len(m.text) {
		return -1
	}
	for i, r := range s {
		if c := m.text[from+i]; c != r && !(fold && unicode.ToLower(c) == unicode.ToLower(r)) {
			return -1
		}
	}
	if back {
		return from
	}
	return to
}

// chars matches a repeated character. If it is done, end is the end of the whole match, or -1 for none. Otherwise
// in.next has to be tried at end.
func (m *matcher) chars(in *inst, pos int) (end int, done bool) {
	n := 0
	for ; n < in.min; n++ {
		if pos = m.step(in, pos); pos < 0 {
			return -1, true
		}
	}
	if in.op == opCharsLazy {
		for ; ; n++ {
			if m.run(in.next, pos) {
				return m.end, true
			}
			if m.steps < 0 || n >= in.max {
				return -1, true
			}
			if pos = m.step(in, pos); pos < 0 {
				return -1, true
			}
		}
	}
	least := pos
	for ; n < in.max; n++ {
		next := m.step(in, pos)
		if next < 0 {
			break
		}
		pos = next
	}
	m.steps -= max(pos-least, least-pos) / 4 // cheaper than steps
	if in.op == opCharsAtomic || pos == least {
		return pos, false
	}
	back := 1
	if in.back {
		back = -1
	}
	for ; pos != least; pos -= back {
		if m.run(in.next, pos) {
			return m.end, true
		}
		if m.steps < 0 {
			return -1, true
		}
	}
	return pos, false
}

// loop matches the body of in once more, or continues after it. The body was matched count times so far, the last time
// at last.
func (m *matcher) loop(in *inst, pos, count, last int) bool {
	// A body that matches nothing would be repeated forever.
	again := count < in.min || count < in.max && pos != last
	if in.op == opLoopLazy && count >= in.min {
		if m.run(in.next, pos) {
			return true
		}
		return again && m.body(in, pos, count)
	}
	if again && m.body(in, pos, count) {
		return true
	}
	return count >= in.min && m.steps >= 0 && m.run(in.next, pos)
}

func (m *matcher) body(in *inst, pos, count int) bool {
	n := len(m.loops)
	m.loops = append(m.loops, loopState{in, count, pos})
	if m.run(in.body, pos) {
		return true
	}
	m.loops = m.loops[:n]
	return false
}

// loopEnd continues the loop whose body ended at pos.
func (m *matcher) loopEnd(pos int) bool {
	n := len(m.loops) - 1
	l := m.loops[n]
	m.loops = m.loops[:n]
	if m.loop(l.in, pos, l.count+1, l.pos) {
		return true
	}
	m.loops = append(m.loops[:n], l)
	return false
}

// at reports whether the assertion o holds at pos.
func (m *matcher) at(o op, pos int) bool {
	switch o {
	case opLineStart:
		return pos == 0 || m.text[pos-1] == '\n'
	case opLineEnd:
		return pos == len(m.text) || m.text[pos] == '\n'
	case opTextStart:
		return pos == 0
	case opTextEnd:
		return pos == len(m.text)
	case opTextEndLine:
		return pos == len(m.text) || pos == len(m.text)-1 && m.text[pos] == '\n'
	case opStart:
		return pos == m.start
	}
	return (m.isWord(pos-1) != m.isWord(pos)) == (o == opBoundary)
}

// wordChars caches which ASCII characters are word characters for regexp2, which is slow to tell.
var wordChars = func() (t [128]bool) {
	for r := range rune(128) {
		t[r] = syntax.IsWordChar(r)
	}
	return t
}()

// isWord reports whether the character at pos is a word character.
func (m *matcher) isWord(pos int) bool {
	if pos < 0 || pos >= len(m.text) {
		return false
	}
	r := m.text[pos]
	if r < 128 {
		return wordChars[r]
	}
	m.steps -= nonASCIISteps
	return syntax.IsWordChar(r)
}
