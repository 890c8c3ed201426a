package redact

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
)

// A Session redacts the files of one session: the main file first, then its agents in the order of their names, then
// the other files. The same input gives the same output. It is not safe for concurrent use.
type Session struct {
	redactor  *Redactor
	words     words // those of the redactor, and those learned in this session
	ownsWords bool  // words is a separate copy
	detect    func(word, at int)

	markers map[string]string // by secret
	numbers map[string]int    // the last one, by label
	counts  map[*rule]int
	names   []string            // user names, in the order they were seen
	folder  string              // the last folder that a record was written in
	members map[string]member   // by name
	reading map[string]fileKind // calls that read secret files, by id

	unpacked int // bytes

	learned      []learnedWord
	isLearned    map[string]bool // by text
	bytesLearned int
	started      bool // a text was redacted
	learning     bool // something was learned after that, since the last text
	all, late    findings
	placed       *placed // nil when no places are noted

	scan   scan
	walker walker
	buffer []byte // the text of the current string, during a walk
}

// Session returns a new session.
func (r *Redactor) Session() *Session {
	s := &Session{
		redactor: r,
		words:    r.words,
		markers:  make(map[string]string),
		numbers:  make(map[string]int),
		counts:   make(map[*rule]int),
		members:  make(map[string]member),
		reading:  make(map[string]fileKind),
	}
	s.scan.Session = s
	s.detect = s.scan.detect
	for _, name := range r.names {
		s.learnName(name)
	}
	return s
}

// Text returns a text without its secrets: a file beside the session, a file name, a line that is not JSON. The text
// must be complete, because a part of a secret is not found.
func (s *Session) Text(text string) string {
	s.started = true
	edits := s.scan.findEdits([]byte(text), context{hasAtSign: true})
	out := s.edited(text, edits)
	if s.all.add(len(text)); len(edits) > 0 {
		s.all.edited(maphash.String(seed, out))
	}
	s.noteLate()
	return out
}

// edited returns a text after edits.
func (s *Session) edited(text string, edits []edit) string {
	if len(edits) == 0 {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	from := 0
	for _, e := range edits {
		out = append(append(out, text[from:e.start]...), s.marker(text[e.start:e.end], e)...)
		from = e.end
	}
	return string(append(out, text[from:]...))
}

// marker counts a secret, and returns its replacement.
func (s *Session) marker(secret string, e edit) string {
	switch e.kind {
	case tilde:
		s.counts[e.rule]++
		return "~"
	case removed:
		return ""
	case unsigned:
		return editedSignature
	case reencoded:
		return s.redacted(e.encoded)
	}
	s.counts[e.rule]++
	secret = withoutSequences(secret)
	key := cmp.Or(e.key, secret)
	m := s.markers[key]
	if m == "" {
		s.numbers[e.rule.label]++
		m = "[" + e.rule.label + " " + strconv.Itoa(s.numbers[e.rule.label]) + "]"
		s.markers[key] = m
		if e.key == "" && isDistinctive(secret, e.rule) {
			s.learn(learnedWord{secret, true, learnedText, e.rule})
		}
	}
	return m
}

// A Count is the number of replacements for a rule, without their texts.
type Count struct {
	Rule       string
	N          int
	Confidence Confidence
}

// Counts returns the numbers of replacements so far, by rule: those of the highest confidence first, then by name.
func (s *Session) Counts() []Count {
	byName := make(map[string]Count)
	for r, n := range s.counts {
		c := byName[r.id]
		byName[r.id] = Count{r.id, c.N + n, max(c.Confidence, r.confidence)}
	}
	return slices.SortedFunc(maps.Values(byName), func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Rule, b.Rule))
	})
}

// Revision grows when the session learns something: a secret, a name, a call that reads a secret file. While it stays
// the same, the redacted records have no effect on later ones.
func (s *Session) Revision() int { return len(s.markers) + len(s.names) + len(s.reading) }
