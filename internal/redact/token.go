package redact

import (
	"bytes"
	"math"
	"slices"

	"viewer/internal/redact/match"
	"viewer/internal/redact/rules"
)

// A candidate is a shape that may match at a word.
type candidate struct {
	rule   *rule
	shape  *match.Shape
	offset int // number of bytes of the match before the word
}

// candidates are what to try at a word, chosen when the word is found for the first time.
type candidates struct {
	shapes []candidate
	others []*rule // rules without a shape that has the word at a fixed offset
}

// choose chooses the candidates of the rules of a target.
func (t *target) choose() *candidates {
	c := new(candidates)
	for _, r := range t.rules {
		shapes := r.shapes()
		known := len(shapes) > 0
		var mine []candidate
		for i := range shapes {
			switch offset := shapes[i].Offset(t.word); {
			case offset >= 0:
				mine = append(mine, candidate{r, &shapes[i], offset})
			case !shapes[i].Holds(t.word): // another word finds it
			default:
				known = false
			}
		}
		if known && len(mine) > 0 {
			c.shapes = append(c.shapes, mine...)
		} else {
			c.others = append(c.others, r)
		}
	}
	return c
}

// token is the detector of secrets that are recognized by their shape.
func token(s *scan, t *target, at int) {
	if s.insideSure(at) {
		return
	}
	all := t.candidates.Load()
	if all == nil {
		all = t.choose()
		t.candidates.Store(all)
	}
	for _, y := range all.shapes {
		if at < y.offset || y.rule == s.tried && at < s.triedEnd {
			continue
		}
		if start, end, _, ok := y.shape.Match(s.text, at-y.offset); ok {
			s.tried, s.triedEnd = y.rule, end
			if s.passes(y.rule, s.text[start:end]) && !s.inBase64(at-y.offset, end) {
				s.replace(start, end, y.rule)
			}
		}
	}
	for _, r := range all.others {
		s.matchAround(r, at)
	}
}

// inRunOf reports whether a place is within n bytes without white space and quotes.
func (s *scan) inRunOf(at, n int) bool {
	from, to := at, at
	for to < len(s.text) && to-from < n && isSolid(s.text[to]) {
		to++
	}
	for from > 0 && to-from < n && isSolid(s.text[from-1]) {
		from--
	}
	return to-from >= n
}

// A window is the part of a text that the expression of a rule was matched against last.
type window struct {
	rule *rule
	to   int
	run  bool // it ends at the end of a run
}

// matchAround matches the expression of a rule against the text around a word, up to whole runs, so that it includes
// the text after a secret. If words are close together the windows hardly overlap, and their total length is limited by
// that of the text: a text made of such words hides what follows.
func (s *scan) matchAround(r *rule, at int) {
	const before, behind, most, overlap = 128, 640, 8 << 10, 320
	if r.data.Min > 0 && !s.inRunOf(at, r.data.Min) {
		return
	}
	i := slices.IndexFunc(s.windows, func(w window) bool { return w.rule == r })
	if i < 0 {
		i = len(s.windows)
		s.windows = append(s.windows, window{rule: r})
	} else if w := s.windows[i]; at < w.to && (w.run || at+overlap <= w.to) {
		return
	}
	from, to := max(0, at-before), min(len(s.text), at+behind)
	for n := 0; from > 0 && n < before && isSolid(s.text[from-1]); n++ {
		from--
	}
	end := to
	for n := 0; to < len(s.text) && n < most && isSolid(s.text[to-1]); n++ {
		to++
	}
	if s.spent += to - from; s.spent > len(s.text)+64<<10 {
		return
	}
	s.windows[i].to, s.windows[i].run = to, to > end
	s.match(r, from, to)
}

func (s *scan) match(r *rule, from, to int) {
	for _, m := range r.expr().FindAllSubmatchIndex(s.flat(from, to), -1) {
		start, end := m[0], m[1]
		for g := 2; g+1 < len(m) && r.data.Group != rules.WholeMatch; g += 2 {
			if m[g] >= 0 {
				start, end = m[g], m[g+1]
				break
			}
		}
		start, end = from+start, from+end
		if s.passes(r, s.text[start:end]) && !s.inBase64(from+m[0], end) {
			s.replace(start, end, r)
		}
	}
}

// inBase64 reports whether a match is in a line of base64, where anything may occur by chance. A path or another secret
// may precede a secret, too. But then the secret has other characters, or other characters follow.
func (s *scan) inBase64(start, end int) bool {
	if start < 17 || s.text[start-1] != '/' && s.text[start-1] != '+' || end == len(s.text) {
		return false
	}
	if last := len(s.edits) - 1; last >= 0 && s.edits[last].end == start-1 {
		return false
	}
	for _, c := range s.text[start-17 : end] {
		if !isAlnum(c) && c != '+' && c != '/' {
			return false
		}
	}
	next := s.text[end]
	return isAlnum(next) || next == '+' || next == '/' || next == '='
}

// flat returns a part of the text with blanks in place of escapes like \n in escaped text: otherwise a secret after an
// escape would seem to begin with its letter.
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

// passes reports whether a match meets the conditions of a rule besides its expression.
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

// entropy returns the Shannon entropy in bits a byte: log2(n) - sum(k*log2(k))/n, for bytes that occur k times in n. It
// is rounded, because the last bits of a logarithm depend on the processor, and many entropies are exactly a limit.
func entropy(b []byte) float64 {
	if len(b) == 0 {
		return 0
	}
	var times [256]int32
	for _, c := range b {
		times[c]++
	}
	sum := 0.0
	for _, c := range b {
		if k := times[c]; k > 0 {
			sum += timesLog2(int(k))
			times[c] = 0
		}
	}
	return math.Round((timesLog2(len(b))-sum)/float64(len(b))*1e9) / 1e9
}

func timesLog2(k int) float64 {
	if k < len(smallTimesLog2) {
		return smallTimesLog2[k]
	}
	return float64(k) * math.Log2(float64(k))
}

var smallTimesLog2 = func() (of [128]float64) {
	for k := 1; k < len(of); k++ {
		of[k] = float64(k) * math.Log2(float64(k))
	}
	return of
}()

// learnedText is the detector of secrets that were found elsewhere in the session.
func learnedText(s *scan, t *target, at int) {
	end := at + len(t.word)
	if at > 0 && isAlnum(s.text[at-1]) && !isEscaped(s.text, at-1) || end < len(s.text) && isAlnum(s.text[end]) ||
		s.insideSure(at) {
		return
	}
	s.replace(at, end, t.rules[0])
}
