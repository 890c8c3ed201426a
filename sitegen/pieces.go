package sitegen

import (
	"errors"
	"io"

	"github.com/cespare/xxhash/v2"

	"viewer/transcript"
)

// largeFile is from which size on a transcript is read in pieces.
const largeFile = 8 << 20

// hash is the digest of a file.
func (f file) hash() (digest, error) {
	open, err := f.source.fsys.Open(f.path)
	if err != nil {
		return digest{}, f.failed(err)
	}
	defer open.Close()
	h := xxhash.New()
	if _, err := io.Copy(h, open); err != nil {
		return digest{}, f.failed(err)
	}
	return summed(h.Sum64()), nil
}

// pieces decodes transcript i without ever holding all of its bytes.
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
	g := l.cover.options().Grow(b.called(l.cover, f))
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
