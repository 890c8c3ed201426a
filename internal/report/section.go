package report

import "encoding/binary"

// A section is what a summary writes where there is room for it.
type section struct {
	head  string
	parts []string // as many as fit
	end   string
	more  int  // parts behind these, for which there never is room
	among bool // it is written when there are several runs only
}

// pack appends the section to others, without what is longer than a summary.
func (s section) pack(to []byte, limit int) []byte {
	room := limit - len(s.head) - len(s.end)
	kept := 0
	for kept < len(s.parts) && len(s.parts[kept]) <= room {
		room -= len(s.parts[kept])
		kept++
	}
	if room < 0 || len(s.parts) > 0 && kept == 0 { // it is left out and counted
		s.head, s.end = "", ""
		s.more, s.parts = max(1, len(s.parts)), nil
	} else {
		s.more, s.parts = len(s.parts)-kept, s.parts[:kept]
	}
	among := uint64(0)
	if s.among {
		among = 1
	}
	to = binary.AppendUvarint(to, among)
	to = binary.AppendUvarint(to, uint64(s.more))
	to = binary.AppendUvarint(to, uint64(len(s.parts)))
	for _, text := range append([]string{s.head, s.end}, s.parts...) {
		to = append(binary.AppendUvarint(to, uint64(len(text))), text...)
	}
	return to
}

// unpack takes the first section off.
func unpack(packed []byte) (section, []byte) {
	number := func() int {
		n, size := binary.Uvarint(packed)
		packed = packed[size:]
		return int(n)
	}
	text := func() string {
		n := number()
		s := string(packed[:n])
		packed = packed[n:]
		return s
	}
	s := section{among: number() == 1, more: number()}
	n := number()
	s.head, s.end = text(), text()
	for range n {
		s.parts = append(s.parts, text())
	}
	return s, packed
}
