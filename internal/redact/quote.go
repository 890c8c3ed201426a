package redact

import "bytes"

// A quote is a quotation mark around a value, as a character or as encoded in HTML, URLs and JSON.
type quote struct {
	open, close string
	slashes     int // number of backslashes before it, in an escaped text
}

// written are the quotes of more than one byte.
var written = []quote{
	{
		"&quot;",
		"&quot;",
		0,
	}, {"&#34;", "&#34;", 0}, {"&#39;", "&#39;", 0}, {"&apos;", "&apos;", 0}, {"&#x27;", "&#x27;", 0},
	{"&#x22;", "&#x22;", 0},
	{"%22", "%22", 0}, {"%27", "%27", 0}, {"“", "”", 0}, {"‘", "’", 0}, {"„", "“", 0},
}

// quoteAt reads the quote that opens at p and returns its length, 0 if there is none.
func quoteAt(text []byte, p int) (quote, int) {
	i := p
	for i < len(text) && text[i] == '\\' && i-p < 16 {
		i++
	}
	if i >= len(text) {
		return quote{}, 0
	}
	if isQuote(text[i]) {
		sign := string(text[i : i+1])
		if i == p && i+2 < len(text) && text[i+1] == text[i] && text[i+2] == text[i] { // of Python and TOML
			three := sign + sign + sign
			return quote{three, three, 0}, len(three)
		}
		return quote{sign, sign, i - p}, i - p + 1
	}
	switch text[p] {
	case '&', '%', 0xe2:
		for _, q := range written {
			if bytes.HasPrefix(text[p:], []byte(q.open)) {
				return q, len(q.open)
			}
		}
	}
	return quote{}, 0
}

// longestQuoted limits the length of a value in quotes, in bytes.
const longestQuoted = 8 << 10

// end returns the offset of the closing quote for one opened before p, -1 if there is none on the line.
func (q quote) end(text []byte, p int) int {
	line := text[p:min(len(text), p+longestQuoted)]
	for i := 0; ; {
		n := bytes.Index(line[i:], []byte(q.close))
		if n < 0 || bytes.IndexByte(line[i:i+n], '\n') >= 0 {
			return -1
		}
		i += n
		slashes := 0
		for slashes < i && line[i-1-slashes] == '\\' {
			slashes++
		}
		// A closing quote in an escaped text has as many backslashes as the opening one; quotes inside the value have
		// more.
		if q.close != `"` && q.close != "'" || slashes%(2*(q.slashes+1)) == q.slashes {
			return p + i - min(slashes, q.slashes)
		}
		i += len(q.close)
	}
}

// unclosed is a quote that does not close before an offset.
type unclosed struct {
	close string
	to    int
}

// lineEnd returns where a quoted value that begins at p must end at the latest.
func lineEnd(text []byte, p int) int {
	end := min(len(text), p+longestQuoted)
	if i := bytes.IndexByte(text[p:end], '\n'); i >= 0 {
		return p + i
	}
	return end
}

// quotedValue returns the value whose quote opens before p.
func (s *scan) quotedValue(a assignedValue, q quote, p int) (assignedValue, bool) {
	text := s.text
	if p < s.unclosed.to && q.close == s.unclosed.close {
		return a, false
	}
	end := q.end(text, p)
	if end < 0 && len(q.close) == 1 { // C:\x\', or one that is cut off
		if n := bytes.IndexByte(text[p:min(len(text), p+longestQuoted)], q.close[0]); n >= 0 &&
			bytes.IndexByte(text[p:p+n], '\n') < 0 {
			end = p + n
		}
	}
	if end < 0 {
		s.unclosed = unclosed{q.close, lineEnd(text, p)}
		return a, false
	}
	a.quoted, a.start, a.end = true, p, end
	// "\"...\"" : quotes in quotes
	for a.start < a.end && text[a.start] == '\\' && a.end-a.start > 1 && isQuote(text[a.start+1]) {
		a.start += 2
		if a.end-a.start > 2 && text[a.end-2] == '\\' && isQuote(text[a.end-1]) {
			a.end -= 2
		}
	}
	if a.end < len(text) {
		a.nextByte = text[a.end]
	}
	if a.op == call &&
		!bytes.HasPrefix(bytes.TrimLeft(text[end+len(q.close):min(len(text), end+len(q.close)+8)], ` \`), []byte(")")) {
		return a, false // one of several arguments
	}
	return a, a.end > a.start
}

// wrappers are texts that may enclose a value.
var wrappers = []string{
	"[]byte(",
	"SecretStr(",
	"SecretString(",
	"Secret(",
	"SecretBytes(",
	"String(",
	"str(",
	"bytes(",
	"Buffer.from(",
	"new ",
	"Some(",
	"Optional.of(",
	"to.Ptr(",
	"ptr.To(",
	"aws.String(",
	"pointer.String(",
	"pulumi.String(",
	"String.from(",
	"b",
	"r",
	"f",
	"u",
	"L",
	"@",
	"N",
	"Bearer ",
}

// wrapperStarts are the bytes that wrappers begin with.
var wrapperStarts = func() []byte {
	var all []byte
	for _, w := range wrappers {
		if bytes.IndexByte(all, w[0]) < 0 {
			all = append(all, w[0])
		}
	}
	return all
}()

// maxListValues limits how many values of a list are judged by its name.
const maxListValues = 50

// listValues replaces the values of a list of quoted texts that begins at p: "api_keys": ["...", "..."]. It returns
// false for anything else.
func (s *scan) listValues(a assignedValue, p int) bool {
	if p >= len(s.text) || s.text[p] != '[' {
		return false
	}
	promise := classOf(a.name)
	for n := range maxListValues {
		p = skipBytes(s.text, p+1, p+longestSetting, blanks+",")
		if p >= len(s.text) {
			return n > 0
		}
		q, size := quoteAt(s.text, p)
		if size == 0 {
			return n > 0
		}
		v, ok := s.quotedValue(a, q, p+size)
		if !ok {
			return true
		}
		if r := judge(promise, s.text[v.start:v.end], v); r != nil {
			s.replace(v.start, v.end, r)
		}
		p = v.end + len(q.close) - 1
	}
	return true
}

// wrapper skips a wrapper of a value in quotes, if there is one: []byte("..."), b'...'.
func (s *scan) wrapper(p int) int {
	if p >= len(s.text) || bytes.IndexByte(wrapperStarts, s.text[p]) < 0 {
		return p
	}
	for _, w := range wrappers {
		if bytes.HasPrefix(s.text[p:], []byte(w)) {
			q := p + len(w)
			if w == "new " {
				for q < len(s.text) && q-p < 32 && isName(s.text[q]) {
					q++
				}
				if q < len(s.text) && s.text[q] == '(' {
					q++
				}
			}
			if _, n := quoteAt(s.text, q); n > 0 {
				return q
			}
		}
	}
	return p
}
