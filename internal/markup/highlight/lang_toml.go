package highlight

import "strings"

var toml = grammar{
	words: []wordList{{class: 'n', words: "true false inf nan"}},
	delims: []delim{
		{class: 'c', open: "#", shut: "\n"},
		{class: 's', open: `"""`, shut: `"""`, escape: '\\', lines: true},
		{class: 's', open: "'''", shut: "'''", lines: true},
		{class: 's', open: `"`, shut: `"`, escape: '\\'},
		{class: 's', open: "'", shut: "'"},
	},
	part:   "-",
	seps:   "-:",
	hooks:  "[+-",
	hook:   tomlHook,
	onWord: tomlKey,
}

// tomlHook reads signs as part of numbers, and the headers of tables.
func tomlHook(l *lexer, i int) bool {
	if l.src[i] == '[' {
		return tomlTable(l, i)
	}
	if c := l.at(i + 1); c < '0' || c > '9' {
		return false
	}
	l.tok('n', i, number(l.src, i+1, l.seps))
	l.prev = 'a'
	return true
}

// tomlTable reads "[a.b]" and "[[a]]" at the start of a line. Elsewhere a bracket starts an array.
func tomlTable(l *lexer, i int) bool {
	if !l.lineStart(i) || len(l.stack) > 0 {
		return false
	}
	line := l.src[i:l.lineEnd(i)]
	head, tail, _ := strings.Cut(strings.TrimLeft(line, "["), "]")
	tail = strings.TrimLeft(tail, "] \t")
	if head == "" || strings.ContainsAny(head, ",=[{") || tail != "" && tail[0] != '#' {
		return false
	}
	end := i + len(line) - len(tail)
	l.tok('k', i, i+len(strings.TrimRight(l.src[i:end], " \t")))
	return true
}

// tomlKey recognizes "true" as a key where it is one.
func tomlKey(l *lexer, start, end int) bool {
	if !l.lineStart(start) {
		return false
	}
	l.pos = end
	l.prev = 'a'
	return true
}
