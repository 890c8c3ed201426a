package highlight

import "strings"

// PHP and Ruby.

var php = grammar{
	words: []wordList{
		{class: 'k', words: "abstract and array as break callable case catch clone const continue declare default " +
			"die do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum eval exit " +
			"extends final finally fn for foreach from global goto if implements include include_once instanceof " +
			"insteadof isset list match namespace new or parent print private protected public readonly require " +
			"require_once return self static switch throw try unset use var while xor yield"},
		{class: 'k', next: 't', words: "class interface trait"},
		{class: 'k', next: 'f', words: "function"},
		{class: 'n', words: "true false null"},
	},
	delims: []delim{
		{class: 'c', open: "//", shut: "\n"},
		{class: 'c', open: "#", shut: "\n"},
		{class: 'c', open: "/*", shut: "*/", lines: true},
		{class: 's', open: `"`, shut: `"`, escape: '\\', lines: true, code: "{$", vars: true},
		{class: 's', open: "'", shut: "'", escape: '\\', lines: true},
		{class: 's', open: "`", shut: "`", escape: '\\', lines: true},
	},
	fold:   true,
	dotted: true,
	hooks:  "$#<?/",
	hook:   phpHook,
	onWord: phpMember,
}

var phpCode = php.scanner()

// scanPHP reads PHP between its tags, and HTML around it. What does not start
// one before it ends one is PHP from the start: an example, or half a file.
func scanPHP(src string, emit func(class byte, end int)) {
	open, shut := strings.Index(src, "<?"), strings.Index(src, "?>")
	code := open < 0 || shut >= 0 && shut < open
	for i := 0; i < len(src); {
		if !code {
			open := strings.Index(src[i:], "<?")
			if open < 0 {
				open = len(src) - i
			}
			scanHTML(src[i:i+open], func(class byte, at int) { emit(class, i+at) })
			i += open
			emit(0, i)
		}
		// The code says itself where it ends: "?>" in a string does not end it.
		code = false
		end := len(src)
		phpCode(src[i:], func(class byte, at int) {
			if class == phpShut {
				end = i + at
				class = 'p'
			}
			emit(class, i+at)
		})
		i = end
	}
}

// phpShut is the class of "?>" between the two scanners.
const phpShut = 1

func phpHook(l *lexer, i int) bool {
	src := l.src
	switch src[i] {
	case '$':
		l.pos = l.nameEnd(i + 1)
		l.prev, l.next = 'a', 0
		return true
	case '#':
		if l.at(i+1) == '[' {
			l.pos = i + 2
			return true
		}
	case '<':
		if strings.HasPrefix(src[i:], "<?php") {
			l.tok('p', i, i+5)
			return true
		}
		if strings.HasPrefix(src[i:], "<?=") || strings.HasPrefix(src[i:], "<? ") {
			l.tok('p', i, i+2)
			return true
		}
		if strings.HasPrefix(src[i:], "<<<") {
			return l.phpHeredoc(i)
		}
	case '?':
		if l.at(i+1) == '>' {
			l.tok(phpShut, i, i+2)
			l.pos = len(src)
			return true
		}
	case '/':
		if l.at(i+1) == '/' { // a comment of one line ends with the tag, too
			end := l.lineEnd(i)
			if n := strings.Index(src[i:end], "?>"); n >= 0 {
				end = i + n
			}
			l.tok('c', i, end)
			return true
		}
	}
	return false
}

// phpMember tells the names of members from words: $a->class, a::list().
func phpMember(l *lexer, start, end int) bool {
	if start < 2 || l.src[start-1] != '>' && l.src[start-1] != ':' || l.src[start-2] != '-' && l.src[start-2] != ':' {
		return false
	}
	l.tok('t', start, end)
	l.prev, l.next = 'a', 0
	return true
}

// phpHeredoc reads <<<EOT and <<<'EOT'.
func (l *lexer) phpHeredoc(i int) bool {
	from := i + 3
	if c := l.at(from); c == '\'' || c == '"' {
		from++
	}
	word := l.src[from:l.nameEnd(from)]
	if word == "" {
		return false
	}
	for at := l.lineEnd(from) + 1; at <= len(l.src); {
		end := l.lineEnd(min(at, len(l.src)))
		line := strings.TrimLeft(l.src[min(at, end):end], " \t")
		if strings.HasPrefix(line, word) && !(len(line) > len(word) && l.inName[line[len(word)]]) {
			l.tok('s', i, end-len(line)+len(word))
			l.prev, l.next = 'a', 0
			return true
		}
		at = end + 1
	}
	l.tok('s', i, len(l.src))
	return true
}

var ruby = grammar{
	words: []wordList{
		{class: 'k', words: "return ensure rescue unless undef until break begin elsif super alias while retry " +
			"BEGIN raise yield redo next case when then else end for END do if in module not and or " +
			"module_function attr_accessor attr_reader attr_writer initialize protected include private extend " +
			"public false catch throw attr loop true new nil"},
		{class: 'k', next: 'f', words: "def"},
		{class: 'k', next: 't', words: "class"},
		{class: 't', words: "puts print p require require_relative lambda proc format sprintf printf gets rand " +
			"sleep system exit abort warn self freeze Integer Float String Array inspect to_s to_i"},
	},
	delims: []delim{
		{class: 'c', open: "#", shut: "\n"},
		{class: 's', open: `"`, shut: `"`, escape: '\\', lines: true, code: "#{"},
		{class: 's', open: "'", shut: "'", escape: '\\', lines: true},
		{class: 's', open: "`", shut: "`", escape: '\\', lines: true, code: "#{"},
	},
	hooks:  "\n:/%<@$?=",
	hook:   rubyHook,
	onWord: rubyWord,
}

func rubyHook(l *lexer, i int) bool {
	next := l.at(i + 1)
	spaced := i > 0 && l.src[i-1] == ' ' && next != ' ' && next != '=' // puts /x/
	switch l.src[i] {
	case '\n':
		l.prev = '\n'
		l.readHeredocs('s')
	case ':':
		return l.rubySymbol(i)
	case '/':
		if l.operand(i) || l.prev == 'a' && spaced {
			return l.regexp(i)
		}
	case '%':
		if l.prev != 'a' && l.prev != ')' && l.prev != ']' || spaced {
			return l.percent(i)
		}
	case '<':
		if c := l.at(i + 2); next == '<' && (c == '~' || c == '-' || c >= 'A' && c <= 'Z') {
			return l.rubyHeredoc(i)
		}
	case '@', '$':
		l.rubyVariable(i)
		return true
	case '?':
		if l.prev != 'a' && isLetterByte(next) && !l.inName[l.at(i+2)] {
			l.tok('s', i, i+2)
			l.prev = 'a'
			return true
		}
	case '=':
		return l.rubyComment(i)
	}
	return false
}

// rubySymbol reads "::" and ":name".
func (l *lexer) rubySymbol(i int) bool {
	next := l.at(i + 1)
	if next == ':' {
		l.pos = i + 2
		l.prev, l.next = ':', 0
		return true
	}
	if !isLetterByte(next) || l.prev == 'a' && (i == 0 || l.src[i-1] > ' ') {
		return false
	}
	end := l.nameEnd(i + 1)
	if c := l.at(end); c == '?' || c == '!' {
		end++
	}
	l.tok('s', i, end)
	l.prev, l.next = 'a', 0
	return true
}

// rubyVariable reads "@a", "@@a", "$a" and "$!".
func (l *lexer) rubyVariable(i int) {
	end := i + 1
	if l.at(end) == '@' {
		end++
	}
	l.pos = max(l.nameEnd(end), i+1)
	if l.src[i] == '$' && l.pos == i+1 {
		l.pos = min(i+2, len(l.src))
	}
	l.prev, l.next = 'a', 0
}

// rubyComment reads what is between "=begin" and "=end".
func (l *lexer) rubyComment(i int) bool {
	if !strings.HasPrefix(l.src[i:], "=begin") || i > 0 && l.src[i-1] != '\n' {
		return false
	}
	end := len(l.src)
	if n := strings.Index(l.src[i:], "\n=end"); n >= 0 {
		end = l.lineEnd(i + n + 1)
	}
	l.tok('c', i, end)
	return true
}

// rubyWord reads keys ("name:"), and names with "?" and "!".
func rubyWord(l *lexer, start, end int) bool {
	c := l.at(end)
	if c == ':' && l.at(end+1) != ':' && l.prev != '?' {
		l.tok('s', start, end)
		l.pos = end + 1
		l.prev, l.next = ':', 0
		return true
	}
	if l.next == 'f' {
		if l.src[start:end] == "self" && c == '.' {
			l.tok('t', start, end)
			l.pos = end + 1
			return true
		}
		if (c == '?' || c == '!' || c == '=') && l.at(end+1) != ' ' {
			end++
		}
		l.tok('f', start, end)
		l.prev, l.next = 'a', 0
		return true
	}
	if (c == '?' || c == '!') && l.at(end+1) != '=' && l.at(end+1) != c {
		if w, ok := l.named.find(l.src[start:end]); !ok || w.class != 'k' {
			l.pos = end + 1
			l.prev, l.next = 'a', 0
			return true
		}
	}
	return false
}

// percent reads %w[a b], %q(c), %r{d}.
func (l *lexer) percent(i int) bool {
	at := i + 1
	if c := l.at(at); strings.IndexByte("qQwWiIrsx", max(c, 1)) >= 0 {
		at++
	}
	open := l.at(at)
	shut := open
	switch open {
	case '(':
		shut = ')'
	case '[':
		shut = ']'
	case '{':
		shut = '}'
	case '<':
		shut = '>'
	case '|', '!', '/':
	default:
		return false
	}
	depth := 0
	for end := at + 1; end < len(l.src); end++ {
		switch c := l.src[end]; {
		case c == '\\':
			end++
		case c == shut && depth == 0:
			l.tok('s', i, end+1)
			l.prev, l.next = 'a', 0
			return true
		case c == shut:
			depth--
		case c == open:
			depth++
		}
	}
	l.tok('s', i, len(l.src))
	return true
}

// rubyHeredoc reads "<<~EOS" and what it starts with the next line.
func (l *lexer) rubyHeredoc(i int) bool {
	at := i + 2
	h := heredoc{}
	if c := l.at(at); c == '~' || c == '-' {
		h.tabs = true
		at++
	}
	quote := l.at(at)
	if quote == '\'' || quote == '"' {
		at++
	}
	end := l.nameEnd(at)
	if h.word = l.src[at:end]; h.word == "" {
		return false
	}
	if l.at(end) == quote && at > i+2 {
		end++
	}
	l.tok('s', i, end)
	l.prev, l.next = 'a', 0
	l.pending = append(l.pending, h)
	return true
}
