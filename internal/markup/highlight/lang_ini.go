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

// tomlHook reads signs as a part of their numbers, and tables.
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

// tomlTable reads "[a.b]" and "[[a]]" where a line starts with it: keys come
// in no other place, but arrays do, with the values that they start with.
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

// tomlKey keeps "true" from being a value where it is a key.
func tomlKey(l *lexer, start, end int) bool {
	if !l.lineStart(start) {
		return false
	}
	l.pos = end
	l.prev = 'a'
	return true
}

// scanINI reads sections, keys and values.
func scanINI(src string, emit func(class byte, end int)) {
	for i := 0; i < len(src); {
		end := i + strings.IndexByte(src[i:], '\n')
		if end < i {
			end = len(src)
		}
		line := src[i:end]
		text := strings.TrimLeft(line, " \t")
		at := end - len(text)
		emit(0, at)
		switch {
		case text == "":
		case text[0] == ';' || text[0] == '#':
			emit('c', end)
		case text[0] == '[' && strings.HasSuffix(strings.TrimRight(text, " \t"), "]"):
			emit('k', end)
		case at > i && i > 0 && !strings.Contains(text, "="):
			emit('s', end) // goes on
		default:
			key, value, ok := strings.Cut(text, "=")
			emit('t', at+len(strings.TrimRight(key, " \t")))
			if ok {
				emit(0, end-len(strings.TrimLeft(value, " \t")))
				emit('s', end)
			}
		}
		emit(0, min(end+1, len(src)))
		i = end + 1
	}
}
