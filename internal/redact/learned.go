package redact

import "bytes"

// A learned text is found wherever it stands once something told it for a secret, or for the name of a user.
type learned struct {
	text  string
	exact bool // in this case only
	found detector
	rule  *rule
}

// Bounds of what is looked for by what it is, in one session.
const (
	mostLearned      = 1000
	mostLearnedBytes = 1 << 20
	leastChosen      = 8 // bytes of what people choose: shorter ones stand by chance elsewhere
)

// Again starts a session for the same files that knows from its start what this one has learned. It is not ok when that
// would find nothing more: whatever this one has learned it knew before the first text.
func (s *Session) Again() (next *Session, ok bool) {
	if !s.late {
		return nil, false
	}
	next = s.redactor.Session()
	for _, name := range s.names {
		next.learnName(name)
	}
	for _, l := range s.learned {
		next.learn(l)
	}
	return next, true
}

// Learned says that the session looks for more than the rules.
func (s *Session) Learned() bool { return len(s.learned) > 0 }

// learn makes a text found from now on.
func (s *Session) learn(l learned) {
	if s.isLearned[l.text] || len(s.learned) >= mostLearned || s.bytesLearned+len(l.text) > mostLearnedBytes {
		return
	}
	if s.isLearned == nil {
		s.isLearned = make(map[string]bool)
	}
	s.isLearned[l.text] = true
	s.bytesLearned += len(l.text)
	s.learned = append(s.learned, l)
	// What is known by its shape was found before as well.
	s.late = s.late || s.begun && l.rule.data.Expr == ""
	s.watch(l.text, l.exact, l.found, l.rule)
}

// watch makes a word found wherever it stands from now on: in this case only, when exact.
func (s *Session) watch(word string, exact bool, found detector, r *rule) {
	if !s.own {
		s.words, s.own = s.words.clone(), true
	}
	if !s.words.find.full() {
		s.words.add(word, exact, found, r)
		clear(s.plain)
	}
}

// isTelling says that a secret is one wherever it stands: a machine made it up, or somebody chose it who stood behind a
// telling name, and it is neither a word nor a name of code.
func isTelling(secret string, r *rule) bool {
	v := []byte(secret)
	switch {
	case r.confidence == Personal || len(v) < leastChosen || !isText(v):
		return false
	case len(v) >= 12 && isRandom(v, 12, 3.0):
		return true
	case r == fileRule || r == literalRule || len(v) > longestWord || bytes.IndexByte(v, ' ') >= 0:
		return false
	case isPath(v) || isVersioned(v) || isUUID(v) || isSequence(v) || isPlaceholder(v):
		return false
	}
	var upper, lower, digits, signs int
	for _, c := range v {
		switch {
		case isUpper(c):
			upper++
		case isLower(c):
			lower++
		case isDigit(c):
			digits++
		case c != '_' && c != '-' && c != '.':
			signs++
		}
	}
	switch {
	case upper+lower == 0:
		return signs == 0 && digits >= 12
	case digits > 0 && (signs > 0 || upper > 0 && lower > 0):
		return true
	case digits > 0:
		return r == passwordRule || r == urlRule || digits >= 2 && len(v) >= 10
	}
	return len(v) >= 12 && surprise(v) >= 4.6
}
