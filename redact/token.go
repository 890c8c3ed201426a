package redact

import (
	"bytes"
	"math"
	"slices"
)

// token is the detector of secrets that are known by their shape.
func token(s *scan, t *target, at int) {
	if s.inside(at) {
		return
	}
	for _, r := range t.rules {
		if r.data.Min > 0 && !s.solid(at, r.data.Min) {
			continue
		}
		if s.spent > 4*len(s.text)+64<<10 {
			s.rest(r, at)
			continue
		}
		before := 128
		if r.data.Min == 0 { // it may be all over some lines
			before = 512
		}
		from, to := s.window(at, before)
		if len(r.data.Needs) > 0 && !slices.ContainsFunc(r.data.Needs, func(part string) bool { return holds(s.text[from:to], part) }) {
			continue
		}
		s.spent += to - from
		s.match(r, from, to)
	}
}

// solid says whether a place is in the midst of so many bytes without white space and quotes.
func (s *scan) solid(at, n int) bool {
	from, to := at, at
	for to < len(s.text) && to-from < n && isSolid(s.text[to]) {
		to++
	}
	for from > 0 && to-from < n && isSolid(s.text[from-1]) {
		from--
	}
	return to-from >= n
}

// window is the part of the text that an expression is held against: a few lines, and the runs at its ends whole, so
// that what stands behind a secret is seen.
func (s *scan) window(at, before int) (from, to int) {
	const behind, most = 640, 8 << 10
	from, to = max(0, at-before), min(len(s.text), at+behind)
	for n := 0; from > 0 && n < 128 && isSolid(s.text[from-1]); n++ {
		from--
	}
	for n := 0; to < len(s.text) && n < most && isSolid(s.text[to-1]); n++ {
		to++
	}
	return from, to
}

// rest holds a rule against all the rest of the text, once: where words stand so close that windows would cost more.
func (s *scan) rest(r *rule, at int) {
	if slices.Contains(s.whole, r) {
		return
	}
	s.whole = append(s.whole, r)
	s.match(r, max(0, at-512), len(s.text))
}

func (s *scan) match(r *rule, from, to int) {
	for _, m := range r.expr().FindAllSubmatchIndex(s.flat(from, to), -1) {
		start, end := m[0], m[1]
		for g := 2; g+1 < len(m) && r.data.Group != wholeMatch; g += 2 {
			if m[g] >= 0 {
				start, end = m[g], m[g+1]
				break
			}
		}
		start, end = from+start, from+end
		if s.passes(r, s.text[start:end]) && !s.inBase64(start) {
			s.replace(start, end, r)
		}
	}
}

// inBase64 says that a place is in a line of base64, where anything stands by chance: behind one of its signs and more
// of it.
func (s *scan) inBase64(at int) bool {
	if at < 17 || s.text[at-1] != '/' && s.text[at-1] != '+' {
		return false
	}
	for _, c := range s.text[at-17 : at-1] {
		if !isAlnum(c) && c != '+' && c != '/' {
			return false
		}
	}
	return true
}

// flat is a part of the text in which the escapes of a text inside the text, like \n, are blanks: else a secret behind
// one would seem to begin with its letter.
func (s *scan) flat(from, to int) []byte {
	part := s.text[from:to]
	if bytes.IndexByte(part, '\\') < 0 {
		return part
	}
	s.blank = append(s.blank[:0], part...)
	for i := 0; i+1 < len(part); i++ {
		if part[i] == '\\' && isEscapeLetter(part[i+1]) {
			s.blank[i], s.blank[i+1] = ' ', ' '
		}
	}
	return s.blank
}

func isEscapeLetter(c byte) bool { return c == 'n' || c == 'r' || c == 't' }

// passes holds a secret against what the rule says besides its expression.
func (s *scan) passes(r *rule, secret []byte) bool {
	if r.data.Entropy > 0 && entropy(secret) <= r.data.Entropy {
		return false
	}
	for _, re := range r.pass() {
		if re.Match(secret) {
			return false
		}
	}
	return !isPlaceholder(secret) && !(isWordy(secret) && !hasDigit(secret))
}

func hasDigit(b []byte) bool { return slices.ContainsFunc(b, isDigit) }

// entropy is that of Shannon, in bits a byte.
func entropy(b []byte) float64 {
	var n [256]int
	for _, c := range b {
		n[c]++
	}
	sum := 0.0
	for _, k := range n {
		if k > 0 {
			p := float64(k) / float64(len(b))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// literal is the detector of texts that are always replaced.
func literal(s *scan, t *target, at int) {
	r := t.rules[0]
	end := at + len(t.word)
	if !s.allowed(s.text[at:end]) {
		s.edits = append(s.edits, edit{start: at, end: end, rule: r, key: string(bytes.ToLower(s.text[at:end]))})
	}
}

// again is the detector of a secret that stood elsewhere in the session, with what told it for one.
func again(s *scan, t *target, at int) {
	end := at + len(t.word)
	if at > 0 && isAlnum(s.text[at-1]) && !isEscaped(s.text, at-1) || end < len(s.text) && isAlnum(s.text[end]) || s.inside(at) {
		return
	}
	s.replace(at, end, t.rules[0])
}
