package highlight

import "strings"

var python = grammar{
	words: []wordList{
		{class: 'k', words: "assert async await break continue del elif else except finally for global if lambda " +
			"pass raise return try while yield as with from import nonlocal and in is not or"},
		{class: 'k', next: 'f', words: "def"},
		{class: 'k', next: 't', words: "class"},
		{class: 'n', words: "True False None"},
		{class: 't', words: "__import__ abs all any bin bool bytearray bytes chr classmethod compile complex " +
			"delattr dict dir divmod enumerate eval filter float format frozenset getattr globals hasattr hash " +
			"hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct " +
			"open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum " +
			"super tuple type vars zip self cls Ellipsis NotImplemented"},
		{class: 't', words: "ArithmeticError AssertionError AttributeError BaseException BufferError BytesWarning " +
			"DeprecationWarning EOFError EnvironmentError Exception FloatingPointError FutureWarning " +
			"GeneratorExit IOError ImportError ImportWarning IndentationError IndexError KeyError " +
			"KeyboardInterrupt LookupError MemoryError NameError NotImplementedError OSError OverflowError " +
			"PendingDeprecationWarning ReferenceError ResourceWarning RuntimeError RuntimeWarning StopIteration " +
			"SyntaxError SyntaxWarning SystemError SystemExit TabError TypeError UnboundLocalError " +
			"UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning " +
			"ValueError Warning ZeroDivisionError BlockingIOError ChildProcessError ConnectionError " +
			"BrokenPipeError ConnectionAbortedError ConnectionRefusedError ConnectionResetError FileExistsError " +
			"FileNotFoundError InterruptedError IsADirectoryError NotADirectoryError PermissionError " +
			"ProcessLookupError TimeoutError StopAsyncIteration ModuleNotFoundError RecursionError"},
	},
	delims: append([]delim{{class: 'c', open: "#", shut: "\n"}}, pyStrings("")...),
	prefixes: map[string][]delim{
		"r": pyStrings(""), "u": pyStrings(""), "b": pyStrings(""), "br": pyStrings(""), "rb": pyStrings(""),
		"f": pyStrings("{"), "rf": pyStrings("{"), "fr": pyStrings("{"), "t": pyStrings("{"),
	},
	hooks:  "@",
	hook:   pyDecorator,
	onWord: pySoft,
}

// pyStrings returns strings with each of the four quotes. code starts code in them. Raw strings need no special case: a
// backslash before the quote does not end them either.
func pyStrings(code string) []delim {
	var all []delim
	for _, quote := range []string{`"""`, "'''", `"`, "'"} {
		all = append(all, delim{
			class: 's', open: quote, shut: quote, escape: '\\', lines: len(quote) == 3,
			code: code, spec: code != "", twice: true,
		})
	}
	return all
}

func pyDecorator(l *lexer, i int) bool {
	if !l.lineStart(i) {
		return false
	}
	end := i + 1
	for end < len(l.src) && (l.inName[l.src[end]] || l.src[end] == '.') {
		end++
	}
	l.tok('p', i, end)
	l.prev, l.next = 'a', 0
	return true
}

// pySoft recognizes words that are keywords only at the start of a statement, and names with two underscores on both
// sides.
func pySoft(l *lexer, start, end int) bool {
	switch word := l.src[start:end]; {
	case word == "match" || word == "case" || word == "type":
		// match x: but not match(x), match = x, match.x
		if !l.lineStart(start) || l.at(end) != ' ' || strings.IndexByte("=.,:)+-*/|&<> ", l.at(end+1)) >= 0 {
			return false
		}
		l.tok('k', start, end)
		l.prev, l.next = 'k', 0
		return true
	case len(word) > 4 && l.at(end) == '(' && strings.HasPrefix(word, "__") && strings.HasSuffix(word, "__"):
		l.tok('f', start, end)
		l.prev, l.next = 'a', 0
		return true
	}
	return false
}
