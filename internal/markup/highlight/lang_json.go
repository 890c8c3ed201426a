package highlight

import "strings"

// scanJSON reads JSON with or without comments. A string before a colon is a key.
func scanJSON(src string, emit func(class byte, end int)) {
	for i := 0; i < len(src); {
		start := i
		switch c := src[i]; {
		case c == '"' || c == '\'':
			i = jsonString(src, i)
			class := byte('s')
			end := i
			for i < len(src) && (src[i] == ' ' || src[i] == '\t') {
				i++
			}
			if i < len(src) && src[i] == ':' {
				class = 'k'
			}
			emit(0, start)
			emit(class, end)
		case c == '/' && i+1 < len(src) && (src[i+1] == '/' || src[i+1] == '*'):
			shut := "*/"
			if src[i+1] == '/' {
				shut = "\n"
			}
			i = after(src, i+2, shut)
			emit(0, start)
			emit('c', i)
		case c >= '0' && c <= '9' || c == '-' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$':
			i++
			for i < len(src) && (src[i] > ' ' && strings.IndexByte(`,:]}[{"/`, src[i]) < 0) {
				i++
			}
			word := src[start:i]
			if c <= '9' && c != '$' || word == "true" || word == "false" || word == "null" {
				emit(0, start)
				emit('n', i)
			}
		default:
			i++
		}
	}
}

// jsonString returns the end of the string at i, at most the end of the line.
func jsonString(src string, i int) int {
	quote := src[i]
	for i++; i < len(src); i++ {
		switch src[i] {
		case quote:
			return i + 1
		case '\\':
			i++
		case '\n':
			return i
		}
	}
	return len(src)
}

// after returns the end of the next mark at or after i, or the end of src.
func after(src string, i int, mark string) int {
	if n := strings.Index(src[i:], mark); n >= 0 {
		return i + n + len(mark)
	}
	return len(src)
}
