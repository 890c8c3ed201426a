package sitegen

import (
	"crypto/sha256"
	"errors"
	"io"

	"viewer/transcript"
)

// largeFile is from which size on a transcript is read in pieces.
const largeFile = 8 << 20

// sum is content for a file that is not held.
func (f file) sum() (digest, error) {
	if f.seen != nil && f.seen.err == nil && int64(f.seen.size) == f.Size && f.seen.content != (digest{}) {
		return f.seen.content, nil
	}
	return f.hash()
}

// hash is the digest of a file.
func (f file) hash() (digest, error) {
	open, err := f.source.fsys.Open(f.path)
	if err != nil {
		return digest{}, f.failed(err)
	}
	defer open.Close()
	h := sha256.New()
	if _, err := io.Copy(h, open); err != nil {
		return digest{}, f.failed(err)
	}
	return digest(h.Sum(nil)[:len(digest{})]), nil
}

// pieces decodes transcript i without ever holding all of its bytes: nearly every
// record names a home folder, so that covering makes a copy of it anyway.
func (b *builder) pieces(l *load, i int) (*transcript.File, error) {
	f := l.files[i]
	open, err := f.source.fsys.Open(f.path)
	if err != nil {
		return nil, f.failed(err)
	}
	defer open.Close()
	if i == 0 {
		head, err := f.head()
		if err != nil {
			return nil, err
		}
		l.cover = b.cover(head)
	}
	g := l.cover.options().Grow(l.cover.text(f.name))
	n, err := g.ReadAll(open, f.Size)
	b.read.Add(n)
	if errors.Is(err, transcript.ErrNoLines) {
		return nil, err
	}
	if err != nil {
		return nil, f.failed(err)
	}
	read := g.Finish()
	return &read, nil
}
