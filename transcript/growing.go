package transcript

import "bytes"

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
	whole := data[:end]
	if !g.begun {
		if g.pos.Offset == 0 && bytes.HasPrefix(whole, bom) {
			whole = whole[len(bom):]
			g.pos.Offset = int64(len(bom))
		}
		body := bytes.TrimLeft(whole, " \t\r\n")
		if isArray(body) || isSpread(body) {
			return false
		}
		g.begun = len(body) > 0
	}
	g.pos = g.r.lines(whole, g.pos)
	g.rest = bytes.Clone(data[end:])
	return true
}

// Unfinished says that the last line has no end yet, and is not in the file.
func (g *Growing) Unfinished() bool { return len(bytes.TrimSpace(g.rest)) > 0 }

// File is what has been read so far. It is the same as Read makes of these
// bytes, up to a line that is unfinished.
func (g *Growing) File() File {
	return g.r.file(g.name, g.pos.Offset+int64(len(g.rest)))
}
