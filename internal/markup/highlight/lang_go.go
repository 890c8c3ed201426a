package highlight

var golang = grammar{
	words: []wordList{
		{class: 'k', words: "break case chan const continue default defer else fallthrough for go goto if import " +
			"interface map package range return select struct switch type var"},
		{class: 'k', next: 'f', words: "func"},
		{class: 'n', words: "true false iota nil"},
		{class: 't', words: "uint uint8 uint16 uint32 uint64 int int8 int16 int32 int64 float32 float64 complex64 " +
			"complex128 byte rune string bool error uintptr any"},
	},
	delims: []delim{
		{class: 'c', open: "//", shut: "\n"},
		{class: 'c', open: "/*", shut: "*/", lines: true},
		{class: 's', open: `"`, shut: `"`, escape: '\\'},
		{class: 's', open: "`", shut: "`", lines: true},
		{class: 's', open: "'", shut: "'", escape: '\\'},
	},
	call:   'f',
	hooks:  "/",
	hook:   goDirective,
	onWord: goBuiltin,
}

// goDirective reads directives such as "//go:build", which are comments without a blank.
func goDirective(l *lexer, i int) bool {
	if l.at(i+1) != '/' || l.at(i+2) <= ' ' || l.at(i+2) == '/' {
		return false
	}
	l.tok('p', i, l.lineEnd(i))
	return true
}

// goBuiltins are builtins only in calls, since they are also common names.
var goBuiltins = newWordTable(wordList{class: 't', words: "print println panic recover close complex real imag " +
	"len cap append copy delete new make clear min max"})

func goBuiltin(l *lexer, start, end int) bool {
	if l.at(end) != '(' || l.prev == '.' {
		return false
	}
	w, ok := goBuiltins.find(l.src[start:end])
	if ok {
		l.tok(w.class, start, end)
		l.prev, l.next = 'a', 0
	}
	return ok
}
