package match

import (
	"math/bits"
	"regexp/syntax"
	"slices"
	"unicode"
)

// A Shape is an expression in the simple form of most rules: a sequence of literals and runs of bytes of a class. It is
// matched against the text at its word, and mostly fails within a few bytes; an expression of package regexp, though
// linear, takes microseconds to start.
type Shape struct {
	parts      []part
	secret     [2]int // range of the parts that are the secret
	boundStart bool   // \b before it
	boundEnd   bool   // \b after it
	behind     *set   // what must follow unless the text ends; nil for anything
}

// A part is a run of bytes of a class.
type part struct {
	set         *set
	least, most int
	clear       bool // the next part begins with other bytes, so that only the longest run can match
}

// A set is a class of bytes.
type set [4]uint64

func (s *set) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }
func (s *set) add(c byte)      { s[c>>6] |= 1 << (c & 63) }

func (s *set) size() int {
	return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) + bits.OnesCount64(s[2]) + bits.OnesCount64(s[3])
}

func (s *set) meets(t *set) bool {
	return s[0]&t[0]|s[1]&t[1]|s[2]&t[2]|s[3]&t[3] != 0
}

// longestRun limits a run that the expression does not limit.
const longestRun = 4096

// maxShapes limits the number of shapes of an expression with alternatives.
const maxShapes = 64

// Shapes expands an expression to shapes: each of its matches matches one of them. It returns nil for expressions of
// other forms.
func Shapes(expr string) []Shape {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	shapes, ok := appendExpr(re, []Shape{{}})
	if !ok {
		return nil
	}
	for i := range shapes {
		s := &shapes[i]
		if s.secret == [2]int{} {
			s.secret = [2]int{0, len(s.parts)}
		}
		for j := range s.parts[:max(0, len(s.parts)-1)] {
			next := s.parts[j+1]
			s.parts[j].clear = next.least > 0 && !s.parts[j].set.meets(next.set)
		}
	}
	return shapes
}

// appendExpr appends an expression to each of the shapes. It returns false if the result does not have the form of
// shapes.
func appendExpr(re *syntax.Regexp, to []Shape) ([]Shape, bool) {
	if len(to) > maxShapes {
		return nil, false
	}
	switch re.Op {
	case syntax.OpEmptyMatch:
		return to, true
	case syntax.OpLiteral:
		return appendLiteral(re, to)
	case syntax.OpCharClass:
		return appendPart(to, part{set: setOf(re), least: 1, most: 1})
	case syntax.OpQuest, syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		return appendRepeat(re, to)
	case syntax.OpCapture:
		return appendCapture(re, to)
	case syntax.OpConcat:
		return appendConcat(re, to)
	case syntax.OpAlternate:
		return appendAlternatives(re, to)
	}
	return nil, false
}

func appendPart(to []Shape, p part) ([]Shape, bool) {
	for i := range to {
		if to[i].behind != nil || to[i].boundEnd { // nothing may follow the end
			return nil, false
		}
		to[i].parts = append(slices.Clip(to[i].parts), p)
	}
	return to, true
}

func appendLiteral(re *syntax.Regexp, to []Shape) ([]Shape, bool) {
	ok := true
	for _, r := range re.Rune {
		if r >= 0x80 || !ok {
			return nil, false
		}
		to, ok = appendPart(to, part{set: setOfByte(byte(r), re.Flags), least: 1, most: 1})
	}
	return to, ok
}

// setOfByte returns the set of a byte, with its other case if the expression ignores case.
func setOfByte(c byte, flags syntax.Flags) *set {
	of := new(set)
	of.add(c)
	if flags&syntax.FoldCase != 0 && isLetter(c) {
		of.add(c ^ 0x20)
	}
	return of
}

func appendRepeat(re *syntax.Regexp, to []Shape) ([]Shape, bool) {
	if p, ok := repeated(re); ok && re.Flags&syntax.NonGreedy == 0 {
		return appendPart(to, p)
	}
	if re.Op == syntax.OpQuest { // (?:...)?: with it and without
		with, ok := appendExpr(re.Sub[0], slices.Clone(to))
		return append(with, to...), ok
	}
	return nil, false
}

// appendCapture appends a group. The first one is the secret.
func appendCapture(re *syntax.Regexp, to []Shape) ([]Shape, bool) {
	if len(to) != 1 { // alternatives before the secret: each has its own start
		var all []Shape
		for _, s := range to {
			some, ok := appendExpr(re, []Shape{s})
			if !ok {
				return nil, false
			}
			all = append(all, some...)
		}
		return all, true
	}
	start := len(to[0].parts)
	inside, ok := appendExpr(re.Sub[0], to)
	for i := range inside {
		if inside[i].secret == [2]int{} || re.Cap == 1 { // the first group is the secret, whatever is inside
			inside[i].secret = [2]int{start, len(inside[i].parts)}
		}
	}
	return inside, ok
}

// appendConcat appends a sequence of expressions. The first and the last may be bounds.
func appendConcat(re *syntax.Regexp, to []Shape) ([]Shape, bool) {
	last := len(re.Sub) - 1
	for i, sub := range re.Sub {
		ok := true
		switch {
		case sub.Op == syntax.OpWordBoundary && i == 0:
			ok = boundStarts(to)
		case sub.Op == syntax.OpWordBoundary && i == last:
			for j := range to {
				to[j].boundEnd = true
			}
		case i == last && isEnd(sub):
			for j := range to {
				to[j].behind = endOf(sub)
			}
		default:
			to, ok = appendExpr(sub, to)
		}
		if !ok {
			return nil, false
		}
	}
	return to, true
}

// boundStarts sets a bound before the first part. It returns false if there is a part already.
func boundStarts(to []Shape) bool {
	for i := range to {
		if len(to[i].parts) > 0 {
			return false
		}
		to[i].boundStart = true
	}
	return true
}

func appendAlternatives(re *syntax.Regexp, to []Shape) ([]Shape, bool) {
	var all []Shape
	for _, sub := range re.Sub {
		some, ok := appendExpr(sub, slices.Clone(to))
		if !ok || len(all) > maxShapes {
			return nil, false
		}
		all = append(all, some...)
	}
	return all, true
}

func repeated(re *syntax.Regexp) (part, bool) {
	sub := re.Sub[0]
	for sub.Op == syntax.OpCapture {
		sub = sub.Sub[0]
	}
	var of *set
	switch {
	case sub.Op == syntax.OpCharClass:
		of = setOf(sub)
	case sub.Op == syntax.OpLiteral && len(sub.Rune) == 1 && sub.Rune[0] < 0x80:
		of = setOfByte(byte(sub.Rune[0]), sub.Flags)
	default:
		return part{}, false
	}
	p := part{set: of, least: re.Min, most: re.Max}
	switch re.Op {
	case syntax.OpQuest:
		p.least, p.most = 0, 1
	case syntax.OpStar:
		p.least, p.most = 0, longestRun
	case syntax.OpPlus:
		p.least, p.most = 1, longestRun
	}
	if p.most < 0 {
		p.most = longestRun
	}
	return p, true
}

// setOf returns the class of an expression: its bytes below 0x80, and all others if it is a negated class.
func setOf(re *syntax.Regexp) *set {
	of := new(set)
	for i := 0; i < len(re.Rune); i += 2 {
		for r := re.Rune[i]; r <= min(re.Rune[i+1], 0x7f); r++ {
			of.add(byte(r))
		}
		if re.Rune[i+1] == unicode.MaxRune { // of a negated class
			for c := 0x80; c < 0x100; c++ {
				of.add(byte(c))
			}
		}
	}
	return of
}

// isEnd reports whether an expression is an end of a secret: one byte of a class, or the end of the text.
func isEnd(re *syntax.Regexp) bool {
	if re.Op != syntax.OpAlternate {
		return false
	}
	ends := false
	for _, sub := range re.Sub {
		switch sub.Op {
		case syntax.OpEndText, syntax.OpEndLine:
			ends = true
		case syntax.OpCharClass, syntax.OpLiteral:
		default:
			return false
		}
	}
	return ends
}

// endOf returns the bytes that may follow a secret.
func endOf(re *syntax.Regexp) *set {
	of := new(set)
	for _, sub := range re.Sub {
		switch sub.Op {
		case syntax.OpCharClass:
			for c, part := 0, setOf(sub); c < 256; c++ {
				if part.has(byte(c)) {
					of.add(byte(c))
				}
			}
		case syntax.OpLiteral:
			if sub.Rune[0] < 0x80 {
				of.add(byte(sub.Rune[0]))
			}
		}
	}
	return of
}

// Match matches the shape against the text at i and returns the place of the secret and the end of the match.
func (s *Shape) Match(text []byte, i int) (start, stop, end int, ok bool) {
	if s.boundStart && i > 0 && isWordByte(text[i-1]) && !isEscaped(text, i-1) { // all shapes begin with a word byte
		return
	}
	var ends [48]int // ends of the parts; no rule has that many
	if n := len(s.parts); n == 0 || n >= len(ends) || !s.from(0, text, i, &ends) {
		return
	}
	start = i
	if s.secret[0] > 0 {
		start = ends[s.secret[0]-1]
	}
	return start, ends[s.secret[1]-1], ends[len(s.parts)-1], true
}

// Offset returns the number of bytes of a match before a word, -1 if it is not the same for all matches or the word is
// not in them.
func (s *Shape) Offset(word string) int {
	var fixed []*set // the bytes at the beginning of matches
	for _, p := range s.parts {
		for range p.least {
			fixed = append(fixed, p.set)
		}
		if p.least != p.most || len(fixed) > 256 {
			break
		}
	}
	for at := 0; at+len(word) <= len(fixed); at++ {
		fits, literal := true, 0
		for j := range len(word) {
			of := fixed[at+j]
			if fits = of.has(word[j]) || of.has(word[j]^0x20) && isLetter(word[j]); !fits {
				break
			}
			if of.size() <= 2 {
				literal++
			}
		}
		if fits && literal >= 2 {
			return at
		}
	}
	return -1
}

// Holds reports whether the literals of the shape may contain the word.
func (s *Shape) Holds(word string) bool {
	for at := 0; at+len(word) <= len(s.parts); at++ {
		fits := true
		for j := 0; fits && j < len(word); j++ {
			p := s.parts[at+j]
			fits = p.least == 1 && p.most == 1 && (p.set.has(word[j]) || isLetter(word[j]) && p.set.has(word[j]^0x20))
		}
		if fits {
			return true
		}
	}
	return false
}

// from matches the parts from k on against the text at i.
func (s *Shape) from(k int, text []byte, i int, ends *[48]int) bool {
	for ; k < len(s.parts); k++ {
		p := &s.parts[k]
		n := p.run(text, i)
		if n < p.least {
			return false
		}
		if n > p.least && !p.clear && (k+1 < len(s.parts) || s.boundEnd || s.behind != nil && s.behind.meets(p.set)) {
			for ; n >= p.least; n-- {
				ends[k] = i + n
				if s.from(k+1, text, i+n, ends) {
					return true
				}
			}
			return false
		}
		i += n
		ends[k] = i
	}
	return s.mayEnd(text, i)
}

// run returns how many bytes of the text at i belong to the part, at most its maximum.
func (p *part) run(text []byte, i int) int {
	n := 0
	for n < p.most && i+n < len(text) && p.set.has(text[i+n]) {
		n++
	}
	return n
}

// mayEnd reports whether the text at i may follow a match.
func (s *Shape) mayEnd(text []byte, i int) bool {
	if s.boundEnd && (i > 0 && isWordByte(text[i-1])) == (i < len(text) && isWordByte(text[i])) {
		return false
	}
	return s.behind == nil || i >= len(text) || s.behind.has(text[i])
}

func isWordByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' && c < 0x80 || '0' <= c && c <= '9' || c == '_'
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' && c < 0x80 }

// isEscaped reports whether the byte at i ends an escape, like \n or, in a URL, %20.
func isEscaped(text []byte, i int) bool {
	return i > 0 && text[i-1] == '\\' && (text[i] == 'n' || text[i] == 'r' || text[i] == 't') ||
		i > 1 && text[i-2] == '%' && isHex(text[i-1]) && isHex(text[i])
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
