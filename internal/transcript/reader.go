package transcript

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// A Reader reads a session file that may grow without reading anything twice. It accepts JSONL; other files are read as
// a whole, see Options.Read.
type Reader struct {
	name  string
	r     *reader
	pos   Pos    // of the next line
	begun bool   // something other than white space was read
	rest  []byte // the incomplete last line
}

// NewReader returns a reader for a file.
func (o Options) NewReader(name string) *Reader {
	return &Reader{name: name, r: newReader(o, MaxLine), pos: Pos{File: name, Line: 1}}
}

// lines reads whole lines, unless the first of them shows that this is not JSONL.
func (g *Reader) lines(whole []byte) bool {
	if !g.begun {
		body := bytes.TrimLeft(g.withoutBOM(whole), " \t\r\n")
		if isSpread(body) || string(bytes.TrimSpace(body)) == "[" { // which continues
			return false
		}
		g.begun = len(body) > 0
	}
	g.read(whole)
	return true
}

// read reads the next lines of the file.
func (g *Reader) read(lines []byte) {
	body := g.withoutBOM(lines)
	g.pos.Offset += int64(len(lines) - len(body))
	g.pos = g.r.lines(body, g.pos)
}

// withoutBOM returns what comes next in the file without the byte order mark that the file may begin with.
func (g *Reader) withoutBOM(next []byte) []byte {
	if g.pos.Offset > 0 {
		return next
	}
	return bytes.TrimPrefix(next, bom)
}

// ErrNoLines means that a file is not JSONL and must be read as a whole.
var ErrNoLines = errors.New("not a file of lines")

// pieceSize is the minimum size of the buffer for a file, in bytes. It grows to hold a longer line.
const pieceSize = 256 << 10

// largePiece is the size at which a buffer has about one line. The record may keep that memory, and the buffer is not
// reused.
const largePiece = 2 << 20

// pieces holds buffers for reuse.
var pieces = sync.Pool{New: func() any {
	piece := make([]byte, 0, pieceSize)
	return &piece
}}

// scratches holds memory for rewritten values that are not too long to be copied.
var scratches = sync.Pool{New: func() any {
	scratch := make([]byte, blockSize/8)
	return &scratch
}}

// ReadRest reads the rest of a file through a buffer that is reused, so that records have their own memory. The file
// has about size bytes in all. It returns how much it read. The error is ErrNoLines or that of the reader.
func (g *Reader) ReadRest(from io.Reader, size int64) (n int64, err error) {
	g.r.size = size
	outer := g.r.copied
	scratch := scratches.Get().(*[]byte)
	g.r.scratch = *scratch
	defer func() {
		g.r.copied, g.r.scratch = outer, nil
		scratches.Put(scratch)
	}()
	memory := pieces.Get().(*[]byte)
	piece := append((*memory)[:0], g.rest...)
	defer func() {
		if cap(piece) <= largePiece {
			*memory = piece[:0]
			pieces.Put(memory)
		}
	}()
	for err == nil {
		if len(piece) == cap(piece) {
			piece = withRoom(piece, size-n)
		}
		start := len(piece)
		var more int
		more, err = from.Read(piece[start:min(start+pieceSize, cap(piece))])
		n += int64(more)
		piece = piece[:start+more]
		// A list may be one line without an end. Blanks before it are read each time, so only the first piece counts.
		if !g.begun && start < pieceSize && isArray(bytes.TrimLeft(g.withoutBOM(piece), " \t\r\n")) {
			return n, ErrNoLines
		}
		if start > g.r.longest { // of a line that is a problem, only the length is kept
			ended := false
			if piece, ended = g.skip(piece, start); !ended {
				continue
			}
			start = 0
		}
		end := start + Whole(piece[start:])
		if end == start {
			continue // no line ends here
		}
		g.r.copied = end <= largePiece
		if !g.lines(piece[:end:end]) {
			return n, ErrNoLines
		}
		if rest := piece[end:]; g.r.copied {
			piece = piece[:copy(piece, rest)]
		} else {
			piece = append(make([]byte, 0, max(pieceSize, 2*len(rest))), rest...)
		}
	}
	if g.rest = piece; cap(piece) <= largePiece {
		g.rest = bytes.Clone(piece) // the buffer is reused
	}
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// withRoom returns a piece of a file with room for more. left is how many bytes probably follow.
func withRoom(piece []byte, left int64) []byte {
	capacity := 2 * cap(piece)
	if left > 0 { // for the whole file and one byte to see its end
		capacity = min(capacity, len(piece)+int(left)+1)
	}
	return append(make([]byte, 0, capacity), piece...)
}

// skip drops the part after start of a line that is too long to be decoded. At the end of the line it reports the line,
// and returns the rest of the piece.
func (g *Reader) skip(piece []byte, start int) (left []byte, ended bool) {
	more := bytes.IndexByte(piece[start:], '\n')
	if more < 0 {
		g.r.skipped += int64(len(piece) - start)
		return piece[:start], false
	}
	g.r.skipped += int64(more)
	g.lines(piece[:start])
	g.pos.Offset += g.r.skipped + 1
	g.r.skipped = 0
	return append(piece[:0], piece[start+more+1:]...), true
}

// Whole returns the length of the whole lines in data.
func Whole(data []byte) int {
	const step = 4 << 10 // bytes.IndexByte is faster than LastIndexByte
	for end := len(data); end > 0; {
		start := max(0, end-step)
		if bytes.IndexByte(data[start:end], '\n') >= 0 {
			return start + bytes.LastIndexByte(data[start:end], '\n') + 1
		}
		end = start
	}
	return 0
}

// Finish reads the last line even if it has no end, and returns the file. Nothing can be read after it.
func (g *Reader) Finish() File {
	rest := g.rest
	g.rest = nil // before it is read, because a translator needs much memory for a long line
	g.read(rest)
	return g.File()
}

// EndEarly notes why the rest of the file cannot be read. What was read of an incomplete last line is dropped.
func (g *Reader) EndEarly(cause error) {
	g.r.lost(g.pos, "the rest of the file cannot be read: %v", cause)
	g.r.skipped += int64(len(g.rest))
	g.rest = nil
}

// Unfinished reports whether the last line has no end yet and is not in the file.
func (g *Reader) Unfinished() bool {
	return len(bytes.TrimSpace(g.withoutBOM(g.rest))) > 0
}

// LacksOnlyEnd reports whether the unfinished last line is a whole object, such as a document on one line. Nothing but
// its end can follow.
func (g *Reader) LacksOnlyEnd() bool {
	rest := g.withoutBOM(g.rest)
	return Kind(rest) == '{' && Valid(rest)
}

// File returns what has been read so far. It is the same as Read returns for these bytes without an incomplete line.
func (g *Reader) File() File {
	return g.r.file(g.name, g.pos.Offset+int64(len(g.rest))+g.r.skipped)
}
