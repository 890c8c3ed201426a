package markup

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// Limits of chroma. Its rules are regular expressions that go back and try
// again: they cost up to a second a megabyte where all is well, and the square
// of what they look at where it is not. It gives up on a rule after a quarter
// of a second by the clock, and says nothing of it, so that what it tells may
// depend on how busy the machine is. What helps is to give it little to look
// at, and nothing that is known to be slow (see ahead). On a machine with four
// times the work that it can do, hostile text of this size still had single
// tokens take up to a quarter of a second by the clock: this makes it rare, not
// impossible.
const (
	maxChroma = 8 << 10 // bytes of one block
	maxLine   = 2000    // bytes of one line
)

// chromaScanner makes lexer a scanner. What is beyond a limit is plain.
func chromaScanner(lexer chroma.Lexer) scanner {
	return func(src string, emit func(class byte, end int)) {
		src = src[:lineStartBefore(src, maxChroma)]
		for start := 0; start < len(src); {
			stop, next := longLine(src, start)
			if start < stop {
				tokenise(lexer, src[start:stop], func(class byte, end int) { emit(class, start+end) })
			}
			emit(0, next)
			start = next
		}
	}
}

// longLine finds the next line longer than maxLine: it is src[stop:next]; both
// are the end of src when there is none.
func longLine(src string, start int) (stop, next int) {
	for i := start; i < len(src); {
		n := strings.IndexByte(src[i:], '\n') + 1
		if n == 0 {
			n = len(src) - i
		}
		if n > maxLine {
			return i, i + n
		}
		i += n
	}
	return len(src), len(src)
}

// tokenise stops where the tokens no longer spell the source (some lexers
// rewrite it) and adds nothing after its end (some add a newline). What would
// take too long stays plain.
func tokenise(lexer chroma.Lexer, src string, emit func(class byte, end int)) {
	if ahead(src) > maxAhead {
		return
	}
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root", Nested: true}, src)
	if err != nil {
		return
	}
	pos := 0
	for t := tokens(); t != chroma.EOF; t = tokens() {
		if !strings.HasPrefix(src[pos:], t.Value) {
			if rest := src[pos:]; strings.HasPrefix(t.Value, rest) {
				emit(chromaClass(t.Type), len(src))
			}
			return
		}
		pos += len(t.Value)
		if blank(t.Value) {
			emit(0, pos)
		} else {
			emit(chromaClass(t.Type), pos)
		}
	}
}

// chromaClass folds chroma's ninety types into our classes.
func chromaClass(t chroma.TokenType) byte {
	switch t {
	case chroma.KeywordConstant, chroma.NameEntity:
		return 'n'
	case chroma.KeywordType, chroma.NameClass, chroma.NameException,
		chroma.NameBuiltin, chroma.NameBuiltinPseudo, chroma.NameAttribute:
		return 't'
	case chroma.NameFunction, chroma.NameFunctionMagic:
		return 'f'
	case chroma.NameDecorator, chroma.CommentPreproc, chroma.CommentPreprocFile, chroma.CommentHashbang:
		return 'p'
	case chroma.NameTag, chroma.OperatorWord:
		return 'k'
	case chroma.LiteralStringInterpol:
		return 0
	case chroma.GenericHeading, chroma.GenericSubheading:
		return 'h'
	case chroma.GenericInserted:
		return 'i'
	case chroma.GenericDeleted:
		return 'd'
	case chroma.GenericPrompt:
		return 'c'
	}
	switch {
	case t.InCategory(chroma.Keyword):
		return 'k'
	case t.InCategory(chroma.Comment):
		return 'c'
	case t.InSubCategory(chroma.LiteralString):
		return 's'
	case t.InCategory(chroma.Literal):
		return 'n'
	}
	return 0
}

// Rules for what may span lines look for its end at each of its beginnings; in
// vain, they read all that follows at a tenth of a microsecond a byte: 15 KB of
// "/*" took five seconds.
var brackets = [...]struct{ open, shut string }{
	{"/*", "*/"}, {"<!--", "-->"}, {"<script", "</script"}, {"<style", "</style"}, {"<?", "?>"},
	{"{{", "}}"}, {"{%", "%}"}, {"{-", "-}"}, {"(*", "*)"}, {"${", "}"}, {"#{", "}"}, {"<<", ">>"},
	{"[[", "]]"}, {"[", "]"}, {"(", ")"}, {"{", "}"}, {"<", ">"},
}

const maxAhead = 4 << 20

// ahead bounds how many bytes are read in vain.
func ahead(src string) int {
	// An escaped backtick is the end of nothing, and may be read as a beginning.
	total := strings.Count(src, "\\`") * len(src) / 2
	for i := 0; i < len(src); {
		run := len(src[i:]) - len(strings.TrimLeft(src[i:], " \t\n"))
		total += run * run // looking for what follows blank lines
		i += run + 1
	}
	// Languages like C look for the "(" of a function behind any number of
	// words: 16 KB of prose took ten seconds.
	words := 0
	for i := range len(src) {
		if c := src[i]; c <= ' ' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' {
			words++
			continue
		}
		total += words * words / 4
		words = 0
	}
	total += words * words / 4
	for _, b := range brackets {
		// What is after the last end has none. Before it, each look ends.
		from := strings.LastIndex(src, b.shut) + 1
		for {
			i := strings.Index(src[from:], b.open)
			if i < 0 {
				break
			}
			from += i + len(b.open)
			if total += len(src) - from; total > maxAhead {
				return total
			}
		}
	}
	return total
}
