package redact

import (
	"bytes"
	"strings"
)

var (
	secretRule   = &rule{id: "secret", label: "secret", confidence: Likely}
	passwordRule = &rule{id: "password", label: "password", confidence: Likely}
)

// assignment is the detector of names that suggest a secret. If the text is the name of a member, its class is stored
// for the value.
func assignment(s *scan, t *target, at int) {
	switch {
	case t.word == "token" && at+5 < len(s.text) && lower(s.text[at+5]) == 's': // input_tokens: each message has some
		return
	case t.word == "code=" && (at == 0 || s.text[at-1] != '?' && s.text[at-1] != '&'): // of OAuth, in a query
		return
	case s.isName:
		s.nameClass = max(s.nameClass, classOf(s.text))
		if bytes.IndexByte(s.text, '=') < 0 { // a command as a name: {"PGPASSWORD=... psql": "allow"}
			return
		}
	case s.context.member&pairNameMember != 0 && isSetting(s.text, false): // {"name": "API_TOKEN", "value": "..."}
		s.nameClass = classOf(s.text)
		return
	}
	again := at < s.nameEnd // another word in the same name was examined before
	if again && (t.rules == nil || !s.nameFits) {
		return
	}
	from, to := s.nameAround(t, at)
	if !again {
		s.nameEnd = to
		s.column(from, to)
	}
	if t.rules != nil {
		to = secondName(s.text, to)
	}
	a, ok := s.readAssignment(from, to)
	if s.nameFits = ok; !ok {
		return
	}
	promise := classOf(a.name)
	if promise == phraseName && !a.quoted {
		a.end = s.wordsEnd(a.start)
	}
	if a.end-a.start < minValue && t.rules == nil {
		return
	}
	for _, r := range t.rules {
		if end := s.valueOf(r, a); end > 0 {
			s.replace(a.start, end, r)
		}
	}
	if !again {
		s.judgeValue(promise, a, from)
	}
}

// judgeValue replaces a value if it is a secret by its form and by its name, which begins at from.
func (s *scan) judgeValue(promise class, a assignedValue, from int) {
	const change = `" -> "` // of a plan of terraform: the value so far, and the next one
	if a.quoted && bytes.HasPrefix(s.text[a.end:], []byte(change)) {
		if next, ok := s.quotedValue(a, quote{`"`, `"`, 0}, a.end+len(change)); ok {
			if r := judge(promise, s.text[next.start:next.end], next); r != nil {
				s.replace(next.start, next.end, r)
			}
		}
	}
	r := judge(promise, s.text[a.start:a.end], a)
	if r == nil {
		return
	}
	s.replace(a.start, a.end, r)
	if a.env && a.line && a.start >= s.pastedEnd {
		s.pastedLines(from)
	}
}

// nameAround returns the name that contains the word of a target.
func (s *scan) nameAround(t *target, at int) (from, to int) {
	from, to = at, at+len(strings.TrimRight(t.word, "=:\"' .,)>]\\(*&`"))
	for from > 0 && at-from < 64 && isName(s.text[from-1]) {
		from--
	}
	for to < len(s.text) && to-at < 64 && isName(s.text[to]) {
		to++
	}
	if from < at && isEscaped(s.text, from) {
		from++
	}
	return keyPhrase(s.text, from, to), to
}

// secondName returns where a name ends whose first part, that of a vendor, ends at to: telegram bot: ...
func secondName(text []byte, to int) int {
	end := to
	for i := to; i < len(text) && i-end < 20 && (text[i] == ' ' || isName(text[i])); i++ {
		if !isName(text[i]) || i+1 < len(text) && isName(text[i+1]) {
			continue
		}
		if p, _, _ := closers(text, i+1); p < len(text) && (text[p] == '=' || text[p] == ':') {
			end = i + 1
		}
	}
	return end
}

// keyPhrase extends the name by the word before "key" or "phrase", as people write it: API key, secret key.
func keyPhrase(text []byte, from, to int) int {
	if from < 4 || text[from-1] != ' ' && text[from-1] != ':' ||
		!hasFoldAt(text[:to], from, "key ") && !hasFoldAt(text[:to], from, "phrase ") {
		return from
	}
	i := from - 1
	for i > 0 && from-i < 20 && isLetter(text[i-1]) {
		i--
	}
	var buffer [20]byte
	if w := lowered(buffer[:0], text[i:from-1]); inList(w, keyOf) || inList(w, phraseOf) || string(w) == "pass" {
		return i
	}
	return from
}

// wordsEnd returns the end of the lower-case words at p, on one line.
func (s *scan) wordsEnd(p int) int {
	end := p
	for end < len(s.text) && end-p < longestWord && (isLower(s.text[end]) || s.text[end] == ' ') {
		end++
	}
	return end
}

// valueOf returns the end of the value if it matches the rule of a vendor, otherwise 0. Without quotes the value may
// continue where that of other names would end.
func (s *scan) valueOf(r *rule, a assignedValue) int {
	end := 0
	if a.quoted {
		if r.is(s.text[a.start:a.end]) {
			end = a.end
		}
	} else {
		shapes := r.shapes()
		for i := range shapes {
			if _, _, e, ok := shapes[i].Match(s.text, a.start); ok && (e >= len(s.text) || !isBase64(s.text[e])) {
				end = e
				break
			}
		}
	}
	if end == 0 || !r.name().Match(a.name) {
		return 0
	}
	v := s.text[a.start:end]
	if !s.passes(r, v) || !a.quoted && isSum(v) && classOf(a.name) == noClass { // linear: a commit
		return 0
	}
	return end
}

// is reports whether a whole value matches the rule of a vendor.
func (r *rule) is(v []byte) bool {
	shapes := r.shapes()
	for i := range shapes {
		if _, _, end, ok := shapes[i].Match(v, 0); ok && end == len(v) {
			return true
		}
	}
	return shapes == nil && r.expr().Match(v)
}

// member judges the value of a member whose name, or whose "name", suggests a secret.
func (s *scan) member() {
	v := s.text
	switch s.class {
	case headerName:
		s.headerValue(0, len(v))
		return
	case cookieName:
		s.cookies(0, len(v))
		return
	case accountID:
		s.accountValue(0, len(v))
		return
	}
	if len(v) > 4096 || bytes.IndexByte(v, '\n') >= 0 {
		return
	}
	if r := judge(s.class, v, assignedValue{name: s.context.name, op: ':', quoted: true, end: len(v)}); r != nil {
		s.replace(0, len(v), r)
	}
}
