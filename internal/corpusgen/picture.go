package corpusgen

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"math/rand/v2"
)

// newPicture is a PNG of noise, which no compression makes smaller: about 100 KB.
func newPicture(dice *rand.Rand) []byte {
	img := image.NewGray(image.Rect(0, 0, 384, 256))
	for i := range img.Pix {
		img.Pix[i] = byte(dice.Uint32())
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// screenshot is the picture with a remark that no other has, in base64.
func (s *session) screenshot() []byte {
	remark := appendf(nil, "Comment\x00%s", s.uuid())
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(remark)))
	chunk = append(append(chunk, "tEXt"...), remark...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	const head = 8 + 25 // signature, IHDR
	p := s.stock.picture
	var all []byte
	all = append(append(append(all, p[:head]...), chunk...), p[head:]...)
	return base64.StdEncoding.AppendEncode(nil, all)
}
