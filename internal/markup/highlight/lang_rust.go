package highlight

import (
	"strings"
	"unicode/utf8"
)

var rust = grammar{
	words: []wordList{
		{class: 'k', words: "unsafe static extern return const crate where while await trait super async match " +
			"impl else move loop pub ref mut for dyn use box in if as abstract override virtual become typeof " +
			"final macro yield priv try do mod let break continue"},
		{class: 'k', next: 'f', words: "fn"},
		{class: 'k', next: 't', words: "struct enum type union"},
		{class: 'n', words: "true false"},
		{class: 't', words: "self Self isize usize bool char u128 i128 i64 i32 i16 str u64 u32 f32 f64 u16 i8 u8 " +
			"DoubleEndedIterator ExactSizeIterator IntoIterator PartialOrd PartialEq ToString Iterator ToOwned " +
			"Default Result String FnOnce Extend Option FnMut Unpin Sized AsRef AsMut Clone None From Into Sync " +
			"drop Send Drop Copy Some Ord Err Box Vec Eq Ok Fn"},
	},
	delims: []delim{
		{class: 'c', open: "//", shut: "\n"},
		{class: 'c', open: "/*", shut: "*/", lines: true, nest: true},
		{class: 's', open: `"`, shut: `"`, escape: '\\', lines: true},
	},
	prefixes: map[string][]delim{
		"b": {
			{class: 's', open: `"`, shut: `"`, escape: '\\', lines: true},
			{class: 's', open: "'", shut: "'", escape: '\\'},
		},
		"c": {{class: 's', open: `"`, shut: `"`, escape: '\\', lines: true}},
	},
	dotted: true,
	hooks:  "'#$-:&",
	hook:   rustHook,
	onWord: rustWord,
}

func rustHook(l *lexer, i int) bool {
	src := l.src
	switch src[i] {
	case '\'':
		return l.lifetime(i)
	case '#':
		if l.at(i+1) == '[' || l.at(i+1) == '!' && l.at(i+2) == '[' {
			l.attribute(i)
			return true
		}
	case '$':
		end := l.nameEnd(i + 1)
		for end == i+1 && end < len(src) && strings.IndexByte("(),", src[end]) >= 0 {
			end++
		}
		l.tok('p', i, end)
		l.prev = 'a'
		return true
	case '-':
		if l.at(i+1) == '>' {
			l.pos = i + 2
			l.prev, l.next = '>', 't'
			return true
		}
	case ':':
		l.pos = i + 1
		l.prev, l.next = ':', 't'
		if l.at(i+1) == ':' {
			l.pos, l.next = i+2, 0
		}
		return true
	case '&':
		if l.next == 't' {
			l.tok('k', i, i+1) // of a type
			return true
		}
	}
	return false
}

// lifetime distinguishes 'a from 'a'.
func (l *lexer) lifetime(i int) bool {
	if c := l.at(i + 1); c != '\\' {
		_, n := utf8.DecodeRuneInString(l.src[i+1:])
		if l.at(i+1+n) != '\'' {
			l.tok('t', i, l.nameEnd(i+1))
			l.prev = 'a'
			return true
		}
		l.tok('s', i, i+2+n)
		l.prev, l.next = 'a', 0
		return true
	}
	end := i + 3
	for end < len(l.src) && l.src[end] != '\'' && l.src[end] != '\n' {
		end++
	}
	if l.at(end) == '\'' {
		end++
	}
	l.tok('s', i, min(end, len(l.src)))
	l.prev, l.next = 'a', 0
	return true
}

// attribute reads "#[...]", with the strings in it.
func (l *lexer) attribute(i int) {
	src := l.src
	depth := 0
	start := i
	for i < len(src) {
		switch src[i] {
		case '"':
			l.tok('p', start, i)
			end := i + 1
			for end < len(src) && src[end] != '"' {
				if src[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(src))
			l.tok('s', i, end)
			start, i = end, end
			continue
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				l.tok('p', start, i+1)
				return
			}
		}
		i++
	}
	l.tok('p', start, len(src))
}

// rustWord reads raw strings and the names of macros.
func rustWord(l *lexer, start, end int) bool {
	word := l.src[start:end]
	switch c := l.at(end); {
	case (c == '#' || c == '"') && (word == "r" || word == "br" || word == "cr"):
		n := end
		for l.at(n) == '#' {
			n++
		}
		if l.at(n) != '"' {
			return false
		}
		l.until('s', start, n+1, `"`+l.src[end:n])
		return true
	case c == '!' && l.at(end+1) != '=' && l.prev != '.':
		l.tok('f', start, end+1)
		l.prev, l.next = 'a', 0
		return true
	}
	return false
}
