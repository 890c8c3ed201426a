package state

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

var (
	errDamaged      = errors.New("it is damaged")
	errOtherVersion = errors.New("another version of the viewer left it")
)

func unusable(err error) string { return "cannot use the state of the last build: " + err.Error() }

// readFile reads a file of the state: the content between its first line and the checksum at its end, and the checksum.
// The content is a string, so that values that are kept can share its memory.
func readFile(o *output.Writer, name, magic string) (string, fingerprint.Digest, error) {
	fail := func(err error) (string, fingerprint.Digest, error) { return "", fingerprint.Digest{}, err }
	f, err := o.OpenFile(name)
	if err != nil {
		return fail(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fail(err)
	}
	end := info.Size() - int64(len(fingerprint.Digest{}))
	if end < int64(len(magic)) {
		return fail(errDamaged)
	}
	content := make([]byte, end)
	if _, err := io.ReadFull(f, content); err != nil {
		return fail(err)
	}
	sum, err := io.ReadAll(f)
	if err != nil {
		return fail(err)
	}
	data := unsafe.String(unsafe.SliceData(content), len(content)) // nobody writes to it
	want := fingerprint.FromXXH64(xxhash.Sum64String(data))
	unnumbered := magic[:strings.LastIndexByte(magic, ' ')+1]
	switch ours := strings.HasPrefix(data, magic); {
	case !ours && strings.HasPrefix(data, unnumbered):
		return fail(errOtherVersion)
	case !ours || !bytes.Equal(want[:], sum):
		return fail(errDamaged)
	}
	return data[len(magic):], want, nil
}

// writeFile writes a file of the state under its temporary name. The file ends in a checksum, which reveals incomplete
// and damaged files.
func writeFile(
	o *output.Writer, name string, encode func(*stream) error,
) (sum fingerprint.Digest, size int64, err error) {
	err = o.WriteTemp(name, func(w io.Writer) error {
		s := &stream{Encoder: make(codec.Encoder, 0, 72<<10), to: w, sum: xxhash.New()}
		if err := encode(s); err != nil {
			return err
		}
		s.flush()
		if s.err == nil {
			sum = fingerprint.FromXXH64(s.sum.Sum64())
			size = s.size + int64(len(sum))
			_, s.err = w.Write(sum[:])
		}
		return s.err
	})
	return sum, size, err
}

// A stream encodes values to a writer, so that no file of the state is in memory as a whole.
type stream struct {
	codec.Encoder
	to   io.Writer
	sum  *xxhash.Digest
	size int64
	err  error
}

// flushFull writes the encoded data if there is much of it. It is called between values.
func (s *stream) flushFull() {
	if len(s.Encoder) > 64<<10 {
		s.flush()
	}
}

func (s *stream) flush() {
	s.sum.Write(s.Encoder)
	s.size += int64(len(s.Encoder))
	if s.err == nil {
		_, s.err = s.to.Write(s.Encoder)
	}
	s.Encoder = s.Encoder[:0]
}
