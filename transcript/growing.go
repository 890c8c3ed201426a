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
	end := Whole(data)
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

// ReadAll takes what is left of a file, in pieces that are forgotten: records
// get memory of their own. So a file is held once, where Append holds what it is
// given and what is rewritten of it. The file has about size bytes in all. It returns
// how much it read; the error is ErrNoLines or that of the reader.
func (g *Growing) ReadAll(from io.Reader, size int64) (n int64, err error) {
	pieces := g.Cut(from, size)
	var p Piece
	for pieces.Next(&p) {
		if !g.Take(&p) {
			return pieces.Read(), ErrNoLines
		}
	}
	return pieces.Read(), pieces.End()
}

// Take takes the next piece of a file, whose memory can then be used again. False says that
// this is no file of lines.
func (g *Growing) Take(p *Piece) bool {
	outer := g.r.copied
	defer func() { g.r.copied = outer }()
	g.r.copied = !p.Large()
	return g.lines(p.lines)
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
