package highlight

import "strings"

const (
	cWords = "volatile continue register default typedef extern switch sizeof static return union while const " +
		"break goto enum else case auto for asm if do struct restrict inline thread_local _Atomic _Noreturn " +
		"_Static_assert __attribute__ __inline __restrict __asm__ __volatile__"
	cTypes  = "bool int long float short double char unsigned signed void wchar_t _Bool _Complex"
	cppMore = "alignas alignof catch co_await co_return co_yield concept const_cast consteval constexpr constinit " +
		"decltype delete dynamic_cast explicit export final friend mutable namespace new noexcept nullptr " +
		"operator override private protected public reinterpret_cast requires static_assert static_cast template " +
		"this throw throws try typeid typename using virtual"
)

var c = grammar{
	words: []wordList{
		{class: 'k', words: cWords},
		{class: 't', words: cTypes + " true false NULL"},
	},
	delims:   cDelims,
	prefixes: cPrefixes,
	call:     'f',
	hooks:    "#",
	hook:     cDirective,
	onWord:   cWord,
}

var cpp = grammar{
	words: []wordList{
		{class: 'k', next: 't', words: "class struct enum union"},
		{class: 'k', words: cWords + " " + cppMore},
		{class: 't', words: cTypes + " char8_t char16_t char32_t true false NULL"},
	},
	delims:   cDelims,
	prefixes: cPrefixes,
	declare:  'f',
	seps:     "'",
	hooks:    "#",
	hook:     cDirective,
	onWord:   cppWord,
}

var cDelims = []delim{
	{class: 'c', open: "//", shut: "\n", escape: '\\'},
	{class: 'c', open: "/*", shut: "*/", lines: true},
	{class: 's', open: `"`, shut: `"`, escape: '\\'},
	{class: 's', open: "'", shut: "'", escape: '\\'},
}

var cPrefixes = map[string][]delim{"l": cDelims[2:], "u": cDelims[2:], "u8": cDelims[2:]}

// cDirective reads lines of the preprocessor and the comments in them. Code that "#if 0" excludes is a comment.
func cDirective(l *lexer, i int) bool {
	if !l.lineStart(i) {
		return false
	}
	src := l.src
	start := i
	line := src[i:l.lineEnd(i)]
	for i < len(src) {
		switch c := src[i]; {
		case c == '\n':
			l.tok('p', start, i)
			if word := strings.TrimLeft(line[1:], " \t"); strings.HasPrefix(word, "if 0") {
				l.skipped()
			}
			return true
		case c == '\\':
			i++
		case c == '"':
			i = jsonString(src, i) - 1
		case c == '/' && i+1 < len(src) && src[i+1] == '/':
			l.tok('p', start, i)
			return true
		case c == '/' && i+1 < len(src) && src[i+1] == '*':
			l.tok('p', start, i)
			end := after(src, i+2, "*/")
			l.tok('c', i, end)
			start, i = end, end-1
		}
		i++
	}
	l.tok('p', start, len(src))
	return true
}

// skipped reads the code that "#if 0" excludes, up to the directive that ends it.
func (l *lexer) skipped() {
	depth := 0
	start := l.pos
	for i := start; i < len(l.src); {
		end := l.lineEnd(i)
		if word, ok := strings.CutPrefix(strings.TrimLeft(l.src[i:end], " \t"), "#"); ok {
			word = strings.TrimLeft(word, " \t")
			switch {
			case strings.HasPrefix(word, "if"):
				depth++
			case depth == 0 && (strings.HasPrefix(word, "el") || strings.HasPrefix(word, "endif")):
				l.tok('c', start, i)
				return
			case strings.HasPrefix(word, "endif"):
				depth--
			}
		}
		i = end + 1
	}
	l.tok('c', start, len(l.src))
}

// cWord recognizes the names of types by their ending.
func cWord(l *lexer, start, end int) bool {
	if !strings.HasSuffix(l.src[start:end], "_t") || l.prev == '.' {
		return false
	}
	l.tok('t', start, end)
	l.prev, l.next = 'a', 0
	return true
}

// cppWord also reads raw strings: R"x( )x".
func cppWord(l *lexer, start, end int) bool {
	if l.at(end) != '"' || l.src[end-1] != 'R' || end-start > 3 {
		return cWord(l, start, end)
	}
	n := strings.IndexByte(l.src[end:min(len(l.src), end+20)], '(')
	if n < 0 {
		return false
	}
	l.until('s', start, end+n, ")"+l.src[end+1:end+n]+`"`)
	return true
}
