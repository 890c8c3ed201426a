package redact

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
)

// An encoded is a decoded text: from base64, and possibly gzip. Pages link to the decoded text.
type encoded struct {
	text    []byte // decoded, UTF-16 as UTF-8
	lines   string // the encoded text, if it has several lines
	packed  bool
	urlSafe bool
	file    fileKind // kind of the file that the text may be
}

const (
	minEncoded  = 16 // characters: shorter texts are too short for a name and a secret
	encodedHead = 256
	// maxUnpacked limits the bytes that are unpacked from one value, and maxUnpackedAll from all values of a session,
	// since a few bytes can unpack to any number. A larger value is replaced as a whole.
	maxUnpacked    = 16 << 20
	maxUnpackedAll = 256 << 20
)

var packedRule = &rule{id: "packed-data", label: "packed-data", confidence: Likely}

// encoded decodes a whole text and finds the edits in the result. The returned edit encodes the edited result again.
func (s *scan) encoded(text []byte, c context) (e edit, ok bool) {
	start := 0
	if bytes.HasPrefix(text, []byte("data:")) {
		if i := bytes.Index(text[:min(len(text), encodedHead)], []byte(";base64,")); i > 0 {
			start = i + len(";base64,")
		}
	}
	body := text[start:]
	if len(body) < minEncoded {
		return e, false
	}
	for _, b := range body[:minEncoded] {
		if isBlobByte[b] == 0 {
			return e, false
		}
	}
	head, _, ok := fromBase64(make([]byte, 0, encodedHead), body[:min(len(body), encodedHead)])
	packed := bytes.HasPrefix(head, []byte("\x1f\x8b"))
	if !ok || !packed && !looksText(head) {
		return e, false
	}
	all, urlSafe, ok := fromBase64(make([]byte, 0, len(body)/4*3+3), body)
	if !ok {
		return e, false
	}
	if packed {
		if all, ok = s.unpack(all); !ok {
			return edit{start: start, end: len(text), rule: packedRule}, true
		}
		if !looksText(all[:min(len(all), encodedHead)]) {
			return e, false
		}
	}
	of := &encoded{text: fromUTF16(all), packed: packed, urlSafe: urlSafe, file: c.file}
	if bytes.IndexByte(body, '\n') >= 0 {
		of.lines = string(body)
	}
	edits := s.findInText(of.text, of.context())
	if len(edits) == 0 {
		return e, false
	}
	return edit{start: start, end: len(text), rule: edits[0].rule, kind: reencoded, encoded: of}, true
}

func (e *encoded) context() context { return context{hasAtSign: true, file: e.file} }

// redacted returns the replacement of an encoded text.
func (s *Session) redacted(e *encoded) string {
	text := s.edited(string(e.text), s.scan.findInText(e.text, e.context()))
	data := []byte(text)
	if e.packed {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(data) // a buffer takes all
		_ = w.Close()
		data = b.Bytes()
	}
	encoding := base64.StdEncoding
	if e.urlSafe {
		encoding = base64.URLEncoding
	}
	return likeLines(encoding.EncodeToString(data), e.lines)
}

// likeLines breaks encoded text into lines of the same lengths as another text has; the last line gets the rest.
func likeLines(code, like string) string {
	var b strings.Builder
	for line := range strings.Lines(like) {
		n := min(len(strings.TrimSpace(line)), len(code))
		b.WriteString(code[:n])
		if code = code[n:]; strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
		}
	}
	if code == "" || b.Len() == 0 {
		return b.String() + code
	}
	lines := b.String()
	end := strings.TrimRight(lines, "\n")
	return end + code + lines[len(end):]
}

// unpack decompresses gzip as far as it is valid. ok is false if the result is too large.
func (s *Session) unpack(data []byte) (text []byte, ok bool) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, true
	}
	most := min(maxUnpacked, maxUnpackedAll-s.unpacked)
	text, _ = io.ReadAll(io.LimitReader(r, int64(most)+1)) // data before an error is valid
	s.unpacked += min(len(text), most)
	return text, len(text) <= most
}

// fromBase64 decodes base64 of either alphabet, with or without padding, on one or several lines. A text that is cut
// off is decoded as far as possible.
func fromBase64(dst, text []byte) (data []byte, urlSafe, ok bool) {
	var bits, n uint32
	for i, c := range text {
		v := base64Value[c]
		switch {
		case v < 64:
			urlSafe = urlSafe || c == '-' || c == '_'
			bits = bits<<6 | uint32(v)
			if n++; n == 4 {
				dst = append(dst, byte(bits>>16), byte(bits>>8), byte(bits))
				bits, n = 0, 0
			}
		case c == '=':
			if len(bytes.Trim(text[i:], "= \n\r\t")) > 0 {
				return nil, false, false
			}
		case !isSpace(c):
			return nil, false, false
		}
	}
	switch n {
	case 2:
		dst = append(dst, byte(bits>>4))
	case 3:
		dst = append(dst, byte(bits>>10), byte(bits>>2))
	}
	return dst, urlSafe, true
}

// base64Value is the value of a base64 digit, 64 for any other byte.
var base64Value = func() (of [256]byte) {
	for i := range of {
		of[i] = 64
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") {
		of[c] = byte(i)
	}
	of['+'], of['-'], of['/'], of['_'] = 62, 62, 63, 63
	return of
}()

// looksText reports whether data may be text, given its first bytes, and not a document that edits would break.
func looksText(head []byte) bool {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return true
	case bytes.HasPrefix(head, []byte("%PDF-")):
		return false
	}
	signs := 0
	for _, c := range head {
		switch {
		case c < ' ' && !isSpace(c) && c != 0x1b && c != '\f', c == 0x7f:
			return false
		case c < 0x80:
			signs++
		}
	}
	for range utf8.UTFMax - 1 { // a character that is cut off
		if r, n := utf8.DecodeLastRune(head); r == utf8.RuneError && n == 1 {
			head = head[:len(head)-1]
		}
	}
	return 4*signs >= 3*len(head) || utf8.Valid(head)
}

// fromUTF16 returns a text in UTF-8, if it begins like UTF-16.
func fromUTF16(text []byte) []byte {
	little := bytes.HasPrefix(text, []byte("\xff\xfe"))
	if !little && !bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return text
	}
	units := make([]uint16, 0, len(text)/2)
	for i := 2; i+1 < len(text); i += 2 {
		u := uint16(text[i])<<8 | uint16(text[i+1])
		if little {
			u = u>>8 | u<<8
		}
		units = append(units, u)
	}
	return []byte(string(utf16.Decode(units)))
}
