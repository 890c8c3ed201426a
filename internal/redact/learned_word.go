package redact

import (
	"bytes"
	"maps"
)

// A learnedWord is a text that a detector found, a secret or a user name, and that is replaced everywhere from then on.
type learnedWord struct {
	text  string
	exact bool // only in this case (upper or lower)
	found detector
	rule  *rule
}

// Limits of the learned words of a session.
const (
	maxLearned      = 1000
	maxLearnedBytes = 1 << 20
	minChosen       = 8 // bytes of a value that people choose: shorter ones occur elsewhere by chance
)

// NextPass returns a session for the same files with all words that this one has learned. ok is false if it would find
// nothing more, because this one has learned nothing after its first text.
func (s *Session) NextPass() (next *Session, ok bool) {
	if !s.learning && s.late == (findings{}) {
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

// Fork returns a session with the words and labels of this one. This one does not learn what the other finds.
func (s *Session) Fork() *Session {
	next := s.redactor.Session()
	for _, name := range s.names {
		next.learnName(name)
	}
	for _, l := range s.learned {
		next.learn(l)
	}
	next.markers, next.numbers, next.folder = maps.Clone(s.markers), maps.Clone(s.numbers), s.folder
	return next
}

// Learned reports whether the session has learned words.
func (s *Session) Learned() bool { return len(s.learned) > 0 }

// learn adds a learned word, within the limits.
func (s *Session) learn(l learnedWord) {
	if s.isLearned[l.text] || len(s.learned) >= maxLearned || s.bytesLearned+len(l.text) > maxLearnedBytes {
		return
	}
	if s.isLearned == nil {
		s.isLearned = make(map[string]bool)
	}
	s.isLearned[l.text] = true
	s.bytesLearned += len(l.text)
	s.learned = append(s.learned, l)
	// A rule with a shape has found the earlier places itself.
	s.learning = s.learning || s.started && l.rule.data.Expr == ""
	s.addWord(l.text, l.exact, l.found, l.rule)
}

// addWord adds a word that the session looks for; exact means only in this case (upper or lower).
func (s *Session) addWord(word string, exact bool, found detector, r *rule) {
	if !s.ownsWords {
		s.words, s.ownsWords = s.words.clone(), true
	}
	if !s.words.find.Full() {
		s.words.add(word, exact, found, r)
		clear(s.members)
	}
}

// isDistinctive reports whether a secret can be replaced everywhere: it is generated, or it was assigned to the name of
// a secret and is neither a word nor an identifier.
func isDistinctive(secret string, r *rule) bool {
	v := []byte(secret)
	switch {
	case r.confidence == Personal || len(v) < minChosen || !isText(v):
		return false
	case len(v) >= 12 && isRandom(v, 12, 3.0):
		return true
	case r == fileRule || r == literalRule || len(v) > longestWord || bytes.IndexByte(v, ' ') >= 0:
		return false
	case isPath(v) || isVersioned(v) || isUUID(v) || isSequence(v) || isPlaceholder(v):
		return false
	}
	return isDistinctiveMix(v, r == passwordRule || r == urlRule)
}

// isDistinctiveMix reports whether a value that a person chose mixes letters, digits and symbols as few words do.
func isDistinctiveMix(v []byte, password bool) bool {
	n := countBytes(v)
	switch {
	case n.letters() == 0:
		return n.signs == 0 && n.digits >= 12
	case n.digits > 0 && (n.signs > 0 || n.upper > 0 && n.lower > 0):
		return true
	case n.digits > 0:
		return password || n.digits >= 2 && len(v) >= 10
	}
	return len(v) >= 12 && crossEntropy(v) >= 4.6
}

// byteCounts has the number of bytes of each kind in a value. Bytes that join the words of names are of no kind: _ - .
type byteCounts struct{ upper, lower, digits, signs int }

func (n byteCounts) letters() int { return n.upper + n.lower }

func countBytes(v []byte) (n byteCounts) {
	for _, c := range v {
		switch {
		case isUpper(c):
			n.upper++
		case isLower(c):
			n.lower++
		case isDigit(c):
			n.digits++
		case c != '_' && c != '-' && c != '.':
			n.signs++
		}
	}
	return n
}
