package transcript

import (
	"bytes"
	"io"
	"iter"
)

// A Piece is some whole lines of a file.
type Piece struct {
	lines  []byte
	memory []byte // of the lines, for those of the next piece
}

// pieceSize is how much of a file is held besides its records, at least: a line
// that is longer is held whole.
const pieceSize = 256 << 10

// largePiece is from which size on a piece is a line of its own, whose record may have the
// memory: it is not used again.
const largePiece = 2 << 20

// Size is the number of bytes of a piece.
func (p *Piece) Size() int { return len(p.lines) }

// Large says that a piece is about one line, and a very long one.
func (p *Piece) Large() bool { return len(p.lines) > largePiece }

// handy is the least length of a value that is worth looking at before its turn.
const handy = 128

// Values yields the values of the lines that look like one value, as Rewrite gets them: most of a file.
func (p *Piece) Values() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(p.lines) {
			if line = bytes.TrimSpace(line); len(line) >= handy && line[0] == '{' && !yield(line) {
				return
			}
		}
	}
}

// Whole is how much of data is whole lines.
func Whole(data []byte) int {
	const step = 4 << 10 // bytes are found faster from the front
	for end := len(data); end > 0; {
		start := max(0, end-step)
		if bytes.IndexByte(data[start:end], '\n') >= 0 {
			return start + bytes.LastIndexByte(data[start:end], '\n') + 1
		}
		end = start
	}
	return 0
}

// Pieces cuts what is left of a file into pieces.
type Pieces struct {
	g    *Growing
	from io.Reader
	read int64
	long []byte // memory for a line that is longer than a piece
	err  error
}

// Cut starts to cut what is left of a file. It has about size bytes in all. Each piece is to be
// taken in its turn, see Growing.Take.
func (g *Growing) Cut(from io.Reader, size int64) *Pieces {
	g.r.size = size
	return &Pieces{g: g, from: from}
}

// Next puts the next lines into a piece. False says that there are none: the rest of
// the file, if there is any, is a line without an end.
func (c *Pieces) Next(p *Piece) bool {
	if c.err != nil {
		return false
	}
	if cap(p.memory) > 2*pieceSize {
		c.long, p.memory = p.memory, nil
	}
	rest := c.g.rest
	room := max(pieceSize, 2*len(rest))
	data := append(c.memory(p.memory, room), rest...)
	p.lines, p.memory = nil, nil
	if cap(rest) > largePiece {
		rest, c.g.rest = nil, nil
	}
	for c.err == nil {
		if len(data) == room {
			room *= 2
			if left := c.g.r.size - c.read; left > 0 { // all of the file, and its end
				room = min(room, len(data)+int(left)+1)
			}
			if cap(data) < room {
				data = append(c.memory(nil, room), data...)
			}
		}
		start := len(data)
		var n int
		n, c.err = c.from.Read(data[start:room])
		c.read += int64(n)
		data = data[:start+n]
		if end := start + Whole(data[start:]); end > start {
			c.g.rest = append(rest[:0], data[end:]...)
			if p.lines = data[:end:end]; !p.Large() {
				p.memory = data
			}
			return true
		}
	}
	c.g.rest = bytes.Clone(data)
	return false
}

// memory is nothing, with room for n bytes: in memory that was used before if it can be.
func (c *Pieces) memory(used []byte, n int) []byte {
	if cap(used) >= n {
		return used[:0]
	}
	if used = c.long; cap(used) >= n {
		c.long = nil
		return used[:0]
	}
	return make([]byte, 0, n)
}

// Read is how many bytes have been read.
func (c *Pieces) Read() int64 { return c.read }

// End is what went wrong, after the last piece.
func (c *Pieces) End() error {
	if c.err == io.EOF {
		return nil
	}
	return c.err
}
