package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// FrameSize is the maximum size of the content of a frame, in bytes.
const FrameSize = 4 << 20

// maxPacked is more than a frame can have in bytes: content that cannot be compressed, and the sums of empty lines.
const maxPacked = 4 * FrameSize

// A frame of zstd is followed by a skippable frame (RFC 8878, section 3.1.2) with the sums of the lines. If the content
// was changed, they tell in which line.
const (
	checksMagic  = 0x184d2a5a
	checksHeader = 8 // bytes: the magic number and the size
	checkSize    = 2 // bytes a line: of 65,536 changes of one line, one is not found by it, but by the sum of the frame
)

var encoder = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil { // the options are valid
		panic(err)
	}
	return e
})

var decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(2*FrameSize))
	if err != nil {
		panic(err)
	}
	return d
})

// Pack packs a piece of content. The frame lacks only its place.
func Pack(content []byte) (Frame, []byte) {
	packed := encoder().EncodeAll(content, nil)
	checks := checksOf(content)
	packed = binary.LittleEndian.AppendUint32(packed, checksMagic)
	packed = binary.LittleEndian.AppendUint32(packed, uint32(len(checks)))
	packed = append(packed, checks...)
	return Frame{
		Packed: int64(len(packed)), To: int64(len(content)), Lines: int64(bytes.Count(content, []byte("\n"))),
		Sum: sha256.Sum256(content), Checks: sumOfChecks(checks),
	}, packed
}

func sumOfChecks(checks []byte) string {
	sum := sha256.Sum256(checks)
	return encoding.EncodeToString(sum[:15])
}

// A Damage describes what is wrong with a frame.
type Damage struct {
	Line int64 // the first line of the frame that differs, from 0; -1 if unknown
	Err  error
}

func (d *Damage) Error() string { return d.Err.Error() }

var (
	errUnpack  = errors.New("it cannot be unpacked")
	errChanged = errors.New("it is not what was archived")
	errSize    = errors.New("its size differs from that in the manifest")
	errChecks  = errors.New("the sums of its lines are not what was archived")
)

// Unpack returns the content of a frame. If it is not what was archived, the error is a *Damage and the content is what
// could be read.
func (f *Frame) Unpack(packed []byte) ([]byte, error) {
	data, checks, err := f.split(packed)
	if err == nil {
		data, err = decoder().DecodeAll(data, make([]byte, 0, f.To-f.From))
	}
	if err != nil {
		return data, &Damage{-1, fmt.Errorf("%w: %w", errUnpack, err)}
	}
	trusted := sumOfChecks(checks) == f.Checks
	if sha256.Sum256(data) == f.Sum {
		switch {
		case int64(len(data)) != f.To-f.From: // readers rely on its size
			return data, &Damage{-1, errSize}
		case !trusted:
			return data, &Damage{-1, errChecks}
		}
		return data, nil
	}
	line := int64(-1)
	if trusted {
		now := checksOf(data)
		n := 0
		for n < len(checks) && n < len(now) && checks[n] == now[n] {
			n++
		}
		line = int64(n / checkSize)
	}
	return data, &Damage{line, errChanged}
}

// split separates the frame with the content from the sums of the lines.
func (f *Frame) split(packed []byte) (content, checks []byte, err error) {
	n := int64(0) // number of lines, including an unfinished last one
	if int64(len(packed)) != f.Packed {
		return nil, nil, errors.New("it is shorter than it was")
	}
	magic := binary.LittleEndian.AppendUint32(nil, checksMagic)
	for n = f.Lines; n <= f.Lines+1; n++ {
		at := len(packed) - int(n)*checkSize - checksHeader
		if at >= 0 && bytes.HasPrefix(packed[at:], magic) &&
			binary.LittleEndian.Uint32(packed[at+4:]) == uint32(n*checkSize) {
			return packed[:at], packed[at+checksHeader:], nil
		}
	}
	return packed, nil, nil // the decoder reports what is wrong
}

// checksOf returns the sums of the lines of a content, including an unfinished last one.
func checksOf(content []byte) []byte {
	checks := make([]byte, 0, checkSize*(bytes.Count(content, []byte("\n"))+1))
	for line := range bytes.Lines(content) {
		sum := sha256.Sum256(line)
		checks = append(checks, sum[:checkSize]...)
	}
	return slices.Clip(checks)
}
