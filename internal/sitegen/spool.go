package sitegen

import (
	"os"
	"sync"
)

// A spool holds what is made of each session until it is put together with that of all others, so
// that memory does not grow with their number: in memory while it is little, else in a file.
type spool struct {
	mu     sync.Mutex
	little []byte
	file   *os.File // nil while there is little
	named  bool     // the file still has its name
	size   int64
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
	at := s.size
	s.size += int64(len(data))
	if s.file == nil && s.size <= spoolMemory {
		s.little = append(s.little, data...)
		s.mu.Unlock()
		return stretch{at, len(data)}, nil
	}
	err := s.open()
	s.mu.Unlock()
	if err == nil {
		_, err = s.file.WriteAt(data, at)
	}
	if err != nil {
		return stretch{}, failedSpool(err)
	}
	return stretch{at, len(data)}, nil
}

// open moves what there is into a file.
func (s *spool) open() error {
	if s.file != nil {
		return nil
	}
	f, err := os.CreateTemp("", "viewer-*")
	if err != nil {
		return err
	}
	s.file, s.named = f, os.Remove(f.Name()) != nil // nobody else needs its name; where a file that is open cannot be removed, close does it
	_, err = f.Write(s.little)
	s.little = nil
	return err
}

// get reads a stretch from and to.
func (s *spool) get(where stretch, from, to int) ([]byte, error) {
	at := where.at + int64(from)
	if s.file == nil {
		return s.little[at:][:to-from], nil
	}
	data := make([]byte, to-from)
	if _, err := s.file.ReadAt(data, at); err != nil && to > from {
		return nil, failedSpool(err)
	}
	return data, nil
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		if s.named {
			os.Remove(s.file.Name())
		}
	}
}

func failedSpool(err error) error { return failedBuffer("what was read", err) }
