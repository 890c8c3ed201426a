package sitegen

import (
	"fmt"
	"os"
	"sync"
)

// A spool holds what is made of each session until it is put together with that of all others, so
// that memory does not grow with their number: a little of it in memory, the rest in a file.
type spool struct {
	mu     sync.Mutex
	little []byte
	file   *os.File // nil while there is little
	size   int64    // of the file
}

// A stretch is a part of a spool.
type stretch struct {
	at int64
	n  int
}

// spoolMemory is what a spool keeps in memory: nearly all reports are of one session.
const spoolMemory = 1 << 20

// put may be called by several goroutines.
func (s *spool) put(data []byte) (stretch, error) {
	s.mu.Lock()
	if s.file == nil && len(s.little)+len(data) <= spoolMemory {
		defer s.mu.Unlock()
		at := len(s.little)
		s.little = append(s.little, data...)
		return stretch{int64(at), len(data)}, nil
	}
	if s.file == nil {
		f, err := os.CreateTemp("", "viewer-*")
		if err != nil {
			s.mu.Unlock()
			return stretch{}, failedSpool(err)
		}
		os.Remove(f.Name()) // nobody else needs its name; where a file that is open cannot be removed, close does it
		s.file = f
	}
	at := s.size
	s.size += int64(len(data))
	s.mu.Unlock()
	if _, err := s.file.WriteAt(data, at); err != nil {
		return stretch{}, failedSpool(err)
	}
	return stretch{int64(len(s.little)) + at, len(data)}, nil
}

// get reads a stretch from and to.
func (s *spool) get(where stretch, from, to int) ([]byte, error) {
	at := where.at + int64(from)
	if at < int64(len(s.little)) || from == to {
		return s.little[min(at, int64(len(s.little))):][:to-from], nil
	}
	data := make([]byte, to-from)
	if _, err := s.file.ReadAt(data, at-int64(len(s.little))); err != nil {
		return nil, failedSpool(err)
	}
	return data, nil
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
}

func failedSpool(err error) error {
	return &Error{fmt.Errorf("keeping what was read until all is: %w", err), "TMPDIR names a folder with more room"}
}
