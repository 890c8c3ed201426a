package output

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"viewer/internal/failure"
)

// A Spool holds data of each session until that of all sessions is put together. It keeps up to a megabyte in memory
// and more in a temporary file, so that memory does not grow with the number of sessions.
type Spool struct {
	mu     sync.Mutex
	before OpenedFile // has what is before start, see Begin
	start  int64
	memory []byte
	file   *tempFile // nil while memory is enough
	size   int64
	failed error // of the first read that failed
}

// A Span is a range of bytes of a spool.
type Span struct {
	start  int64
	length int
}

// spoolMemory is how many bytes a spool keeps in memory. It is enough for nearly all reports, which are about one
// session.
const spoolMemory = 1 << 20

// Begin makes a file of this size the first data of a spool, which closes it. The file may be replaced, but not written
// to. Begin does nothing and returns false if the spool is not empty, and on Windows, where not all file systems can
// replace an open file.
func (s *Spool) Begin(f OpenedFile, size int64) bool {
	if s.size > 0 || runtime.GOOS == "windows" {
		return false
	}
	s.before, s.start, s.size = f, size, size
	return true
}

// FileSpan returns a span of the file given to Begin.
func FileSpan(start int64, length int) Span { return Span{start, length} }

// Put adds data. It is safe for concurrent use.
func (s *Spool) Put(data []byte) (Span, error) {
	s.mu.Lock()
	start := s.size
	s.size += int64(len(data))
	if s.file == nil && s.size-s.start <= spoolMemory {
		s.memory = append(s.memory, data...)
		s.mu.Unlock()
		return Span{start, len(data)}, nil
	}
	err := s.open()
	s.mu.Unlock()
	if err == nil {
		_, err = s.file.WriteAt(data, start-s.start)
	}
	if err != nil {
		return Span{}, failedSpool(err)
	}
	return Span{start, len(data)}, nil
}

// open moves the data in memory to a file.
func (s *Spool) open() error {
	if s.file != nil {
		return nil
	}
	f, err := newTempFile()
	if err != nil {
		return err
	}
	if _, err := f.Write(s.memory); err != nil {
		f.Close()
		return err
	}
	s.file, s.memory = f, nil
	return nil
}

// InFile reports whether the data is in a file.
func (s *Spool) InFile() bool { return s.file != nil }

// Get reads a span.
func (s *Spool) Get(span Span) ([]byte, error) { return s.GetRange(span, 0, span.length) }

// GetRange reads a span from and to offsets in it. It is safe for concurrent use.
func (s *Spool) GetRange(span Span, from, to int) ([]byte, error) {
	start := span.start + int64(from)
	s.mu.Lock()
	file, memory := s.file, s.memory
	s.mu.Unlock()
	var in io.ReaderAt = file
	failing := failedSpool
	if start < s.start {
		in, failing = s.before, failedBefore
	} else if start -= s.start; file == nil {
		return memory[start:][:to-from], nil
	}
	data := make([]byte, to-from)
	if _, err := in.ReadAt(data, start); err != nil && to > from {
		err = failing(err)
		s.mu.Lock()
		s.failed = cmp.Or(s.failed, err)
		s.mu.Unlock()
		return nil, err
	}
	return data, nil
}

// Err returns the error of the first failed read, for callers that cannot return it themselves.
func (s *Spool) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// Close removes the temporary file.
func (s *Spool) Close() {
	if s.before != nil {
		s.before.Close()
	}
	if s.file != nil {
		s.file.Close()
	}
}

func failedBefore(err error) error {
	return failure.New(fmt.Errorf("reading the state of the last build: %w", failure.Cause(err)), "")
}

func failedSpool(err error) error { return BufferError("what was read", err) }

// BufferError reports that temporary data which does not fit into memory cannot be stored.
func BufferError(what string, err error) error {
	hint := "TMPDIR names a folder with more room"
	if dir := os.TempDir(); failure.Missing(err) {
		err = fmt.Errorf("no folder %s for temporary files", dir)
		hint = "set TMPDIR to a folder that exists, or unset it"
		if runtime.GOOS == "windows" {
			hint = "set TMP to a folder that exists"
		}
	}
	return failure.New(fmt.Errorf("buffering %s: %w", what, failure.Cause(err)), hint)
}
