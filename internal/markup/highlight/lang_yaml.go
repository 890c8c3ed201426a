package highlight

import "strings"

// scanYAML reads line by line. The start of a line determines its kind. Values without quotes have the class of
// literals.
func scanYAML(src string, emit func(class byte, end int)) {
	y := yaml{src: src, emit: emit}
	for i := 0; i < len(src); {
		end := y.lineEnd(i)
		i = max(y.line(i, end), end) + 1
	}
}

type yaml struct {
	src  string
	emit func(class byte, end int)
	flow int // number of open brackets
}

func (y *yaml) tok(class byte, start, end int) {
	y.emit(0, start)
	y.emit(class, end)
}

// line reads src[i:end] and returns where it stopped: at end, or on a later line after a string or a block of text.
func (y *yaml) line(i, end int) int {
	src := y.src
	start := i
	for i < end && src[i] == ' ' {
		i++
	}
	if y.flow > 0 {
		return y.values(i, end, -1)
	}
	indent := -1 // column of the dash or key that a block of text belongs to
	if i == start && (strings.HasPrefix(src[i:end], "---") || strings.HasPrefix(src[i:end], "...")) {
		i += 3
	}
	for i < end && (src[i] == '-' || src[i] == '?') && (i+1 == end || src[i+1] == ' ') {
		indent = i - start
		for i++; i < end && src[i] == ' '; i++ {
		}
	}
	if key := y.key(i, end); key > i {
		indent = i - start
		y.tok('k', i, key)
		i = key + 1
	}
	return y.values(i, end, indent)
}

// values reads the values after a key, up to end or a later line.
func (y *yaml) values(i, end, indent int) int {
	src := y.src
	for i < end {
		switch c := src[i]; {
		case c == ' ' || c == '\t' || c == ',' || c == ':':
			i++
		case c == '#' && (i == 0 || src[i-1] <= ' '):
			y.tok('c', i, end)
			return end
		case c == '"' || c == '\'':
			if i = y.quotedValue(i); i > end {
				end = y.lineEnd(i)
			}
		case c == '{' || c == '[':
			y.flow++
			i++
		case c == '}' || c == ']':
			y.flow = max(0, y.flow-1)
			i++
		case c == '&' || c == '*' || c == '!':
			i = y.property(i, end)
		case (c == '|' || c == '>') && y.flow == 0 && blockHeader(src[i+1:end]):
			return y.block(i, end, indent)
		default:
			i = y.plain(i, end)
		}
	}
	return end
}

func (y *yaml) lineEnd(i int) int {
	if n := strings.IndexByte(y.src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(y.src)
}

// quotedValue reads the string at i: a value, or a key between brackets.
func (y *yaml) quotedValue(i int) int {
	stop := y.quoted(i)
	class := byte('s')
	if y.flow > 0 && stop < len(y.src) && y.src[stop] == ':' {
		class = 'k'
	}
	y.tok(class, i, stop)
	return stop
}

// property reads the anchor, the alias or the tag at i.
func (y *yaml) property(i, end int) int {
	stop := i + 1
	for stop < end && y.src[stop] > ' ' && (y.flow == 0 || strings.IndexByte(",]}", y.src[stop]) < 0) {
		stop++
	}
	y.tok('p', i, stop)
	return stop
}

// key returns the end of the key at i, or i for none.
func (y *yaml) key(i, end int) int {
	src := y.src
	if i < end && (src[i] == '"' || src[i] == '\'') {
		if stop := jsonString(src, i); stop < end && src[stop] == ':' {
			return stop
		}
		return i
	}
	for k := i; k < end; k++ {
		switch src[k] {
		case ':':
			if k+1 == end || src[k+1] == ' ' {
				return k
			}
		case '#':
			if k == i || src[k-1] == ' ' {
				return i
			}
		case '{', '[', '"':
			if k == i {
				return i
			}
		}
	}
	return i
}

// quoted returns the end of the string at i, which may have several lines.
func (y *yaml) quoted(i int) int {
	quote := y.src[i]
	for i++; i < len(y.src); i++ {
		switch y.src[i] {
		case quote:
			if quote == '\'' && i+1 < len(y.src) && y.src[i+1] == '\'' {
				i++
				continue
			}
			return i + 1
		case '\\':
			if quote == '"' {
				i++
			}
		}
	}
	return len(y.src)
}

// blockHeader reports whether s may follow "|" and ">".
func blockHeader(s string) bool {
	s = strings.TrimLeft(s, "+-0123456789")
	trimmed := strings.TrimLeft(s, " ")
	return trimmed == "" || len(trimmed) < len(s) && trimmed[0] == '#'
}

// block reads the lines after the one that ends at end that are indented by more than indent.
func (y *yaml) block(i, end, indent int) int {
	src := y.src
	if n := strings.Index(src[i:end], " #"); n >= 0 {
		y.tok('c', i+n+1, end)
	}
	start := end
	stop := end
	for end < len(src) {
		next := end + 1
		line := y.lineEnd(next)
		text := strings.TrimLeft(src[next:line], " ")
		if text != "" && line-next-len(text) <= indent {
			break
		}
		end = line
		if text != "" {
			stop = line
		}
	}
	y.tok('s', start, stop)
	return end
}

// plain reads a value without quotes.
func (y *yaml) plain(i, end int) int {
	src := y.src
	start := i
	for i < end {
		c := src[i]
		if c == '#' && src[i-1] == ' ' {
			break
		}
		if y.flow > 0 && (strings.IndexByte(",]}[{", c) >= 0 || c == ':' && (i+1 == end || src[i+1] == ' ')) {
			break
		}
		i++
	}
	stop := start + len(strings.TrimRight(src[start:i], " "))
	class := byte('n')
	if y.flow > 0 && i < end && src[i] == ':' {
		class = 'k'
	}
	y.tok(class, start, stop)
	return max(i, start+1)
}
