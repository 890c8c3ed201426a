package store

import (
	"bufio"
	"crypto/sha256"
	"encoding"
	"hash"
	"io"

	"viewer/internal/archive"
)

// A surveyed file was read once and compared with the archive.
type surveyed struct {
	head    string
	size    int64
	sum     archive.Sum
	alike   []*archive.Record
	matches map[archive.Sum]bool // versions that the file begins with
	base    *archive.Record      // the longest of them
	state   []byte               // of the hash after it
	longer  *archive.Record      // a version that begins with the file
}

// survey reads a file and finds the versions that it begins with.
func (w *Writer) survey(f File) (surveyed, error) {
	s := surveyed{matches: make(map[archive.Sum]bool)}
	file, err := f.Open()
	if err != nil {
		return s, err
	}
	defer file.Close()
	r := bufio.NewReaderSize(io.LimitReader(file, f.Size), 64<<10)
	begin, err := r.Peek(1 << 10)
	if err != nil && err != io.EOF {
		return s, err
	}
	s.head = archive.HeadOf(begin)
	s.alike = w.Alike(f.Key, s.head)
	h := sha256.New()
	for _, known := range s.alike {
		n, err := io.CopyN(h, r, known.Size-s.size)
		s.size += n
		if err == io.EOF {
			break
		}
		if err != nil {
			return s, err
		}
		if archive.Sum(h.Sum(nil)) == known.Sum {
			s.matches[known.Sum], s.base, s.state = true, known, stateOf(h)
		}
	}
	n, err := io.Copy(h, r)
	s.size += n
	s.sum = archive.Sum(h.Sum(nil))
	return s, err
}

func stateOf(h hash.Hash) []byte {
	state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil { // the hash of the standard library supports it
		panic(err)
	}
	return state
}

// beginsLonger finds a version that begins with all of the file.
func (w *Writer) beginsLonger(s *surveyed) bool {
	if s.size == 0 {
		return false
	}
	for _, known := range s.alike {
		if known.Size <= s.size {
			continue
		}
		c := w.Content(known)
		h := sha256.New()
		_, err := io.CopyN(h, c, s.size)
		c.Close()
		if err == nil && archive.Sum(h.Sum(nil)) == s.sum {
			s.longer = known
			return true
		}
	}
	return false
}
