package transcript

import (
	"bytes"
	"errors"
	"io"
)

// A Growing is a session file that is read while it is written: what was read
// once is not read again. It takes files of lines; others are read as a whole.
type Growing struct {
	name  string
	r     *reader
	pos   Pos    // of the next line
	begun bool   // something but blanks has been read
	rest  []byte // of a line whose end has not been written
}

// Grow starts to read a file.
func (o Options) Grow(name string) *Growing {
	return &Growing{name: name, r: newReader(o, maxLine), pos: Pos{File: name, Line: 1}}
}

// Append takes what was written at the end of the file. The data must not
// change afterwards. False says that this is no file of lines: nothing was
// taken, and it has to be read as a whole.
func (g *Growing) Append(data []byte) bool {
	data = append(g.rest, data...)
	end := bytes.LastIndexByte(data, '\n') + 1
	if !g.lines(data[:end]) {
		return false
	}
	g.rest = bytes.Clone(data[end:])
	return true
}

// lines takes whole lines, unless the first of them shows that this is no file of
// lines.
func (g *Growing) lines(whole []byte) bool {
	if !g.begun {
		if g.pos.Offset == 0 && bytes.HasPrefix(whole, bom) {
			whole = whole[len(bom):]
			g.pos.Offset = int64(len(bom))
		}
		body := bytes.TrimLeft(whole, " \t\r\n")
		if isArray(body) || isSpread(body) || string(bytes.TrimSpace(body)) == "[" { // of which more comes
			return false
		}
		g.begun = len(body) > 0
	}
	g.pos = g.r.lines(whole, g.pos)
	return true
}

// ErrNoLines says that a file is none of lines, and has to be read as a whole.
var ErrNoLines = errors.New("no file of lines")

// pieceSize is how much of a file is held besides its records, at least: a line
// that is longer is held whole.
const pieceSize = 1 << 20

// ReadAll takes what is left of a file, in pieces that are forgotten: records
// get memory of their own. So a file is held once, where Append holds what it is
// given and what is rewritten of it. The file has about size bytes in all. It returns
// how much it read; the error is ErrNoLines or that of the reader.
func (g *Growing) ReadAll(from io.Reader, size int64) (n int64, err error) {
	g.r.size = size
	outer := g.r.own
	g.r.own = true
	defer func() { g.r.own = outer }()
	piece := append(make([]byte, 0, max(pieceSize, 2*len(g.rest))), g.rest...)
	for err == nil {
		if len(piece) == cap(piece) {
			room := 2 * cap(piece)
			if left := size - g.pos.Offset; left > int64(len(piece)) { // all of the file, and its end
				room = min(room, int(left)+1)
			}
			piece = append(make([]byte, 0, room), piece...)
		}
		start := len(piece)
		var more int
		more, err = from.Read(piece[start:cap(piece)])
		n += int64(more)
		piece = piece[:start+more]
		end := start + bytes.LastIndexByte(piece[start:], '\n') + 1
		if end == start {
			continue // no line ends here
		}
		large := end > 2*pieceSize // a line of its own: its record may have this memory
		g.r.own = !large
		if !g.lines(piece[:end:end]) {
			return n, ErrNoLines
		}
		if large {
			piece = append(make([]byte, 0, pieceSize+len(piece)-end), piece[end:]...)
		} else {
			piece = piece[:copy(piece, piece[end:])]
		}
	}
	g.rest = bytes.Clone(piece)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// Finish takes the last line as it is, though it has no end, and returns the
// file. Nothing can be read after it.
func (g *Growing) Finish() File {
	rest := g.rest
	g.rest = nil
	g.pos = g.r.lines(rest, g.pos)
	return g.File()
}

// Unfinished says that the last line has no end yet, and is not in the file.
func (g *Growing) Unfinished() bool { return len(bytes.TrimSpace(g.rest)) > 0 }

// File is what has been read so far. It is the same as Read makes of these
// bytes, up to a line that is unfinished.
func (g *Growing) File() File {
	return g.r.file(g.name, g.pos.Offset+int64(len(g.rest)))
}
