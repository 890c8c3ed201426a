package sitegen

import (
	"bytes"
	"errors"
	"io"
	"io/fs"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/fingerprint"
)

// A prefix is the part of a file that has been read. When the file grows, only the rest is read.
type prefix struct {
	size  int64 // bytes
	inode uint64
	// mark is a number of bytes. marked is the digest of the first mark bytes, once they have been read.
	mark   int64
	marked fingerprint.Digest
	sum    *xxhash.Digest // of the prefix
	damage error          // see decode.DamageOf

	// To see that a file was appended to and not rewritten, the last bytes are read again, and one part of the file,
	// the next one each time.
	tail    []byte
	parts   []xxhash.Digest // the states of sum at the beginnings of the parts
	checked int             // number of parts that were read again, in this round
}

// tailSize and partSize are how many bytes are read again. Reading all of a large file would take a tenth of the time
// of an append, and of a file on a network much more.
const (
	tailSize = 1 << 10
	partSize = 1 << 20
)

var errRewritten = errors.New("it was rewritten")

func newPrefix(f file) prefix {
	sum := xxhash.New()
	return prefix{sum: sum, inode: f.Inode, parts: []xxhash.Digest{*sum}}
}

// A rest is a file that is read from the end of a prefix on.
type rest struct {
	fs.File
	from io.Reader
}

func (r *rest) Read(p []byte) (int, error) { return r.from.Read(p) }

// open opens a file at the end of the prefix. What is read there is added to the prefix. The error is errRewritten if
// the file does not begin with the prefix.
func (p *prefix) open(f file) (*rest, error) {
	if p.inode != f.Inode {
		return nil, errRewritten
	}
	open, err := f.source.FS.Open(f.path)
	if err != nil {
		return nil, f.failed(err)
	}
	if err := p.skip(open); err != nil {
		open.Close()
		return nil, err
	}
	return &rest{open, io.TeeReader(open, p)}, nil
}

// skip seeks to the end of the prefix.
func (p *prefix) skip(open fs.File) error {
	if p.size == 0 {
		return nil
	}
	from, canSeek := open.(io.ReadSeeker)
	if !canSeek || !p.hasPart(from, p.checked) {
		return errRewritten
	}
	p.checked = (p.checked + 1) % len(p.parts)
	if _, err := from.Seek(p.size-int64(len(p.tail)), io.SeekStart); err != nil {
		return errRewritten
	}
	tail := make([]byte, len(p.tail))
	if _, err := io.ReadFull(open, tail); err != nil || !bytes.Equal(tail, p.tail) {
		return errRewritten
	}
	return nil
}

// hasPart reports whether a part of a file is as it was when it was read first.
func (p *prefix) hasPart(from io.ReadSeeker, part int) bool {
	start, sum, want := int64(part)*partSize, p.parts[part], p.sum
	if part+1 < len(p.parts) {
		want = &p.parts[part+1]
	}
	if _, err := from.Seek(start, io.SeekStart); err != nil {
		return false
	}
	_, err := io.CopyN(&sum, from, min(partSize, p.size-start))
	return err == nil && sum.Sum64() == want.Sum64()
}

// Write adds data that follows the prefix to it.
func (p *prefix) Write(data []byte) (int, error) {
	for rest := data; len(rest) > 0; {
		next := int64(len(p.parts)) * partSize
		if p.mark > p.size {
			next = min(next, p.mark)
		}
		n := min(next-p.size, int64(len(rest)))
		p.sum.Write(rest[:n])
		p.size, rest = p.size+n, rest[n:]
		if p.size == p.mark {
			p.marked = p.content()
		}
		if p.size == int64(len(p.parts))*partSize {
			p.parts = append(p.parts, *p.sum)
		}
	}
	p.tail = append(p.tail, data[max(0, len(data)-tailSize):]...)
	p.tail = bytes.Clone(p.tail[max(0, len(p.tail)-tailSize):])
	return len(data), nil
}

// content returns the digest of the prefix.
func (p *prefix) content() fingerprint.Digest { return digestOf(p.sum, p.damage) }
