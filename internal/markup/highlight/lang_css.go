package highlight

import "strings"

// css reads CSS and, with nested rules and "//", SCSS and Less.
type css struct {
	src    string
	emit   func(class byte, end int)
	nested bool
	// Classes: of a class with its dot, and of a property.
	dot, property byte
}

func scanCSS(src string, emit func(class byte, end int)) {
	s := css{src: src, emit: emit, property: 'k'}
	s.run()
}

func scanSCSS(src string, emit func(class byte, end int)) {
	s := css{src: src, emit: emit, nested: true, dot: 1, property: 't'}
	s.run()
}

// cssValues are the most common of several hundred values.
var cssValues = newWordTable(
	wordList{class: 'n', words: "absolute all-scroll alternate always auto avoid balance baseline block " +
		"border-box bold bolder both bottom break-all break-word capitalize center circle collapse column " +
		"column-reverse contain content-box context-menu cover crosshair currentColor currentcolor cursive dashed " +
		"default dense disc dotted double ease ease-in ease-in-out ease-out ellipsis end fantasy fill fit-content " +
		"fixed flex flex-end flex-start flow-root forwards from grid groove hidden horizontal infinite inherit " +
		"initial inline inline-block inline-flex inline-grid inset inside italic justify keep-all landscape large " +
		"larger left lighter linear local lowercase manipulation max-content medium middle min-content minmax " +
		"monospace move multiply no-drop no-repeat none normal not-allowed nowrap oblique only outset outside " +
		"overline padding-box pointer portrait pre pre-line pre-wrap relative repeat repeat-x repeat-y reverse " +
		"ridge right row row-reverse running sans-serif screen scroll separate serif small small-caps smaller " +
		"solid space-around space-between space-evenly square start static step-end step-start sticky stretch sub " +
		"subpixel-antialiased super table table-cell table-row text thick thin to top transparent underline unset " +
		"uppercase vertical visible wait wrap xx-large xx-small x-large x-small zoom-in zoom-out " +
		"aqua beige black blue brown coral crimson cyan fuchsia gold gray green grey indigo ivory khaki lavender " +
		"lime magenta maroon navy olive orange orchid pink plum purple red salmon silver tan teal tomato " +
		"transparent turquoise violet wheat white whitesmoke yellow rebeccapurple"},
	wordList{class: 't', words: "attr blur brightness calc circle clamp contrast counter cubic-bezier drop-shadow " +
		"ellipse grayscale hsl hsla hwb inset invert linear-gradient matrix matrix3d opacity perspective polygon " +
		"radial-gradient rect repeating-linear-gradient rgb rgba rotate rotate3d rotateX rotateY rotateZ saturate " +
		"scale scale3d scaleX scaleY scaleZ sepia skewX skewY steps symbols toggle translate translate3d " +
		"translateX translateY translateZ"},
)

func (s *css) tok(class byte, start, end int) {
	s.emit(0, start)
	s.emit(class, end)
}

func (s *css) run() {
	for i := 0; i < len(s.src); {
		switch c := s.src[i]; {
		case c <= ' ' || c == ';' || c == '{' || c == '}':
			i++
		case c == '/' && s.comment(i) > i:
			end := s.comment(i)
			s.tok('c', i, end)
			i = end
		default:
			end, block := s.statement(i)
			switch {
			case c == '@':
				s.rule(i, end)
			case block:
				s.selector(i, end)
			default:
				s.declaration(i, end)
			}
			i = end
		}
	}
}

// rule reads "@name" and its arguments.
func (s *css) rule(i, end int) {
	stop := s.word(i + 1)
	name := s.src[i+1 : stop]
	if !s.nested {
		s.tok('k', i+1, stop)
		s.selector(stop, end)
		return
	}
	s.tok('k', i, stop)
	class := byte(0)
	switch name {
	case "include":
		class = 'p'
	case "mixin", "function":
		class = 'f'
	case "extend":
		class = 't'
	}
	if class != 0 {
		for stop < end && (s.src[stop] == ' ' || s.src[stop] == '.') {
			stop++
		}
		word := min(s.word(stop), end)
		s.tok(class, stop, word)
		stop = word
	}
	s.value(stop, end)
}

// comment returns the end of the comment at i, or i for none.
func (s *css) comment(i int) int {
	if i+1 < len(s.src) {
		switch s.src[i+1] {
		case '*':
			return after(s.src, i+2, "*/")
		case '/':
			if s.nested {
				if n := strings.IndexByte(s.src[i:], '\n'); n >= 0 {
					return i + n
				}
				return len(s.src)
			}
		}
	}
	return i
}

// statement returns the end of the statement at i, and whether a block follows.
func (s *css) statement(i int) (end int, block bool) {
	for i < len(s.src) {
		switch c := s.src[i]; c {
		case ';', '}':
			return i, false
		case '{':
			if i > 0 && s.src[i-1] == '#' { // code in a name: #{$x}
				for i < len(s.src) && s.src[i] != '}' && s.src[i] != '\n' {
					i++
				}
				break
			}
			return i, true
		case '"', '\'':
			i = jsonString(s.src, i) - 1
		case '/':
			if n := s.comment(i); n > i {
				i = n - 1
			}
		case '(':
			// url(data:a;b) is one thing.
			if strings.HasSuffix(s.src[:i], "url") {
				if n := strings.IndexAny(s.src[i:min(len(s.src), i+4096)], ")\n"); n > 0 {
					i += n
				}
			}
		}
		i++
	}
	return len(s.src), false
}

// word returns the end of the name at i.
func (s *css) word(i int) int {
	for i < len(s.src) && (s.src[i] == '-' || s.src[i] == '_' || s.src[i] >= '0' && s.src[i] <= '9' ||
		s.src[i]|0x20 >= 'a' && s.src[i]|0x20 <= 'z' || s.src[i] >= 0x80) {
		i++
	}
	return i
}

// quoted reads the comment or the string at i and returns its end, or i if there is neither.
func (s *css) quoted(i, end int) int {
	switch c := s.src[i]; {
	case c == '/' && s.comment(i) > i:
		stop := min(s.comment(i), end)
		s.tok('c', i, stop)
		return stop
	case c == '"' || c == '\'':
		stop := min(jsonString(s.src, i), end)
		s.tok('s', i, stop)
		return stop
	}
	return i
}

func (s *css) selector(i, end int) {
	for i < end {
		c := s.src[i]
		if stop := s.quoted(i, end); stop > i {
			i = stop
			continue
		}
		stop := min(s.word(i+1), end)
		switch {
		case c == '.' && stop > i+1:
			s.tok('t', i+1-int(s.dot), stop)
		case c == ':':
			if stop == i+1 && stop < end && s.src[stop] == ':' {
				stop = min(s.word(stop+1), end)
			}
			name := i + len(s.src[i:stop]) - len(strings.TrimLeft(s.src[i:stop], ":"))
			if s.dot == 1 {
				name = i
			}
			s.tok('p', name, stop)
		case c == '&' && s.nested:
			stop = i + 1
			s.tok('k', i, stop)
		case c == '#':
		case s.word(i) > i:
			s.tok('k', i, stop)
		default:
			stop = i + 1
		}
		i = stop
	}
}

// declaration reads "name: value".
func (s *css) declaration(i, end int) {
	if c := s.src[i]; c == '$' || c == '@' {
		s.value(min(s.word(i+1), end), end)
		return
	}
	stop := min(s.word(i), end)
	if !strings.HasPrefix(s.src[i:], "--") {
		s.tok(s.property, i, stop)
	}
	s.value(stop, end)
}

func (s *css) value(i, end int) {
	for i < end {
		if stop := s.quoted(i, end); stop > i {
			i = stop
			continue
		}
		c := s.src[i]
		stop := min(s.word(i+1), end)
		switch {
		case c == '#' && stop > i+1:
			s.tok('n', i, stop)
		case c == '!':
			class := byte('p')
			if s.nested {
				class = 'k'
			}
			s.tok(class, i, stop)
		case isDigitByte(c) || (c == '.' || c == '-' || c == '+') && i+1 < end && isNumberByte(s.src[i+1]):
			stop = s.number(i, end)
		case c == '$':
		case c == '-' && strings.HasPrefix(s.src[i:], "--"):
		case s.word(i) > i:
			s.name(i, stop, end)
			if s.src[i:stop] == "url" {
				stop = s.url(stop, end)
			}
		default:
			stop = i + 1
		}
		i = stop
	}
}

// number reads the number at i, and its unit.
func (s *css) number(i, end int) int {
	n := i + 1
	for n < end && isNumberByte(s.src[n]) {
		n++
	}
	s.tok('n', i, n)
	stop := min(s.word(n), end)
	if n < end && s.src[n] == '%' {
		stop = n + 1
	}
	s.tok('t', n, stop)
	return stop
}

func isNumberByte(c byte) bool { return isDigitByte(c) || c == '.' }

// url reads the contents of the brackets at i, if they are closed.
func (s *css) url(i, end int) int {
	if i == end || s.src[i] != '(' {
		return i
	}
	n := strings.IndexByte(s.src[i+1:end], ')')
	if n < 0 {
		return i
	}
	s.tok('s', i+1, i+1+n)
	return i + 1 + n
}

// name reads a word of a value.
func (s *css) name(i, stop, end int) {
	w, ok := cssValues.find(s.src[i:stop])
	switch {
	case stop < end && s.src[stop] == '(':
		if s.nested || !ok || w.class != 't' {
			if w.class = 'f'; s.src[i:stop] == "url" {
				w.class = 't'
			}
		}
		s.tok(w.class, i, stop)
	case ok && w.class == 'n':
		s.tok('n', i, stop)
	}
}
