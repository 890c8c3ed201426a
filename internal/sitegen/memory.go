package sitegen

import (
	"io"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"viewer/internal/transcript"
)

// Memory is bounded by the largest session and not by the number of sessions. A build should need no more than
// 64 MiB plus twice the largest session; the program itself takes about 18 MiB of that. While a build runs, GOGC
// is 900 with a soft memory limit of 42 to 48 MiB plus 1.8 times the largest session (allowed). So the collector runs
// rarely while there is space, and often near the limit. A site that keeps more than that in memory between
// builds gets 1.5 times what is live.
const frugal = 42 << 20

// spare is what is left of that when the largest session is small. What the
// collector does not count grows with the session, and takes it.
const spare = 6 << 20

// ample is the size from which on a session has room besides: hostile lines, of which there are
// several copies at a time, are a small part of it.
const ample = 32 << 20

// allowed is the bound on the memory that a build of a session of this size asks the collector to keep to.
func allowed(largest int64) int64 {
	return frugal + largest*18/10 + max(0, spare-largest/2, (largest-ample)/6) // a little below, for what the collector does not count
}

// kept is how much more a site has that is built again: what changed last is alive
// all the time, and most appends should not have to wait for a collection.
const kept = 9 << 20

// roomy sets GOGC to 900 and the soft memory limit for a largest session of this
// size, which makes a build a fifth faster than the defaults. It returns a function that restores both.
func roomy(largest int64) (restore func()) {
	percent := debug.SetGCPercent(900)
	limit := debug.SetMemoryLimit(max(allowed(largest), alive()*3/2+outside))
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// alive is what the collector found in use the last time: of a site that is built again, the sessions that
// are kept, which may be more than the largest of them accounts for.
func alive() int64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return int64(live[0].Value.Uint64())
}

// outside is about what the limit counts besides the heap.
const outside = 8 << 20

// bind sets the bound of a build in the place of the one that it had: two at once
// would raise each other's.
func (b *builder) bind(largest int64) {
	b.unbind()
	b.restore = roomy(largest)
}

func (b *builder) unbind() {
	if b.restore != nil {
		b.restore()
		b.restore = nil
	}
}

// largest is the size of the largest session there is to draw.
func (v *survey) largest() int64 {
	n := int64(0)
	for _, fo := range v.folders {
		for _, s := range fo.sessions {
			n = max(n, s.size())
		}
	}
	return n
}

// largestBuffer is the size up to which a buffer is worth keeping.
const largestBuffer = 4 << 20

// buffers are for files that are looked at and not kept.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// paper is for pages until they are written.
var paper = sync.Pool{New: func() any { return new([]byte) }}

// borrow reads a file into a buffer that is used again after release.
func (f file) borrow() (data []byte, release func(), err error) {
	buffer := buffers.Get().(*[]byte)
	release = func() {
		if cap(*buffer) <= largestBuffer {
			buffers.Put(buffer)
		}
	}
	open, err := f.source.fsys.Open(f.path)
	if err != nil {
		release()
		return nil, nil, f.failed(err)
	}
	defer open.Close()
	// One byte more than it should have, to see its end.
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

// pieceSize is how much of a file is looked at at a time: what a core has close at hand.
const pieceSize = 256 << 10

// lines reads the first so many bytes of a file and hands them out in pieces that end where lines do,
// the last one where the file does. A piece lives until the next.
func (f file) lines(most int64, each func([]byte)) error {
	open, err := f.source.fsys.Open(f.path)
	if err != nil {
		return f.failed(err)
	}
	defer open.Close()
	if err := linesOf(io.LimitReader(open, most), f.Size, each); err != nil {
		return f.failed(err)
	}
	return nil
}

// linesOf is lines, of what has about size bytes. Of a line that is too long to be read the beginning and the end are
// handed out.
func linesOf(from io.Reader, size int64, each func([]byte)) error {
	buffer := buffers.Get().(*[]byte)
	b := (*buffer)[:0]
	defer func() {
		if cap(b) <= largestBuffer {
			*buffer = b
			buffers.Put(buffer)
		}
	}()
	for {
		if len(b) == cap(b) { // a line that is longer
			room := max(2*len(b), pieceSize)
			if size := int(size) + 1; size > len(b) {
				room = min(room, size) // no more than all of the file, and its end
			} // else it has grown since
			b = append(make([]byte, 0, room), b...)
		}
		n, err := from.Read(b[len(b):min(len(b)+pieceSize, cap(b))])
		start := len(b)
		b = b[:start+n]
		if end := transcript.Whole(b[start:]); end > 0 {
			each(b[:start+end])
			b = b[:copy(b, b[start+end:])]
		} else if start > transcript.MaxLine {
			b = b[:start] // of a line that nobody reads
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

// grown has room for n more bytes at least.
func grown(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	return append(make([]byte, 0, len(b)+max(n, len(b))), b...)
}
