package report

import "encoding/binary"

// A section is a part of a summary. It is left out if the limit is reached.
type section struct {
	head  string
	parts []string // as many as fit
	end   string
	more  int  // number of parts after these, which never fit
	among bool // only written if there are several runs
}

// pack appends the section to others, without parts that are longer than a summary.
func (s section) pack(to []byte, limit int) []byte {
	left := limit - len(s.head) - len(s.end)
	fitting := 0
	for fitting < len(s.parts) && len(s.parts[fitting]) <= left {
		left -= len(s.parts[fitting])
		fitting++
	}
	if left < 0 || len(s.parts) > 0 && fitting == 0 { // it is left out and counted
		s.head, s.end = "", ""
		s.more, s.parts = max(1, len(s.parts)), nil
	} else {
		s.more, s.parts = len(s.parts)-fitting, s.parts[:fitting]
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

// unpack removes the first section and returns it.
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
