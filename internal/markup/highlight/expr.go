package highlight

import (
	"fmt"

	"github.com/dlclark/regexp2/v2/syntax"
)

// Regular expressions of chroma's rules are parsed by regexp2 and compiled for the matcher of this package.

// An expr is a regular expression. It matches at a given position and does not search.
type expr struct {
	start  *inst
	groups int
	first  runeSet // the characters that may start a match; anyRune if the match may be empty
}

// An inst is one instruction. If it matches, next is tried.
type inst struct {
	op   op
	next *inst
	char charTest
	back bool    // matches to the left, in a lookbehind
	str  []rune  // opString
	alts []*inst // opAlt
	body *inst   // opLoop, opLook and similar
	min  int     // opLoop, opChars
	max  int
	n    int // opOpen, opClose, opRef: the group
	fold bool
}

type op uint8

const (
	opStop op = iota // the end of an expr, or of the body of a lookaround
	opFail
	opChar
	opString
	opRef
	opChars // a repeated char
	opCharsLazy
	opCharsAtomic
	opAlt
	opLoop
	opLoopLazy
	opLoopEnd // after the body: the loop continues
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
	opStart       // the start of the match
	opBoundary
	opNotBoundary
)

// A charTest tells which characters match.
type charTest struct {
	set   *syntax.CharSet // nil for one character
	ch    rune
	not   bool
	ascii [2]uint64 // the ASCII characters of the set
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

// A runeSet is a set of ASCII characters that may start a match; other is set for all remaining characters.
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

// node compiles n, followed by next.
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
	case syntax.NtConcatenate: // in a lookbehind the parts are in the order of matching
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
		if n.N >= 0 { // (?<a-b>...) is a balancing group; chroma has none
			c.err = fmt.Errorf("a balancing group")
		}
		in.op = opOpen
		in.next = c.node(n.Children[0], &inst{op: opClose, n: n.M, next: next})
	case syntax.NtPosLook:
		in.op, in.body = opLook, c.node(n.Children[0], &inst{op: opStop})
	case syntax.NtNegLook:
		in.op, in.body = opNotLook, c.node(n.Children[0], &inst{op: opStop})
	case syntax.NtAtomic:
		in.op, in.body = opAtomic, c.node(n.Children[0], &inst{op: opStop})
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
		c.ascii = asciiOf(c.set)
	}
	return c
}

// asciiOf returns the ASCII characters of a set.
func asciiOf(set *syntax.CharSet) (ascii [2]uint64) {
	const few = 4 // most sets are the two cases of a letter
	if chars := set.GetSetChars(few); len(chars) > 0 && !set.IsNegated() {
		for _, r := range chars {
			if r < 128 {
				ascii[r>>6] |= 1 << (r & 63)
			}
		}
		return ascii
	}
	for r := range rune(128) {
		if set.CharIn(r) {
			ascii[r>>6] |= 1 << (r & 63)
		}
	}
	return ascii
}

// firstOf returns the characters that may start a match of n, and whether the match may be empty.
func firstOf(n *syntax.RegexNode) (first runeSet, empty bool) {
	switch n.T {
	case syntax.NtOne, syntax.NtNotone, syntax.NtSet,
		syntax.NtOneloop, syntax.NtNotoneloop, syntax.NtSetloop,
		syntax.NtOnelazy, syntax.NtNotonelazy, syntax.NtSetlazy,
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
	return first, true // zero-width
}
