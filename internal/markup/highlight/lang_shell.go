package highlight

import "strings"

// The shell: a string may contain commands, which may contain strings. Keywords and builtins are only recognized where
// a command may start.

// In shell a word ends at a blank, so that "--if" and "a/test" are not keywords.
var shell = grammar{
	words: []wordList{
		{class: 'k', words: "if fi else while do done for then return function case select continue until esac " +
			"elif break"},
		{class: 't', words: "alias bg bind builtin caller cd command compgen complete declare dirs disown echo " +
			"enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout popd " +
			"printf pushd pwd read readonly set shift shopt source suspend test time times trap true type typeset " +
			"ulimit umask unalias unset wait"},
	},
	first:        "0123456789-./:+,@%^~*?!>",
	part:         "0123456789-./:+,@%^~*?!>#",
	interpolates: true,
	hooks:        "\n$\"'\\#<`()",
	hook:         shellHook,
	onWord:       shellWord,
}

// What encloses an interpolation.
const (
	inCode = iota
	inText // "..."
)

// What ends an interpolation.
const (
	paren   = iota // $( )
	math           // $(( ))
	curly          // ${ }
	command        // (( ))
)

// A heredoc is a string that starts on the next line.
type heredoc struct {
	word string // the line that ends it
	tabs bool   // tabs may precede that line
}

func shellHook(l *lexer, i int) bool {
	src := l.src
	next := l.at(i + 1)
	switch src[i] {
	case '\n':
		l.prev, l.assign = '\n', 0
		l.readHeredocs('s')
	case '\\':
		l.tok('s', i, min(i+2, len(src)))
		if next != '\n' {
			l.prev = 'a'
		}
		return true
	case '#':
		if i > 0 && strings.IndexByte(" \t\n;&|()", src[i-1]) < 0 || l.inMath() {
			l.pos = i + 1
			return true
		}
		l.tok('c', i, l.lineEnd(i))
		return true
	case '\'':
		l.until('s', i, i+1, "'")
		return true
	case '"':
		l.shellText(i, i+1)
		return true
	case '`':
		l.tok('s', i, i+1)
		l.prev = '('
		return true
	case '$':
		switch {
		case next == '\'':
			l.text(&ansiQuoted, i, i+2)
			return true
		case next == '"':
			l.shellText(i, i+2)
			return true
		}
		l.dollar(i, inCode)
		return true
	case '<':
		if strings.HasPrefix(src[i:], "<<<") {
			l.pos = i + 3
			l.prev = '<'
			return true
		}
		return next == '<' && !l.inMath() && l.startHeredoc(i)
	case '(':
		l.assign = 0 // a list: a=(b c)
		if next == '(' && l.commands() {
			l.pos = i + 2
			l.enter(interpolation{end: ')', depth: 1, resume: shellEnd, level: command})
			return true
		}
	}
	return false
}

var ansiQuoted = func() delim {
	d := delim{class: 's', open: "$'", shut: "'", escape: '\\', lines: true}
	d.compile()
	return d
}()

func (l *lexer) inMath() bool {
	if len(l.stack) == 0 {
		return false
	}
	level := l.stack[len(l.stack)-1].level
	return level == math || level == command
}

// commands reports whether a command may start here.
func (l *lexer) commands() bool {
	switch l.prev {
	case '\n', ';', '|', '&', '(', '{', '!', 'k', ')':
		return true
	}
	return false
}

func shellWord(l *lexer, start, end int) bool {
	word := l.src[start:end]
	if l.assign == len(l.stack)+1 && start > 0 && l.src[start-1] <= ' ' {
		l.prev = '\n' // A=1 make
	}
	if l.commands() && !l.inMath() {
		l.assign = 0
		if l.at(end) == '=' {
			l.pos = end
			l.prev, l.assign = '=', len(l.stack)+1
			return true
		}
		if word == "!" {
			l.pos = end
			return true
		}
		if w, ok := l.named.find(word); ok {
			l.tok(w.class, start, end)
			l.prev = 'a'
			if w.class == 'k' && word != "for" && word != "case" && word != "select" && word != "function" {
				l.prev = 'k'
			}
			return true
		}
	}
	l.pos = end
	l.prev = 'a'
	for i := range len(word) {
		if word[i] < '0' || word[i] > '9' {
			return true
		}
	}
	if c := l.at(end); c <= ' ' || c == ';' || c == ')' {
		l.tok('n', start, end)
	}
	return true
}

// dollar reads the variable or the code at i.
func (l *lexer) dollar(i, in int) {
	h := interpolation{end: ')', resume: shellEnd, mode: in}
	switch c := l.at(i + 1); {
	case c == '(' && l.at(i+2) == '(':
		l.tok('k', i, i+3)
		h.depth, h.level = 1, math
		l.enter(h)
	case c == '(':
		l.tok('k', i, i+2)
		l.enter(h)
	case c == '{':
		l.pos = i + 2
		if l.at(i+2) == '#' {
			l.pos++
		}
		h.end, h.level = '}', curly
		l.enter(h)
		l.prev = 'a'
	case isLetterByte(c):
		end := i + 2
		for end < len(l.src) && (isLetterByte(l.src[end]) || isDigitByte(l.src[end])) {
			end++
		}
		l.pos = end
		l.prev = 'a'
	case c != 0 && strings.IndexByte("0123456789#$?!*@-", c) >= 0:
		l.pos = i + 2
		l.prev = 'a'
	default:
		l.pos = i + 1
		l.prev = 'a'
	}
}

// shellEnd continues after an interpolation.
func shellEnd(l *lexer) {
	switch l.depth {
	case paren:
		l.tok('k', l.pos-1, l.pos)
	case math:
		l.tok('k', l.pos-2, l.pos)
	}
	l.prev = 'a'
	if l.mode == inText {
		l.shellText(l.pos, l.pos)
	}
}

// shellText reads the string in double quotes that starts at start. It continues at i and stops at the end of the
// string or at code in it.
func (l *lexer) shellText(start, i int) {
	src := l.src
	for i < len(src) {
		switch src[i] {
		case '"':
			l.tok('s', start, i+1)
			l.prev = 'a'
			return
		case '\\':
			i += 2
		case '$':
			l.tok('s', start, i)
			depth := len(l.stack)
			l.dollar(i, inText)
			if len(l.stack) > depth {
				return
			}
			start, i = l.pos, l.pos
		default:
			i++
		}
	}
	l.tok('s', start, len(src))
}

// startHeredoc reads "<<-'EOF'" at i.
func (l *lexer) startHeredoc(i int) bool {
	end := i + 2
	h := heredoc{tabs: l.at(end) == '-'}
	if h.tabs {
		end++
	}
	for l.at(end) == ' ' {
		end++
	}
	if l.at(end) == '\\' {
		end++
	}
	quote := l.at(end)
	if quote == '\'' || quote == '"' {
		n := strings.IndexByte(l.src[end+1:l.lineEnd(end)], quote)
		if n <= 0 {
			return false
		}
		h.word = l.src[end+1 : end+1+n]
		end += n + 2
	} else {
		from := end
		for end < len(l.src) && (isLetterByte(l.src[end]) || end > from && isDigitByte(l.src[end])) {
			end++
		}
		if h.word = l.src[from:end]; h.word == "" {
			return false
		}
	}
	l.tok('s', i, end)
	l.prev = 'a'
	l.pending = append(l.pending, h)
	return true
}

// readHeredocs reads the heredocs that were started, from the start of a line.
func (l *lexer) readHeredocs(class byte) {
	for _, h := range l.pending {
		start := l.pos
		for i := start; ; {
			end := l.lineEnd(i)
			line := l.src[i:end]
			if h.tabs {
				line = strings.TrimLeft(line, " \t")
			}
			if end == len(l.src) || line == h.word {
				l.tok(class, start, end)
				break
			}
			i = end + 1
		}
	}
	l.pending = l.pending[:0]
}

// scanConsole reads a terminal session: commands after prompts, and their output.
func scanConsole(src string, emit func(class byte, end int)) {
	scan := scanners["bash"]
	for i := 0; i < len(src); {
		end := i
		for {
			n := strings.IndexByte(src[end:], '\n') + 1
			if n == 0 {
				end = len(src)
				break
			}
			end += n
			if n < 2 || src[end-2] != '\\' {
				break
			}
		}
		if n := prompt(src[i:end]); n > 0 {
			from := i + n
			emit('c', from)
			scan(src[from:end], func(class byte, at int) { emit(class, from+at) })
		}
		emit(0, end)
		i = end
	}
}

// prompt returns the length of the prompt at the start of a line, 0 for none.
func prompt(line string) int {
	if len(line) > 1 && line[1] == ' ' && strings.IndexByte("$#%>", line[0]) >= 0 {
		return 2
	}
	// user@host:~$ command
	head, _, ok := strings.Cut(line[:min(len(line), 80)], "$ ")
	if ok && strings.Contains(head, "@") && !strings.ContainsAny(head, "\"'=(|;<>") && strings.Count(head, " ") <= 1 {
		return len(head) + 2
	}
	return 0
}
