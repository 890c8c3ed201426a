package highlight

import "strings"

// tags reads HTML, XML and similar formats.
type tags struct {
	src  string
	emit func(class byte, end int)
	xml  bool
}

func scanHTML(src string, emit func(class byte, end int)) {
	t := tags{src: src, emit: emit}
	t.run()
}

func scanXML(src string, emit func(class byte, end int)) {
	t := tags{src: src, emit: emit, xml: true}
	t.run()
}

func (t *tags) tok(class byte, start, end int) {
	t.emit(0, start)
	t.emit(class, end)
}

func (t *tags) run() {
	src := t.src
	for i := 0; i < len(src); {
		n := strings.IndexAny(src[i:], "<&")
		if n < 0 {
			return
		}
		i += n
		rest := src[i:]
		switch {
		case rest[0] == '&':
			n := 1
			for n < len(rest) && n < 32 && isEntityByte(rest[n]) {
				n++
			}
			if n > 1 && n < len(rest) && rest[n] == ';' {
				t.tok('n', i, i+n+1)
			}
			i += n
		case strings.HasPrefix(rest, "<!--"):
			end := after(src, i+4, "-->")
			t.tok('c', i, end)
			i = end
		case strings.HasPrefix(rest, "<![CDATA["):
			end := after(src, i+9, "]]>")
			t.tok('p', i, end)
			i = end
		case strings.HasPrefix(rest, "<!"), strings.HasPrefix(rest, "<?"):
			end := after(src, i+2, ">")
			t.tok('p', i, end)
			i = end
		case len(rest) > 1 && (rest[1] == '/' || isTagByte(rest[1])):
			i = t.tag(i)
		default:
			i++
		}
	}
}

func isEntityByte(c byte) bool { return c == '#' || isDigitByte(c) || isLetterByte(c) && c != '_' }

func isTagByte(c byte) bool {
	return isLetterByte(c) || isDigitByte(c) || c == '-' || c == ':' || c == '.' || c >= 0x80
}

// tag reads the tag at i, and the script or style after it.
func (t *tags) tag(i int) int {
	src := t.src
	start := i
	i++
	closing := src[i] == '/'
	if closing {
		i++
	}
	from := i
	for i < len(src) && isTagByte(src[i]) {
		i++
	}
	name := src[from:i]
	if t.xml {
		from = start
	}
	t.tok('k', from, i)
	attr, lang := "", "" // the last attribute, and the language that one names
	for i < len(src) {
		switch c := src[i]; {
		case c == '>':
			if t.xml {
				t.tok('k', i, i+1)
			}
			i++
			if !closing && !t.xml && src[i-2] != '/' {
				return t.embedded(i, name, lang)
			}
			return i
		case c == '<':
			return i // not a tag
		case c == '"' || c == '\'':
			end := after(src, i+1, src[i:i+1])
			t.tok('s', i, end)
			if strings.EqualFold(attr, "lang") || strings.EqualFold(attr, "type") {
				lang = strings.Trim(src[i:end], `"'`)
			}
			i = end
		case c == '=':
			i = t.unquoted(i + 1)
		case c == '/' && t.xml && i+1 < len(src) && src[i+1] == '>':
			t.tok('k', i, i+1)
			i++
		case c <= ' ' || c == '/':
			i++
		default:
			end := t.attribute(i)
			attr, i = src[i:end], end
		}
	}
	return len(src)
}

// unquoted reads the value after the "=" before i, unless it has quotes.
func (t *tags) unquoted(i int) int {
	src := t.src
	for i < len(src) && (src[i] == ' ' || src[i] == '\t' || src[i] == '\n') {
		i++
	}
	end := i
	if end < len(src) && (src[end] == '"' || src[end] == '\'') {
		return i
	}
	for end < len(src) && src[end] > ' ' && src[end] != '>' && src[end] != '<' {
		end++
	}
	t.tok('s', i, end)
	return end
}

// attribute reads the name at i; in XML "=" belongs to it.
func (t *tags) attribute(i int) int {
	end := i
	for end < len(t.src) && t.src[end] > ' ' && strings.IndexByte(`"'>=</`, t.src[end]) < 0 {
		end++
	}
	if t.xml && end < len(t.src) && t.src[end] == '=' {
		t.tok('t', i, end+1)
	} else {
		t.tok('t', i, end)
	}
	return end
}

// embedded reads the script or style at i, up to its closing tag.
func (t *tags) embedded(i int, name, lang string) int {
	var scan scanner
	switch strings.ToLower(name) {
	case "script":
		scan = scanners["javascript"]
		switch {
		case strings.HasPrefix(lang, "ts"):
			scan = scanners["typescript"]
		case strings.Contains(lang, "json"):
			scan = scanJSON
		case strings.Contains(lang, "template") || strings.Contains(lang, "html"):
			return i
		}
	case "style":
		scan = scanCSS
		if lang == "scss" || lang == "less" || lang == "sass" {
			scan = scanSCSS
		}
	default:
		return i
	}
	end := i
	for {
		n := strings.Index(t.src[end:], "</")
		if n < 0 {
			end = len(t.src)
			break
		}
		end += n
		if len(t.src) >= end+2+len(name) && strings.EqualFold(t.src[end+2:end+2+len(name)], name) {
			break
		}
		end += 2
	}
	if end > i {
		t.emit(0, i)
		scan(t.src[i:end], func(class byte, at int) { t.emit(class, i+at) })
		t.emit(0, end)
	}
	return end
}
