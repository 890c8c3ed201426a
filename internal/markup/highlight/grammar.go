package highlight

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// Most languages share one scanner (scan.go). It makes one pass and reads each byte once, so that its time is
// proportional to the length of any input. A grammar describes a language. Languages without a scanner are read by
// chroma, which is much slower, see chroma.go.
//
// To add a language:
//
//  1. Write a grammar in the file lang_*.go with similar ones. Most languages
//     need words, delims and a flag or two. For the rest, such as where a regular
//     expression starts, write a hook: a function that is called first at the
//     bytes that the grammar names. It must not look further ahead than what it
//     reads, or must remember that it found nothing (see unclosed). Otherwise
//     hostile input makes it quadratic.
//  2. Add its names to the map scanners. Names of fences and files that chroma
//     does not know go into aliases.
//  3. Put a sample into testdata/samples, with the difficult parts: strings in
//     strings, comments in strings, quotes in comments, unclosed strings. Run
//     go test ./internal/markup/highlight -run TestAgreement -v. It compares the
//     classes with those of chroma and prints where they differ. 95 percent of
//     the characters must agree, and both must agree on all strings and
//     comments. Add a place where chroma is wrong to exceptions, with the reason.
//  4. Run FuzzScanners for a minute. TestScannersAreLinear and TestScannersOnParts
//     include the language automatically.
//
// An unclosed string or comment ends with its line, or with the input if it may have several lines. Parts of files
// often have unclosed ones.

// A grammar describes the tokens of a language.
type grammar struct {
	words  []wordList // names with a class
	delims []delim    // comments, strings and similar; the first that matches is used

	// Words that belong to the string that follows at once, and what that may
	// be. They are in lower case, and may be written in capitals.
	prefixes map[string][]delim

	first   string // bytes that names may start with, besides letters, "_" and bytes outside of ASCII
	part    string // bytes that names may contain, besides those and digits
	fold    bool   // words may be written in capitals
	dotted  bool   // words are words after a dot, too
	call    byte   // class of a name before "("
	declare byte   // class of a name before "(" and after another name: a type
	member  byte   // class of a name after a dot
	seps    string // bytes that may stand between digits, besides "_"

	interpolates bool   // hooks enter interpolations
	hooks        string // bytes at which hook is called
	hook         func(l *lexer, i int) (taken bool)
	onWord       func(l *lexer, start, end int) (taken bool) // is called before words are looked up
}

// A wordList has words of one class, separated by blanks.
type wordList struct {
	class byte
	next  byte // class of the name that follows
	words string
}

// A delim is a token with an opening and a closing mark.
type delim struct {
	class  byte
	open   string
	shut   string // "\n" for the end of the line, which is not part of the token
	escape byte   // escapes the next byte
	double bool   // a doubled shut is not the end
	lines  bool   // may have several lines
	nest   bool   // may be nested
	code   string // starts code inside: "${", "\\("
	spec   bool   // ":" ends that code, and a format follows
	vars   bool   // a name after "$" is code, too
	twice  bool   // a doubled code does not start code

	stops *[256]bool // bytes at which the scan stops; made by compile
}

// The kinds of bytes.
const (
	isOther byte = iota
	isBlank
	isNewline
	isLetter
	isDigit
	isMark // may open a delim, has a hook, or may end an interpolation
)

// tables are a compiled grammar.
type tables struct {
	*grammar
	kind   [256]byte
	inName [256]bool
	hooked [256]bool
	opens  [256][]*delim
	named  wordTable
}

// scanner returns a scanner for g. Its tables are made on first use.
func (g *grammar) scanner() scanner {
	ready := sync.OnceValue(g.compile)
	return func(src string, emit func(class byte, end int)) {
		l := lexer{tables: ready(), src: src, emit: emit, prev: '\n'}
		l.run()
	}
}

// compile makes the tables of a grammar. It does not change the grammar, since similar languages share their delims and
// may be compiled at the same time.
func (g *grammar) compile() *tables {
	own := *g
	own.delims, own.prefixes = slices.Clone(g.delims), maps.Clone(g.prefixes)
	for word, all := range own.prefixes {
		own.prefixes[word] = slices.Clone(all)
	}
	g = &own
	t := &tables{grammar: g}
	for c := range 256 {
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			t.kind[c] = isBlank
		case c == '\n':
			t.kind[c] = isNewline
		case isLetterByte(byte(c)), c >= 0x80, strings.IndexByte(g.first, byte(c)) >= 0:
			t.kind[c], t.inName[c] = isLetter, true
		case c >= '0' && c <= '9':
			t.kind[c], t.inName[c] = isDigit, true
		case c == '.':
			t.kind[c] = isMark // may start a number
		}
		if strings.IndexByte(g.part, byte(c)) >= 0 {
			t.inName[c] = true
		}
		if strings.IndexByte(g.hooks, byte(c)) >= 0 {
			t.hooked[c] = true
			if c != '\n' {
				t.kind[c] = isMark
			}
		}
	}
	for i := range g.delims {
		d := &g.delims[i]
		d.compile()
		t.kind[d.open[0]] = isMark
		t.opens[d.open[0]] = append(t.opens[d.open[0]], d)
		if d.code != "" {
			t.markInterpolations()
		}
	}
	for _, all := range g.prefixes {
		for i := range all {
			all[i].compile()
			if all[i].code != "" {
				t.markInterpolations()
			}
		}
	}
	if g.interpolates {
		t.markInterpolations()
	}
	t.named.add(g.words)
	return t
}

// markInterpolations marks the bytes that may end code inside a string.
func (t *tables) markInterpolations() {
	for _, c := range []byte("(){}[]:") {
		t.kind[c] = isMark
	}
}

func (d *delim) compile() {
	d.stops = new([256]bool)
	d.stops[d.shut[0]] = true
	d.stops['\n'] = !d.lines
	if d.escape != 0 {
		d.stops[d.escape] = true
	}
	if d.code != "" {
		d.stops[d.code[0]] = true
	}
	if d.vars {
		d.stops['$'] = true
	}
	if d.nest {
		d.stops[d.open[0]] = true
	}
}
