package highlight

import "strings"

// scanMarkdown reads the source of Markdown: headings, lists, quotes, code,
// links. The code in a fence has the classes of its language.
func scanMarkdown(src string, emit func(class byte, end int)) {
	m := mdSource{src: src, emit: emit}
	m.run()
}

// scanInnerMarkdown reads Markdown in a fence of Markdown. Markdown in its own fences is not read again, since the
// nesting could be as deep as the text is long.
func scanInnerMarkdown(src string, emit func(class byte, end int)) {
	m := mdSource{src: src, emit: emit, inner: true}
	m.run()
}

func (m *mdSource) run() {
	src, emit := m.src, m.emit
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

type mdSource struct {
	src       string
	emit      func(class byte, end int)
	inner     bool
	pos       int
	paragraph int    // the end of the paragraph, once it was looked for
	unclosed  [5]int // by number of backticks, 4 for more: no run before this position is closed
}

func (m *mdSource) tok(class byte, start, end int) {
	m.emit(0, start)
	m.emit(class, end)
}

func (m *mdSource) lineEnd(i int) int {
	if n := strings.IndexByte(m.src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(m.src)
}

func (m *mdSource) line(i, end int) {
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
		m.fence(at, end)
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

// fence reads a block of code that begins at at, in a line that ends at end.
func (m *mdSource) fence(at, end int) {
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
	if scan := m.scannerFor(word); scan != nil && stop > start {
		m.emit(0, start)
		scan(src[start:stop], func(class byte, at int) { m.emit(class, min(start+at, stop)) })
	}
	m.emit(0, stop)
	m.tok('s', stop, next)
	m.pos = next
}

// scannerFor returns the scanner for a fence word. It does not use the names of chroma.
func (m *mdSource) scannerFor(word string) scanner {
	word = strings.ToLower(word)
	if alias, ok := aliases[word]; ok {
		word = alias
	}
	if word != "markdown" {
		return scanners[word]
	}
	if m.inner {
		return nil
	}
	return scanInnerMarkdown
}

// inline reads code and links in src[i:end].
func (m *mdSource) inline(i, end int) {
	src := m.src
	for i < end {
		switch src[i] {
		case '\\':
			i += 2
		case '`':
			n := ticks(src, i)
			stop := m.codeEnd(n, n-i)
			if stop == 0 {
				i = n
				break
			}
			m.tok('s', i, stop)
			if i = stop; stop > end { // on a later line
				end = m.lineEnd(stop)
				m.pos = end + 1
			}
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

// ticks returns the end of the backticks at i.
func ticks(src string, i int) int {
	for i < len(src) && src[i] == '`' {
		i++
	}
	return i
}

// codeEnd returns the end of the code whose n opening backticks end at i: after as many in the same paragraph, or 0 for
// none.
func (m *mdSource) codeEnd(i, n int) int {
	kind := min(n, len(m.unclosed)-1)
	if i <= m.unclosed[kind] {
		return 0
	}
	if i > m.paragraph {
		m.paragraph = m.paragraphEnd(i)
	}
	for at := i; ; {
		tick := strings.IndexByte(m.src[at:m.paragraph], '`')
		if tick < 0 {
			m.unclosed[kind] = m.paragraph
			return 0
		}
		tick += at
		if at = ticks(m.src, tick); at-tick == n {
			return at
		}
	}
}

// paragraphEnd returns the end of the paragraph that i is in.
func (m *mdSource) paragraphEnd(i int) int {
	end := m.lineEnd(i)
	for end < len(m.src) {
		next := m.lineEnd(end + 1)
		text := strings.TrimLeft(m.src[end+1:next], " \t")
		if text == "" || heading(text) && text[0] == '#' || text[0] == '>' ||
			strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") ||
			len(text) > 1 && strings.IndexByte("*-+|", text[0]) >= 0 && text[1] == ' ' {
			break
		}
		end = next
	}
	return end
}

// link reads "[text](target)" at i. Anything else stays text.
func (m *mdSource) link(i, end int) int {
	const longest = 1000 // limits the cost of many unclosed brackets
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
