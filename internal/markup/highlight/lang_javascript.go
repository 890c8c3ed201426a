package highlight

import "strings"

// JavaScript and TypeScript, with JSX elements in files that may have them.

var javascript = grammar{
	words: []wordList{
		{class: 'k', words: "for in while do break return continue switch case default if else throw try catch " +
			"finally new delete typeof instanceof void yield this of var let with function abstract async await " +
			"class const debugger enum export extends from get implements import interface package private " +
			"protected public set static super as"},
		{class: 'n', words: "true false null NaN Infinity undefined"},
		{class: 't', words: "Array Boolean Date Error Function Map Math Number Object Promise Proxy RegExp Set " +
			"String Symbol WeakMap decodeURI decodeURIComponent encodeURI encodeURIComponent eval isFinite isNaN " +
			"parseFloat parseInt document window"},
	},
	delims: jsDelims,
	first:  "$",
	part:   "$",
	hooks:  "/<@",
	hook:   jsHook,
	onWord: jsName,
}

var typescript = grammar{
	words: []wordList{
		{class: 'k', words: "for in of while do break return yield continue switch case default if else throw try " +
			"catch finally new delete typeof instanceof keyof asserts is infer await void this var let with " +
			"function abstract async class const debugger enum export extends from get global implements import " +
			"interface namespace package private protected public readonly require set static super type using " +
			"satisfies declare as module override accessor constructor"},
		{class: 'n', words: "true false null NaN Infinity undefined"},
		{class: 't', words: "string boolean bool number any never object symbol unique unknown bigint Array " +
			"Boolean Date Error Function Map Math Number Object Promise Record RegExp Set String decodeURI " +
			"decodeURIComponent encodeURI encodeURIComponent eval isFinite isNaN parseFloat parseInt document " +
			"window"},
	},
	delims: jsDelims,
	first:  "$",
	part:   "$",
	hooks:  "/<@",
	hook:   tsHook,
	onWord: tsName,
}

// tsx is TypeScript with JSX elements.
var tsx = func() grammar {
	g := typescript
	g.hook = jsHook
	return g
}()

var jsDelims = []delim{
	{class: 'c', open: "//", shut: "\n"},
	{class: 'c', open: "/*", shut: "*/", lines: true},
	{class: 's', open: `"`, shut: `"`, escape: '\\'},
	{class: 's', open: "'", shut: "'", escape: '\\'},
	{class: 's', open: "`", shut: "`", escape: '\\', lines: true, code: "${"},
}

// jsName recognizes keys that are keywords elsewhere: { default: 1, type: "x" }.
func jsName(l *lexer, start, end int) bool {
	if l.prev != '{' && l.prev != ',' || l.at(end) != ':' {
		return false
	}
	l.pos = end
	l.prev, l.next = 'a', 0
	return true
}

// tsName recognizes types after a colon: they begin with a capital letter.
func tsName(l *lexer, start, end int) bool {
	if jsName(l, start, end) {
		return true
	}
	if c := l.src[start]; l.prev != ':' || c < 'A' || c > 'Z' {
		return false
	}
	for l.at(end) == '.' && l.nameEnd(end+1) > end+1 {
		end = l.nameEnd(end + 1)
	}
	l.tok('t', start, end)
	l.prev, l.next = 'a', 0
	return true
}

func jsHook(l *lexer, i int) bool {
	if l.src[i] == '<' && l.jsxStarts(i) {
		l.mode, l.depth = jsxTag, 0
		l.prev = '<'
		jsx(l)
		return true
	}
	return tsHook(l, i)
}

func tsHook(l *lexer, i int) bool {
	switch l.src[i] {
	case '/':
		return l.at(i+1) != '/' && l.at(i+1) != '*' && l.operand(i) && l.regexp(i)
	case '@':
		end := l.nameEnd(i + 1)
		if end > i+1 {
			l.tok('p', i, end)
			return true
		}
	}
	return false
}

// operand reports whether a value may start at i, where an operator may not.
func (l *lexer) operand(i int) bool {
	switch l.prev {
	case 'a', ')', ']':
		return false
	case '}':
		return l.lineStart(i)
	}
	return true
}

// regexp reads the regular expression at i, if it ends on the same line.
func (l *lexer) regexp(i int) bool {
	if i < l.unclosed {
		return false
	}
	set := false
	for end := i + 1; end < len(l.src); end++ {
		switch l.src[end] {
		case '\n':
			l.unclosed = end
			return false
		case '\\':
			end++
		case '[':
			set = true
		case ']':
			set = false
		case '/':
			if set {
				break
			}
			end++
			for end < len(l.src) && l.src[end] >= 'a' && l.src[end] <= 'z' {
				end++
			}
			l.tok('s', i, end)
			l.prev, l.next = 'a', 0
			return true
		}
	}
	l.unclosed = len(l.src)
	return false
}

// Values of lexer.mode for JSX. lexer.depth counts the open elements.
const (
	jsxText  = iota
	jsxTag   // in <a
	jsxClose // in </a
)

// jsxStarts distinguishes an element from a comparison and from type parameters.
func (l *lexer) jsxStarts(i int) bool {
	c := l.at(i + 1)
	if !l.operand(i) || c != '>' && !(c|0x20 >= 'a' && c|0x20 <= 'z') {
		return false
	}
	end := i + 1
	for end < len(l.src) && end < i+64 && (l.inName[l.src[end]] || l.src[end] == '.' || l.src[end] == '-') {
		end++
	}
	return l.at(end) != ',' && !strings.HasPrefix(l.src[end:], " extends ")
}

// jsx reads an element from pos on, to its end or to the code in it.
func jsx(l *lexer) {
	src := l.src
	for i := l.pos; i < len(src); {
		c := src[i]
		if l.mode == jsxText {
			switch {
			case c == '{':
				l.jsxCode(i)
				return
			case c != '<':
				i++
			case i+1 < len(src) && src[i+1] == '/':
				l.mode = jsxClose
				i = l.tag(i + 2)
			default:
				l.mode = jsxTag
				i = l.tag(i + 1)
			}
			continue
		}
		switch {
		case c == '{':
			l.jsxCode(i)
			return
		case c == '"' || c == '\'':
			n := strings.IndexByte(src[i+1:], c)
			if n < 0 {
				n = len(src) - i - 2
			}
			l.tok('s', i, i+n+2)
			i = l.pos
		case c == '/' && i+1 < len(src) && src[i+1] == '>':
			l.mode = jsxText
			i += 2
			if l.depth == 0 {
				l.endJSX(i)
				return
			}
		case c == '>':
			i++
			if l.mode == jsxClose {
				l.depth--
			} else {
				l.depth++
			}
			l.mode = jsxText
			if l.depth <= 0 {
				l.endJSX(i)
				return
			}
		case c == '<' && l.prev == '<':
			l.prev = 'a'
			i = l.tag(i + 1)
		case l.inName[c]:
			end := i
			for end < len(src) && (l.inName[src[end]] || src[end] == '-' || src[end] == ':') {
				end++
			}
			l.tok('t', i, end)
			i = end
		default:
			i++
		}
	}
	l.pos = len(src)
}

// tag reads the name of an element at i.
func (l *lexer) tag(i int) int {
	end := i
	for end < len(l.src) && (l.inName[l.src[end]] || l.src[end] == '.' || l.src[end] == '-' || l.src[end] == ':') {
		end++
	}
	l.tok('k', i, end)
	return end
}

// jsxCode starts the code in braces at i.
func (l *lexer) jsxCode(i int) {
	l.pos = i + 1
	l.enter(interpolation{end: '}', resume: jsx, mode: l.mode, level: l.depth})
}

func (l *lexer) endJSX(i int) {
	l.pos = i
	l.mode, l.depth = 0, 0
	l.prev, l.next = 'a', 0
}
