package redact

import "hash/maphash"

// findings tell whether two sessions found the same in the same texts: their number and length, and a hash of those
// that were edited.
type findings struct {
	texts, bytes int
	hash         uint64
}

var seed = maphash.MakeSeed()

// add adds a text of n bytes.
func (f *findings) add(n int) { f.texts, f.bytes = f.texts+1, f.bytes+n }

// edited adds the hash of the last text after its edits.
func (f *findings) edited(hash uint64) { f.hash = maphash.Comparable(seed, [2]uint64{f.hash, hash}) }

// noteLate is called after each text.
func (s *Session) noteLate() {
	if s.learning {
		s.late, s.learning = s.all, false
	}
}

// LearnedBefore reports whether everything that was learned late was learned in the first n bytes of all texts.
func (s *Session) LearnedBefore(n int64) bool { return int64(s.late.bytes) <= n }

// Repeats reports whether this session, which is the next pass of another one, has to be given more texts to know what
// Confirm returns. The texts are those that the other one was given, in the same order.
func (s *Session) Repeats(before *Session) bool { return s.all.texts < before.late.texts }

// Confirm reports whether the next pass found the same as this one in all texts up to the last one that this one
// learned something from. Later texts were redacted with all that it has learned. So the next pass would find nothing
// more, and is no longer needed.
func (s *Session) Confirm(next *Session) bool {
	if s.learning || next.all != s.late {
		return false
	}
	s.late = findings{}
	return true
}
