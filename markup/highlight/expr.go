package highlight

import (
	"fmt"
	"unicode"

	"github.com/dlclark/regexp2/v2/syntax"
)

// This file matches the regular expressions of chroma's rules. regexp2 parses
// them; matching is ours, because that of regexp2 gives up by the clock: what it
// finds depends on how busy the machine is. A matcher counts its steps instead,
// so that the same text has the same classes on every machine, and no text takes
// longer than its steps.
//
// It goes back and tries again as every such engine does, in the order of
// regexp2; FuzzExpr compares the two.

// An expr is a regular expression. It matches at a place, it does not search.
type expr struct {
	start  *inst
	groups int
	first  runeSet // what a match may start with; empty for what may match nothing
}

// An inst is one instruction; next is tried when it matched.
type inst struct {
	op   op
	next *inst
	char charTest
	back bool    // goes to the left, in a look behind
	str  []rune  // opString
	alts []*inst // opAlt
	body *inst   // opLoop, opLook and its like
	min  int     // opLoop, opChars
	max  int
	n    int // opOpen, opClose, opRef: the group
	fold bool
}

type op uint8

const (
	opStop op = iota // the end of an expr, or of the body of a look
	opFail
	opChar
	opString
	opRef
	opChars // a char many times
	opCharsLazy
	opCharsAtomic
	opAlt
	opLoop
	opLoopLazy
	opLoopEnd // behind the body: the loop goes on
	opOpen    // of a group
	opClose
	opLook
	opNotLook
	opAtomic
	opLineStart
	opLineEnd
	opTextStart
	opTextEnd
	opTextEndLine // the end, or a newline before it
	opStart       // where the match began
	opBoundary
	opNotBoundary
)

// A charTest says which characters match.
type charTest struct {
	set   *syntax.CharSet // nil for one character
	ch    rune
	not   bool
	ascii [2]uint64 // what the set says of ASCII
}

func (c *charTest) has(r rune) bool {
	switch {
	case c.set == nil:
		return r == c.ch != c.not
	case r < 128:
		return c.ascii[r>>6]&(1<<(r&63)) != 0
	}
	return c.set.CharIn(r)
}

// A runeSet is the ASCII characters that may start a match; other is for all
// the rest.
type runeSet struct {
	ascii [2]uint64
	other bool
}

func (s *runeSet) has(r rune) bool {
	if r >= 128 {
		return s.other
	}
	return s.ascii[r>>6]&(1<<(r&63)) != 0
}

func (s *runeSet) add(o runeSet) {
	s.ascii[0] |= o.ascii[0]
	s.ascii[1] |= o.ascii[1]
	s.other = s.other || o.other
}

var anyRune = runeSet{[2]uint64{^uint64(0), ^uint64(0)}, true}

// compileExpr parses a pattern with the flags of a lexer.
func compileExpr(pattern, flags string) (*expr, error) {
	tree, err := syntax.Parse("(?"+flags+":"+pattern+")", syntax.ParseOptions{})
	if err != nil {
		return nil, err
	}
	if tree.Capnumlist != nil && tree.Captop != len(tree.Capnumlist) {
		return nil, fmt.Errorf("group numbers with gaps: %s", pattern)
	}
	var c exprCompiler
	e := &expr{start: c.node(tree.Root, &inst{op: opStop}), groups: tree.Captop}
	if c.err != nil {
		return nil, fmt.Errorf("%w: %s", c.err, pattern)
	}
	var empty bool
	if e.first, empty = firstOf(tree.Root); empty {
		e.first = anyRune
	}
	return e, nil
}

type exprCompiler struct{ err error }

// node compiles n; what it makes goes on with next.
func (c *exprCompiler) node(n *syntax.RegexNode, next *inst) *inst {
	back := n.Options&syntax.RightToLeft != 0
	in := &inst{next: next, back: back, min: n.M, max: n.N, n: n.M, fold: n.Options&syntax.IgnoreCase != 0}
	switch n.T {
	case syntax.NtEmpty, syntax.NtUpdateBumpalong:
		return next
	case syntax.NtNothing:
		in.op = opFail
	case syntax.NtOne, syntax.NtNotone, syntax.NtSet:
		in.op, in.char = opChar, charTestOf(n)
	case syntax.NtOneloop, syntax.NtNotoneloop, syntax.NtSetloop:
		in.op, in.char = opChars, charTestOf(n)
	case syntax.NtOnelazy, syntax.NtNotonelazy, syntax.NtSetlazy:
		in.op, in.char = opCharsLazy, charTestOf(n)
	case syntax.NtOneloopatomic, syntax.NtNotoneloopatomic, syntax.NtSetloopatomic:
		in.op, in.char = opCharsAtomic, charTestOf(n)
	case syntax.NtMulti:
		in.op, in.str = opString, n.Str
	case syntax.NtRef:
		in.op = opRef
	case syntax.NtBol:
		in.op = opLineStart
	case syntax.NtEol:
		in.op = opLineEnd
	case syntax.NtBoundary:
		in.op = opBoundary
	case syntax.NtNonboundary:
		in.op = opNotBoundary
	case syntax.NtBeginning:
		in.op = opTextStart
	case syntax.NtStart:
		in.op = opStart
	case syntax.NtEndZ:
		in.op = opTextEndLine
	case syntax.NtEnd:
		in.op = opTextEnd
	case syntax.NtGroup:
		return c.node(n.Children[0], next)
	case syntax.NtConcatenate: // those of a look behind are in the order of matching
		for i := len(n.Children) - 1; i >= 0; i-- {
			next = c.node(n.Children[i], next)
		}
		return next
	case syntax.NtAlternate:
		in.op = opAlt
		for _, child := range n.Children {
			in.alts = append(in.alts, c.node(child, next))
		}
	case syntax.NtLoop, syntax.NtLazyloop:
		if in.op = opLoop; n.T == syntax.NtLazyloop {
			in.op = opLoopLazy
		}
		in.body = c.node(n.Children[0], &inst{op: opLoopEnd})
	case syntax.NtCapture:
		if n.N >= 0 { // (?<a-b>...) takes a group back; chroma has none
			c.err = fmt.Errorf("a balancing group")
		}
		in.op = opOpen
		in.next = c.node(n.Children[0], &inst{op: opClose, n: n.M, next: next})
	case syntax.NtPosLook, syntax.NtNegLook, syntax.NtAtomic:
		in.op = map[syntax.NodeType]op{syntax.NtPosLook: opLook, syntax.NtNegLook: opNotLook, syntax.NtAtomic: opAtomic}[n.T]
		in.body = c.node(n.Children[0], &inst{op: opStop})
	default:
		c.err = fmt.Errorf("a construct of kind %d", n.T)
	}
	return in
}

func charTestOf(n *syntax.RegexNode) charTest {
	c := charTest{set: n.Set, ch: n.Ch}
	switch n.T {
	case syntax.NtNotone, syntax.NtNotoneloop, syntax.NtNotonelazy, syntax.NtNotoneloopatomic:
		c.not = true
	}
	if c.set != nil {
		for r := range rune(128) {
			if c.set.CharIn(r) {
				c.ascii[r>>6] |= 1 << (r & 63)
			}
		}
	}
	return c
}

// firstOf is what a match of n may start with, and whether it may be empty.
func firstOf(n *syntax.RegexNode) (first runeSet, empty bool) {
	switch n.T {
	case syntax.NtOne, syntax.NtNotone, syntax.NtSet,
		syntax.NtOneloop, syntax.NtNotoneloop, syntax.NtSetloop, syntax.NtOnelazy, syntax.NtNotonelazy, syntax.NtSetlazy,
		syntax.NtOneloopatomic, syntax.NtNotoneloopatomic, syntax.NtSetloopatomic:
		test := charTestOf(n)
		first.other = true
		for r := range rune(128) {
			if test.has(r) {
				first.ascii[r>>6] |= 1 << (r & 63)
			}
		}
		loop := n.T != syntax.NtOne && n.T != syntax.NtNotone && n.T != syntax.NtSet
		return first, loop && n.M == 0
	case syntax.NtMulti:
		if r := n.Str[0]; r < 128 {
			first.ascii[r>>6] |= 1 << (r & 63)
		} else {
			first.other = true
		}
		return first, false
	case syntax.NtNothing:
		return first, false
	case syntax.NtConcatenate:
		for _, child := range n.Children {
			more, empty := firstOf(child)
			first.add(more)
			if !empty {
				return first, false
			}
		}
		return first, true
	case syntax.NtAlternate:
		for _, child := range n.Children {
			more, e := firstOf(child)
			first.add(more)
			empty = empty || e
		}
		return first, empty
	case syntax.NtCapture, syntax.NtGroup, syntax.NtAtomic:
		return firstOf(n.Children[0])
	case syntax.NtLoop, syntax.NtLazyloop:
		first, empty = firstOf(n.Children[0])
		return first, empty || n.M == 0
	case syntax.NtRef:
		return anyRune, true
	}
	return first, true // looks at a place
}

// A matcher matches exprs in one text, until its steps are spent.
type matcher struct {
	text  []rune
	steps int // that may still be taken
	depth int // how deep it may still go

	start  int   // of the match
	end    int   // of what run matched
	groups []int // start and end of each, -1 for none
	opened []int // starts of groups that are not closed yet
	loops  []loopState
}

// A loopState is a loop whose body is being matched.
type loopState struct {
	in    *inst
	count int // of the times before
	pos   int // where the body started
}

// wideSteps is what it costs to tell whether a set has a character that is not
// ASCII.
const wideSteps = 10

// deepest bounds what the stack of a match takes to some megabytes.
const deepest = 30_000

// match reports whether e matches at pos; the groups say what.
func (m *matcher) match(e *expr, pos int) bool {
	if pos < len(m.text) {
		if !e.first.has(m.text[pos]) {
			return false
		}
	} else if e.first != anyRune {
		return false
	}
	m.start = pos
	m.depth = deepest
	m.loops = m.loops[:0]
	m.groups, m.opened = m.groups[:0], m.opened[:0]
	for range e.groups {
		m.groups = append(m.groups, -1, -1)
		m.opened = append(m.opened, -1)
	}
	return m.run(e.start, pos)
}

// run matches in and what follows it; end says where that ends.
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
			before := m.opened[in.n]
			m.opened[in.n] = pos
			if m.run(in.next, pos) {
				return true
			}
			m.opened[in.n] = before
			return false
		case opClose:
			from, to := m.groups[2*in.n], m.groups[2*in.n+1]
			m.groups[2*in.n], m.groups[2*in.n+1] = min(m.opened[in.n], pos), max(m.opened[in.n], pos)
			if m.run(in.next, pos) {
				return true
			}
			m.groups[2*in.n], m.groups[2*in.n+1] = from, to
			return false
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

// step is the place behind the character at pos, -1 when it does not match.
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
		m.steps -= wideSteps
	}
	if !in.char.has(r) {
		return -1
	}
	return next
}

// same is the place behind s at pos, -1 when it is not there.
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

// chars reads a character many times. Unless it is done, next is to be tried
// at pos; if it is, -1 means that nothing matched.
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

// loop matches the body of in another time or goes on behind it. It was matched
// count times, last at last.
func (m *matcher) loop(in *inst, pos, count, last int) bool {
	// A body that matched nothing would do so for ever.
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

// loopEnd goes on with the loop whose body ended at pos.
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

// at reports whether pos is the place that o is about.
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
	left := pos > 0 && syntax.IsWordChar(m.text[pos-1])
	right := pos < len(m.text) && syntax.IsWordChar(m.text[pos])
	return (left != right) == (o == opBoundary)
}
