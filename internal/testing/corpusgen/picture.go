package corpusgen

import (
	"encoding/base64"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"math/rand/v2"
)

// pictureSizes are the sizes of pictures in bytes, as counted in real sessions.
var pictureSizes = distribution{5300, 6000, 148_000, 400_000, 450_000, 780_000, 785_000}

// One in so many results or prompts has a picture.
const (
	readsOfPicture   = 180
	promptsOfPicture = 40
)

// newPixels returns random pixels for the largest picture, which cannot be compressed.
func newPixels(rng *rand.Rand) []byte {
	var all []byte
	for len(all) < pictureSizes[6] {
		all = binary.LittleEndian.AppendUint64(all, rng.Uint64())
	}
	return all
}

// screenshot returns a unique PNG in base64, or nil if there is no space even for a small one. A result has it twice.
// Like agents, pictures make a session long: up to half as long again, which other sessions balance.
func (s *session) screenshot() []byte {
	room := (s.limit - s.spent()) * 3 / 8
	if !s.alone && s.agent == "" {
		room += s.limit / 5
	}
	if room < pictureSizes[0] {
		return nil
	}
	size := min(pictureSizes.pick(s.rng), room)
	width := 64
	for width*width < size {
		width += width / 2
	}
	height := size/(width+1) + 1
	at := s.rng.IntN(max(1, len(s.texts.pixels)-width*height))
	data := make([]byte, 0, size+size/1000+1000)
	data = append(data, "\x89PNG\r\n\x1a\n"...)
	header := binary.BigEndian.AppendUint32(nil, uint32(width))
	header = binary.BigEndian.AppendUint32(header, uint32(height))
	data = appendChunk(data, "IHDR", append(header, 8, 0, 0, 0, 0)) // 8 bits, greyscale
	data = appendChunk(data, "tEXt", appendf(nil, "Comment\x00%s", s.uuid()))
	var rows []byte
	for y := range height {
		from := (at + y*width) % (len(s.texts.pixels) - width)
		rows = append(append(rows, 0), s.texts.pixels[from:from+width]...)
	}
	data = appendChunk(data, "IDAT", stored(rows))
	data = appendChunk(data, "IEND", nil)
	return base64.StdEncoding.AppendEncode(nil, data)
}

func appendChunk(data []byte, kind string, body []byte) []byte {
	data = binary.BigEndian.AppendUint32(data, uint32(len(body)))
	from := len(data)
	data = append(append(data, kind...), body...)
	return binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data[from:]))
}

// stored returns a zlib stream without compression.
func stored(rows []byte) []byte {
	out := append(make([]byte, 0, len(rows)+len(rows)/1000+100), 0x78, 0x01)
	for rest := rows; ; {
		n := min(len(rest), 0xffff)
		last := byte(0)
		if n == len(rest) {
			last = 1
		}
		out = append(out, last, byte(n), byte(n>>8), ^byte(n), ^byte(n>>8))
		out = append(out, rest[:n]...)
		if rest = rest[n:]; last == 1 {
			return binary.BigEndian.AppendUint32(out, adler32.Checksum(rows))
		}
	}
}
