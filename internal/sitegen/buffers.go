package sitegen

import (
	"io"
	"sync"

	"viewer/internal/transcript"
)

// maxPooled is the largest buffer that goes back into its pool.
const maxPooled = 4 << 20

// fileBuffers are for files that are read once.
var fileBuffers = sync.Pool{New: func() any { return new([]byte) }}

// pageBuffers are for pages until they are written.
var pageBuffers = sync.Pool{New: func() any { return new([]byte) }}

// borrow reads a file into a buffer, which is reused after release.
func (f file) borrow() (data []byte, release func(), err error) {
	buffer := fileBuffers.Get().(*[]byte)
	release = func() {
		if cap(*buffer) <= maxPooled {
			fileBuffers.Put(buffer)
		}
	}
	open, err := f.source.FS.Open(f.path)
	if err != nil {
		release()
		return nil, nil, f.failed(err)
	}
	defer open.Close()
	// One byte more than the expected size shows whether the file ends there.
	for b := grown((*buffer)[:0], int(f.Size)+1); ; b = grown(b, 1) {
		n, err := open.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		*buffer = b
		if err == io.EOF {
			return b, release, nil
		}
		if err != nil {
			release()
			return nil, nil, f.failed(err)
		}
	}
}

// pieceSize is how many bytes of a file are read at a time. It fits the cache of a core.
const pieceSize = 256 << 10

// lines reads the first most bytes of a file and calls each with pieces that end at line ends, the last one at the end
// of the file. A piece is valid until the next call.
func (f file) lines(most int64, each func([]byte)) error {
	open, err := f.source.FS.Open(f.path)
	if err != nil {
		return f.failed(err)
	}
	defer open.Close()
	if err := linesOf(io.LimitReader(open, most), f.Size, each); err != nil {
		return f.failed(err)
	}
	return nil
}

// linesOf is lines for a reader of about size bytes. Only the beginning and the end of an overlong line are passed to
// each.
func linesOf(from io.Reader, size int64, each func([]byte)) error {
	buffer := fileBuffers.Get().(*[]byte)
	b := (*buffer)[:0]
	defer func() {
		if cap(b) <= maxPooled {
			*buffer = b
			fileBuffers.Put(buffer)
		}
	}()
	for {
		if len(b) == cap(b) { // the line is longer than the buffer
			capacity := max(2*len(b), pieceSize)
			if size := int(size) + 1; size > len(b) {
				capacity = min(capacity, size) // room for all of the file and one byte to see its end
			} // otherwise it has grown since
			b = append(make([]byte, 0, capacity), b...)
		}
		n, err := from.Read(b[len(b):min(len(b)+pieceSize, cap(b))])
		start := len(b)
		b = b[:start+n]
		if end := transcript.Whole(b[start:]); end > 0 {
			each(b[:start+end])
			b = b[:copy(b, b[start+end:])]
		} else if start > transcript.MaxLine {
			b = b[:start] // drop the middle of a line that is too long
		}
		if err == io.EOF {
			if len(b) > 0 {
				each(b)
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// grown returns b with capacity for at least n more bytes.
func grown(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	return append(make([]byte, 0, len(b)+max(n, len(b))), b...)
}
