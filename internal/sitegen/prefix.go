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
	tail   []byte         // its last bytes, compared with the file to detect rewriting
}

// tailSize is how many bytes are read again to see that a file was appended to and not rewritten.
const tailSize = 1 << 10

var errRewritten = errors.New("it was rewritten")

func newPrefix(f file) prefix { return prefix{sum: xxhash.New(), inode: f.Inode} }

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
	from, canSeek := open.(io.Seeker)
	if !canSeek {
		return errRewritten
	}
	if _, err := from.Seek(p.size-int64(len(p.tail)), io.SeekStart); err != nil {
		return errRewritten
	}
	tail := make([]byte, len(p.tail))
	if _, err := io.ReadFull(open, tail); err != nil || !bytes.Equal(tail, p.tail) {
		return errRewritten
	}
	return nil
}

// Write adds data that follows the prefix to it.
func (p *prefix) Write(data []byte) (int, error) {
	rest := data
	if n := p.mark - p.size; n > 0 && n <= int64(len(data)) {
		p.sum.Write(data[:n])
		p.marked, rest = p.content(), data[n:]
	}
	p.sum.Write(rest)
	p.size += int64(len(data))
	p.tail = append(p.tail, data[max(0, len(data)-tailSize):]...)
	p.tail = bytes.Clone(p.tail[max(0, len(p.tail)-tailSize):])
	return len(data), nil
}

// content returns the digest of the prefix.
func (p *prefix) content() fingerprint.Digest { return fingerprint.FromXXH64(p.sum.Sum64()) }
