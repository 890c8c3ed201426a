package redact

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"viewer/internal/redact/match"
)

var literalRule = &rule{id: "redact-file", label: "redacted", confidence: Likely}

// literalSet has texts that are always replaced. They are compared by their letters, ignoring case, the composition of
// accents, blanks and line ends between words, and zero-width characters.
type literalSet struct {
	find  *match.Finder
	words []string // folded, as given to find
	keys  []string // the text that a word belongs to
}

func newLiterals(texts []string) (*literalSet, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	l := &literalSet{find: new(match.Finder)}
	for _, text := range texts {
		var f folded
		f.fold([]byte(text))
		word := strings.TrimSpace(string(f.text))
		forms := []string{word}
		if tight := strings.ReplaceAll(word, " ", ""); tight != word {
			forms = append(forms, tight)
		}
		for _, form := range forms {
			if len(form) < match.ShortestWord {
				return nil, fmt.Errorf(
					"%q: a text of fewer than %d characters would be found everywhere",
					text,
					shortestLiteral,
				)
			}
			if l.find.Full() {
				return nil, fmt.Errorf("more than %d texts to replace", len(texts))
			}
			l.find.Add(form, len(l.words))
			l.words, l.keys = append(l.words, form), append(l.keys, word)
		}
	}
	return l, nil
}

// literals replaces the texts that are always replaced. If a text spans lines, the part on each line is replaced, so
// that the number of lines stays the same.
func (s *scan) literals(text []byte) {
	l := s.redactor.literals
	f := &s.folded
	f.fold(text)
	l.find.Each(f.text, func(word, at int) {
		end := at + len(l.words[word])
		if end > len(f.text) || string(f.text[at:end]) != l.words[word] {
			return
		}
		from, to := int(f.at[at]), int(f.at[end])
		for i := end; to == int(f.at[end-1]) && i < len(f.text); i++ { // it ends inside a character of the original
			to = int(f.at[i+1])
		}
		if s.allowed(text[from:to]) {
			return
		}
		e := edit{start: from, end: to, rule: literalRule, key: l.keys[word]}
		for {
			n := bytes.IndexByte(text[e.start:to], '\n')
			if n < 0 {
				break
			}
			stop := e.start + n
			e.end = stop
			if e.end > e.start && text[e.end-1] == '\r' {
				e.end--
			}
			if e.end > e.start {
				s.edits = append(s.edits, e)
				e.kind = removed
			}
			e.start, e.end = stop+1, to
		}
		s.edits = append(s.edits, e)
	})
}

// folded is a text in the form in which literals are compared, with the original offset of each byte; at has one more
// element, the end.
type folded struct {
	text []byte
	at   []int32

	caser *cases.Caser // nil until it is needed; not safe for concurrent use
}

// fold converts letters to lower case, composes accents, replaces white space by one blank, and removes zero-width
// characters.
func (f *folded) fold(text []byte) {
	f.text, f.at = f.text[:0], f.at[:0]
	for i := 0; i < len(text); {
		c := text[i]
		if c > ' ' && c < utf8.RuneSelf && (i+1 >= len(text) || text[i+1] < utf8.RuneSelf) {
			f.text, f.at = append(f.text, lower(c)), append(f.at, int32(i))
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case unicode.IsSpace(r):
			if len(f.text) == 0 || f.text[len(f.text)-1] != ' ' {
				f.text, f.at = append(f.text, ' '), append(f.at, int32(i))
			}
		case unicode.Is(unicode.Cf, r) || r >= 0xfe00 && r <= 0xfe0f: // a joiner, a soft hyphen, a selector
		case r == utf8.RuneError && n < 2:
			f.text, f.at = append(f.text, c), append(f.at, int32(i))
		default:
			if k := norm.NFC.NextBoundary(text[i:min(len(text), i+128)], true); k > 0 {
				n = k
			}
			if f.caser == nil {
				caser := cases.Fold()
				f.caser = &caser
			}
			same := norm.NFC.Bytes(f.caser.Bytes(norm.NFD.Bytes(text[i : i+n])))
			for _, b := range same {
				f.text, f.at = append(f.text, b), append(f.at, int32(i))
			}
		}
		i += n
	}
	f.at = append(f.at, int32(len(text)))
}
