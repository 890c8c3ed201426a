package highlight

import "strings"

// A lexer is the state of a scan.
type lexer struct {
	*tables
	src   string
	pos   int
	done  int // the end of the last part that was emitted
	emit  func(class byte, end int)
	prev  byte // the last byte that is not blank, 'a' after a name or a literal, 'k' after a keyword
	next  byte // class that the last word gives to the next name
	stack []interpolation
	mode  int // for hooks
	depth int // for hooks
	// For the shell: depth at which a value is assigned, from 1; 0 for none.
	assign int
	// A hook has found nothing up to here.
	unclosed int
	pending  []heredoc // start on the next line
}

// An interpolation is code inside a string, or inside whatever resume continues with after its end.
type interpolation struct {
	in     *delim
	depth  int  // number of open brackets in it
	format bool // the scan is after the ":" of a spec
	end    byte
	resume func(l *lexer)
	mode   int
	level  int
}

// tok gives src[start:end] a class and moves to its end.
func (l *lexer) tok(class byte, start, end int) {
	if class != 0 && end > start {
		if start > l.done {
			l.emit(0, start)
		}
		l.emit(class, end)
		l.done = end
	}
	l.pos = end
}

func (l *lexer) run() {
	src := l.src
	if strings.HasPrefix(src, "#!/") || strings.HasPrefix(src, "#! /") {
		l.tok('p', 0, l.lineEnd(0))
	}
	for l.pos < len(src) {
		i := l.pos
		c := src[i]
		switch l.kind[c] {
		case isBlank:
			l.pos++
		case isNewline:
			l.pos++
			l.next = 0
			l.leaveLine()
			if l.hooked[c] {
				l.hook(l, i)
			}
		case isLetter:
			l.name(i)
		case isDigit:
			l.tok('n', i, number(src, i, l.seps))
			l.prev, l.next = 'a', 0
		case isMark:
			l.mark(i, c)
		default:
			l.prev, l.next = c, 0
			l.pos++
		}
	}
}

// mark reads the token that may begin with the byte c.
func (l *lexer) mark(i int, c byte) {
	src := l.src
	if l.hooked[c] && l.hook(l, i) {
		return
	}
	for _, d := range l.opens[c] {
		if strings.HasPrefix(src[i:], d.open) {
			l.text(d, i, i+len(d.open))
			return
		}
	}
	if c == '.' && i+1 < len(src) && src[i+1] >= '0' && src[i+1] <= '9' && l.prev != 'a' && l.prev != '.' {
		l.tok('n', i, number(src, i, l.seps))
		l.prev, l.next = 'a', 0
		return
	}
	if c == '.' && l.at(i+1) == '.' { // a range or a spread: the next name is not a member
		for l.at(i) == '.' {
			i++
		}
		l.prev, l.next = ',', 0
		l.pos = i
		return
	}
	if l.inName[c] && l.kind[c] == isMark && l.isFirst(c) {
		l.name(i)
		return
	}
	l.prev, l.next = c, 0
	l.pos = i + 1
	if len(l.stack) > 0 {
		l.bracket(c)
	}
}

// isFirst reports whether a byte with a hook may also start a name.
func (l *lexer) isFirst(c byte) bool {
	return isLetterByte(c) || c >= 0x80 || strings.IndexByte(l.first, c) >= 0
}

// bracket counts the open brackets of an interpolation, and leaves it at its end.
func (l *lexer) bracket(c byte) {
	h := &l.stack[len(l.stack)-1]
	switch c {
	case '(', '[', '{':
		h.depth++
	case ')', ']', '}':
		if h.depth == 0 && c == h.end {
			l.leave()
		} else if h.depth > 0 {
			if h.depth--; h.depth == 0 && h.format {
				l.format(h.in)
			}
		}
	case ':':
		if h.depth == 0 && h.in != nil && h.in.spec {
			h.format = true
			l.format(h.in)
		}
	}
}

// format reads the format of a value, up to code in it or the end of the interpolation. It has the class of the string.
func (l *lexer) format(d *delim) {
	start := l.pos
	for i := start; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '{' || c == '}' || c == '\n':
			l.tok(d.class, start, i)
			return
		case strings.HasPrefix(l.src[i:], d.shut):
			l.tok(d.class, start, i)
			l.leave()
			return
		}
	}
	l.tok(d.class, start, len(l.src))
}

// enter starts code in a string, or in what resume reads. pos is after the mark that opens it.
func (l *lexer) enter(h interpolation) {
	l.stack = append(l.stack, h)
	l.prev, l.next = '{', 0
}

// leave continues with what encloses the code at pos.
func (l *lexer) leave() {
	h := l.stack[len(l.stack)-1]
	l.stack = l.stack[:len(l.stack)-1]
	if h.resume != nil {
		l.mode, l.depth = h.mode, h.level
		h.resume(l)
		return
	}
	l.text(h.in, l.pos, l.pos)
}

// leaveLine leaves the interpolations of strings that end with their line.
func (l *lexer) leaveLine() {
	for len(l.stack) > 0 {
		h := &l.stack[len(l.stack)-1]
		if h.in == nil || h.in.lines {
			return
		}
		l.stack = l.stack[:len(l.stack)-1]
	}
}

// text reads d, which starts at start. It continues at i and stops at the end of d or at code in it.
func (l *lexer) text(d *delim, start, i int) {
	src := l.src
	depth := 0
	for ; i < len(src); i++ {
		c := src[i]
		if !d.stops[c] {
			continue
		}
		if c == d.escape && d.code != "" && d.code[0] == c && strings.HasPrefix(src[i:], d.code) {
			l.interpolate(d, start, i)
			return
		}
		switch {
		case c == d.escape && c != 0 && !(d.double && c == d.shut[0]):
			i++
		case c == d.shut[0] && strings.HasPrefix(src[i:], d.shut):
			if d.shut == "\n" {
				l.close(d, start, i)
				return
			}
			i += len(d.shut)
			if d.double && strings.HasPrefix(src[i:], d.shut) {
				i += len(d.shut) - 1
				continue
			}
			if depth > 0 {
				depth--
				i--
				continue
			}
			l.close(d, start, i)
			return
		case c == '\n' && !d.lines:
			l.close(d, start, i)
			return
		case d.code != "" && strings.HasPrefix(src[i:], d.code):
			if d.twice && strings.HasPrefix(src[i+len(d.code):], d.code) {
				i += 2*len(d.code) - 1
				continue
			}
			l.interpolate(d, start, i)
			return
		case d.vars && c == '$' && i+1 < len(src) && l.isFirst(src[i+1]):
			l.tok(d.class, start, i)
			start = l.nameEnd(i + 1)
			i = start - 1
		case d.nest && strings.HasPrefix(src[i:], d.open):
			depth++
			i += len(d.open) - 1
		}
	}
	l.close(d, start, len(src))
}

// close ends a delim at end.
func (l *lexer) close(d *delim, start, end int) {
	l.tok(d.class, start, end)
	if d.class != 'c' {
		l.prev, l.next = 'a', 0
	}
}

// interpolate starts the code at i in the string d.
func (l *lexer) interpolate(d *delim, start, i int) {
	l.tok(d.class, start, i)
	l.pos = i + len(d.code)
	end := byte('}')
	if d.code[len(d.code)-1] == '(' {
		end = ')'
	}
	l.enter(interpolation{in: d, end: end})
}

// until emits a token from start to the end of the next shut at or after i, or to the end of src.
func (l *lexer) until(class byte, start, i int, shut string) {
	if n := strings.Index(l.src[i:], shut); n >= 0 {
		l.tok(class, start, i+n+len(shut))
	} else {
		l.tok(class, start, len(l.src))
	}
	l.prev, l.next = 'a', 0
}

// name reads the name at i and finds its class.
func (l *lexer) name(i int) {
	src := l.src
	end := i + 1
	for end < len(src) && l.inName[src[end]] {
		end++
	}
	if l.prefixes != nil && end < len(src) && (src[end] == '"' || src[end] == '\'') && l.prefixed(i, end) {
		return
	}
	if l.onWord != nil && l.onWord(l, i, end) {
		return
	}
	next := l.next
	l.next = 0
	if l.prev != '.' || l.dotted {
		if w, ok := l.find(src[i:end]); ok {
			l.tok(w.class, i, end)
			l.next = w.next
			l.prev = 'a'
			if w.class == 'k' {
				l.prev = 'k'
			}
			return
		}
	}
	declares := l.declare != 0 && l.prev == 'a'
	member := l.member != 0 && l.prev == '.'
	l.prev = 'a'
	l.pos = end
	switch {
	case next != 0:
		l.tok(next, i, end)
	case l.call != 0 && l.calls(end):
		l.tok(l.call, i, end)
	case declares && l.calls(end):
		l.tok(l.declare, i, end)
	case member:
		l.tok(l.member, i, end)
	}
}

func (l *lexer) find(s string) (word, bool) {
	if !l.fold {
		return l.named.find(s)
	}
	var low [32]byte
	if len(s) > len(low) {
		return word{}, false
	}
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		low[i] = c
	}
	return l.named.find(string(low[:len(s)]))
}

// calls reports whether "(" follows, on the same line.
func (l *lexer) calls(i int) bool {
	for i < len(l.src) && l.src[i] == ' ' {
		i++
	}
	return i < len(l.src) && l.src[i] == '('
}

// prefixed reads the string that the word src[start:end] belongs to.
func (l *lexer) prefixed(start, end int) bool {
	all, ok := l.prefixes[l.src[start:end]]
	if !ok {
		if all, ok = l.prefixes[strings.ToLower(l.src[start:end])]; !ok {
			return false
		}
	}
	for i := range all {
		if d := &all[i]; strings.HasPrefix(l.src[end:], d.open) {
			l.text(d, start, end+len(d.open))
			return true
		}
	}
	return false
}

// lineStart reports whether only blanks precede i on its line.
func (l *lexer) lineStart(i int) bool {
	for i > 0 && (l.src[i-1] == ' ' || l.src[i-1] == '\t') {
		i--
	}
	return i == 0 || l.src[i-1] == '\n'
}

// lineEnd returns the end of the line that i is in.
func (l *lexer) lineEnd(i int) int {
	if n := strings.IndexByte(l.src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(l.src)
}

// nameEnd returns the end of the name at i.
func (l *lexer) nameEnd(i int) int {
	for i < len(l.src) && l.inName[l.src[i]] {
		i++
	}
	return i
}

// at returns src[i], or 0 beyond the end.
func (l *lexer) at(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

// number returns the end of the number at i: digits and letters (0x2f, 10_000u64, 1e9f), one dot that no letter or
// other dot follows, a sign in an exponent, and a byte of seps between digits.
func number(src string, i int, seps string) int {
	hex := i+1 < len(src) && src[i] == '0' && src[i+1]|0x20 == 'x'
	dot := false
	for ; i < len(src); i++ {
		switch c := src[i]; {
		case isDigitByte(c) || isLetterByte(c):
			if isExponent(src[i:], hex) {
				i++
			}
		case c == '.' && !dot:
			dot = true
			if i+1 < len(src) && (src[i+1] == '.' || isLetterByte(src[i+1])) {
				return i
			}
		case seps != "" && strings.IndexByte(seps, c) >= 0 && i+1 < len(src) && isHexByte(src[i+1]):
		default:
			return i
		}
	}
	return i
}

// isExponent reports whether s begins like "e-1", or "p-1" in a hexadecimal number.
func isExponent(s string, hex bool) bool {
	e := s[0] | 0x20
	return (e == 'e' && !hex || e == 'p' && hex) && len(s) > 2 && (s[1] == '+' || s[1] == '-') && isDigitByte(s[2])
}

func isDigitByte(c byte) bool { return c >= '0' && c <= '9' }

// isLetterByte reports whether names of most languages can begin with c.
func isLetterByte(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isHexByte(c byte) bool { return isDigitByte(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
