package corpusgen

import "strconv"

// appendf appends a format. Its verbs are %q for a JSON string from a string or bytes, %s for a string or bytes
// unchanged, %d for an int, and %t for a bool.
func appendf(dst []byte, format string, args ...any) []byte {
	from := 0
	for i := 0; i+1 < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		dst = append(dst, format[from:i]...)
		arg := args[0]
		args = args[1:]
		switch format[i+1] {
		case 'q':
			if b, ok := arg.([]byte); ok {
				dst = appendQuoted(dst, b)
			} else {
				dst = appendQuoted(dst, arg.(string))
			}
		case 's':
			if b, ok := arg.([]byte); ok {
				dst = append(dst, b...)
			} else {
				dst = append(dst, arg.(string)...)
			}
		case 'd':
			dst = strconv.AppendInt(dst, int64(arg.(int)), 10)
		case 't':
			dst = strconv.AppendBool(dst, arg.(bool))
		default:
			panic("corpusgen: a format has no such verb: " + format)
		}
		from = i + 2
		i++
	}
	if len(args) > 0 {
		panic("corpusgen: too many values for " + format)
	}
	return append(dst, format[from:]...)
}

// escapes are the bytes that must be escaped in a JSON string.
var escapes = func() (all [256]string) {
	const hex = "0123456789abcdef"
	for c := range 0x20 {
		all[c] = `\u00` + hex[c>>4:c>>4+1] + hex[c&15:c&15+1]
	}
	all['\b'], all['\f'], all['\n'], all['\r'], all['\t'] = `\b`, `\f`, `\n`, `\r`, `\t`
	all['"'], all['\\'] = `\"`, `\\`
	return all
}()

// appendQuoted appends a string as JSON.stringify does.
func appendQuoted[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	from := 0
	for i := range len(s) {
		if e := escapes[s[i]]; e != "" {
			dst = append(append(dst, s[from:i]...), e...)
			from = i + 1
		}
	}
	return append(append(dst, s[from:]...), '"')
}

// quoted returns a string escaped for JSON, without quotes.
func quoted(s []byte) []byte {
	q := appendQuoted(nil, s)
	return q[1 : len(q)-1]
}
