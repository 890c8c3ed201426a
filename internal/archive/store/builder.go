package store

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"hash"
	"io"
	"slices"

	"viewer/internal/archive"
)

// A builder writes the frames of a version.
type builder struct {
	w      *Writer
	record *archive.Record
	size   int64
	hash   hash.Hash

	stream       string // "" before the first frame of a new one
	at, unpacked int64  // its end in the file and in the content
}

func (b *builder) begin(stream string) {
	if s := b.w.Streams[stream]; s != nil {
		b.stream, b.at, b.unpacked = stream, s.Packed, s.Size
	}
}

// append writes what follows the version that the file begins with.
func (b *builder) append(f File, s surveyed) error {
	b.record.Parts, b.size = slices.Clone(s.base.Parts), s.base.Size
	if n := len(b.record.Parts); n > 0 && b.w.Streams[b.record.Parts[n-1].Stream].Size == b.record.Parts[n-1].To {
		b.begin(b.record.Parts[n-1].Stream)
	}
	b.hash = sha256.New()
	if err := b.hash.(encoding.BinaryUnmarshaler).UnmarshalBinary(s.state); err != nil {
		return err
	}
	file, err := openAt(f, b.size)
	if err != nil {
		return &ErrRead{err}
	}
	defer file.Close()
	return b.rest(io.LimitReader(file, s.size-b.size))
}

func openAt(f File, at int64) (io.ReadCloser, error) {
	file, err := f.Open()
	if err != nil || at == 0 {
		return file, err
	}
	if from, ok := file.(io.Seeker); ok {
		_, err = from.Seek(at, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, file, at)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// rest writes everything from a reader.
func (b *builder) rest(r io.Reader) error {
	data := make([]byte, archive.FrameSize)
	for {
		n, err := io.ReadFull(r, data)
		if n > 0 {
			b.hash.Write(data[:n])
			if err := b.write(data[:n]); err != nil {
				return err
			}
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			b.end()
			return nil
		}
		if err != nil {
			return &ErrRead{err}
		}
	}
}

// end completes the version. The file may have changed since it was surveyed.
func (b *builder) end() { b.record.Size, b.record.Sum = b.size, archive.Sum(b.hash.Sum(nil)) }

// write writes a frame.
func (b *builder) write(content []byte) error {
	f, packed := archive.Pack(content)
	if b.stream == "" {
		n := 0
		for b.w.Streams[archive.StreamName(f.Sum, n)] != nil {
			n++
		}
		b.stream = archive.StreamName(f.Sum, n)
	}
	f.Stream, f.At = b.stream, b.at
	f.From, f.To = b.unpacked, b.unpacked+f.To
	if err := b.w.place.writeFrame(&f, packed); err != nil {
		return b.w.unwritten(b.w.place.frameFile(&f), err)
	}
	b.w.Written += f.Packed
	b.at, b.unpacked = b.at+f.Packed, f.To
	b.record.Frames = append(b.record.Frames, f)
	b.record.Parts = archive.Join(b.record.Parts, archive.Part{Stream: b.stream, From: f.From, To: f.To})
	b.size += int64(len(content))
	return nil
}

// blockSize is how many bytes of two versions are compared at a time. minShared is how many bytes at the beginning of
// a block must be equal for them to be shared.
const (
	blockSize = 64 << 10
	minShared = 1 << 10
)

// replace writes a version of a file that was rewritten, or that begins like another one. Content that both have at the
// same offset is shared.
func (b *builder) replace(f File, s surveyed) error {
	b.hash = sha256.New()
	file, err := openAt(f, 0)
	if err != nil {
		return &ErrRead{err}
	}
	defer file.Close()
	from := io.LimitReader(file, s.size)
	known := b.w.Newest(f.Key)
	if n := len(s.alike); n > 0 && (known == nil || known.Size == 0) {
		known = s.alike[n-1]
	}
	if known == nil || known.Size == 0 {
		return b.rest(from)
	}
	if last := b.w.Newest(f.Key); last == known {
		b.begin(known.Parts[len(known.Parts)-1].Stream)
	}
	return b.share(from, known)
}

// share writes everything from a reader except what a version has at the same offset.
func (b *builder) share(from io.Reader, known *archive.Record) error {
	old := b.w.Content(known)
	defer old.Close()
	block, before := make([]byte, blockSize), make([]byte, blockSize)
	var waiting []byte // not yet written
	for at := int64(0); ; {
		n, err := io.ReadFull(from, block)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return &ErrRead{err}
		}
		b.hash.Write(block[:n])
		m, damaged := old.ReadAt(before, at)
		if damaged != nil && damaged != io.EOF {
			m = 0 // content that cannot be read is not shared
		}
		shared := alike(block[:n], before[:m])
		if shared < n && shared < minShared {
			shared = 0
		}
		if shared > 0 {
			if err := b.flush(&waiting); err != nil {
				return err
			}
			for _, p := range archive.Slice(known.Parts, at, at+int64(shared)) {
				b.record.Parts = archive.Join(b.record.Parts, p)
			}
			b.size += int64(shared)
		}
		waiting = append(waiting, block[shared:n]...)
		at += int64(n)
		if len(waiting) > archive.FrameSize-blockSize || n < blockSize {
			if err := b.flush(&waiting); err != nil {
				return err
			}
		}
		if n < blockSize {
			b.end()
			return nil
		}
	}
}

func (b *builder) flush(waiting *[]byte) error {
	if len(*waiting) == 0 {
		return nil
	}
	err := b.write(*waiting)
	*waiting = (*waiting)[:0]
	return err
}

// alike returns how many bytes two slices have in common at their beginning.
func alike(a, b []byte) int {
	if bytes.Equal(a, b) {
		return len(a)
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
