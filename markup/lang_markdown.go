package markup

import "strings"

// scanMarkdown reads the source of Markdown: headings, lists, quotes, code,
// links. The code in a fence has the classes of its language.
func scanMarkdown(src string, emit func(class byte, end int)) {
	m := md{src: src, emit: emit}
	if strings.HasPrefix(src, "---\n") {
		if n := strings.Index(src, "\n---\n"); n > 0 {
			emit(0, 4)
			scanYAML(src[4:n+1], func(class byte, at int) { emit(class, 4+at) })
			emit(0, n+4)
			m.pos = n + 4
		}
	}
	for m.pos < len(src) {
		m.line(m.pos, m.lineEnd(m.pos))
	}
}

type md struct {
	src    string
	emit   func(class byte, end int)
	pos    int
	barren int // no single backtick closes one before here
}

func (m *md) tok(class byte, start, end int) {
	m.emit(0, start)
	m.emit(class, end)
}

func (m *md) lineEnd(i int) int {
	if n := strings.IndexByte(m.src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(m.src)
}

func (m *md) line(i, end int) {
	src := m.src
	m.pos = end + 1
	at := i
	for at < end && (src[at] == ' ' || src[at] == '\t') {
		at++
	}
	text := src[at:end]
	switch {
	case text == "":
	case strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"):
		m.fence(i, at, end)
	case text[0] == '#' && at == i && heading(text):
		m.tok('h', i, end)
	case text[0] == '>':
		m.tok('k', at, at+1)
		m.inline(at+1, end)
	case len(text) > 1 && strings.IndexByte("*-+", text[0]) >= 0 && text[1] == ' ':
		m.tok('k', at, at+1)
		if len(text) > 4 && text[2] == '[' && text[4] == ']' {
			m.tok('k', at+2, at+5)
			at += 3
		}
		m.inline(at+2, end)
	default:
		n := 0
		for n < len(text) && n < 9 && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		if n > 0 && n+1 < len(text) && (text[n] == '.' || text[n] == ')') && text[n+1] == ' ' {
			m.tok('k', at, at+n+1)
			at += n + 1
		}
		m.inline(at, end)
	}
}

func heading(text string) bool {
	rest := strings.TrimLeft(text, "#")
	return len(text)-len(rest) <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// fence reads a block of code, from the line src[i:end] on.
func (m *md) fence(i, at, end int) {
	src := m.src
	mark := src[at : at+3]
	n := at + 3
	for n < end && src[n] == mark[0] {
		n++
	}
	long := src[at:n]
	m.tok('s', at, end)
	word, _, _ := strings.Cut(strings.TrimSpace(src[n:end]), " ")
	start := min(end+1, len(src))
	stop, next := len(src), len(src)
	for k := start; k < len(src); {
		e := m.lineEnd(k)
		if line := strings.TrimSpace(src[k:e]); strings.HasPrefix(line, long) && strings.Trim(line, mark[:1]) == "" {
			stop, next = k, e
			break
		}
		k = e + 1
	}
	// Markdown in Markdown is plain: else it could be as deep as it is long.
	if scan := ownScanner(word); scan != nil && stop > start {
		m.emit(0, start)
		scan(src[start:stop], func(class byte, at int) { m.emit(class, min(start+at, stop)) })
	}
	m.emit(0, stop)
	m.tok('s', stop, next)
	m.pos = next
}

// ownScanner is the scanner for a fence word, without going through chroma's
// names, and without that of Markdown.
func ownScanner(word string) scanner {
	word = strings.ToLower(word)
	if alias, ok := aliases[word]; ok {
		word = alias
	}
	if word == "markdown" {
		return nil
	}
	return scanners[word]
}

// inline reads code and links in src[i:end].
func (m *md) inline(i, end int) {
	src := m.src
	for i < end {
		switch src[i] {
		case '\\':
			i += 2
		case '`':
			n := i
			for n < end && src[n] == '`' {
				n++
			}
			stop := strings.Index(src[n:end], src[i:n])
			if stop < 0 || n <= m.barren {
				m.barren = end // of this line, no more is looked for
				i = n
				break
			}
			m.tok('s', i, n+stop+n-i)
			i = n + stop + n - i
		case '<':
			if strings.HasPrefix(src[i:], "<!--") {
				stop := after(src, i+4, "-->")
				m.tok('c', i, stop)
				if i = stop; stop > end {
					m.pos = stop
					return
				}
				break
			}
			i++
		case '[':
			i = m.link(i, end)
		default:
			i++
		}
	}
}

// link reads "[text](target)" at i; what is not that stays text.
func (m *md) link(i, end int) int {
	const longest = 1000 // so that many brackets without an end cost little
	limit := min(end, i+longest)
	n := strings.IndexByte(m.src[i:limit], ']')
	if n < 0 || i+n+1 >= end || m.src[i+n+1] != '(' {
		return i + 1
	}
	shut := i + n
	stop := strings.IndexByte(m.src[shut:min(end, shut+longest)], ')')
	if stop < 0 || stop < 3 || n < 2 {
		return i + 1
	}
	m.tok('k', i+1, shut)
	m.tok('t', shut+2, shut+stop)
	return shut + stop + 1
}
