package state

import (
	"bytes"
	"io"
	"strings"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

// A recordReader decodes a file of the state piece by piece, for sites so large that the file should not be in memory.
// The checksum is verified before anything is decoded.
type recordReader struct {
	file output.OpenedFile
	left int64  // bytes not read yet
	rest string // read and not decoded
}

// recordPiece is how many bytes are read at once.
const recordPiece = 32 << 10

// openRecords opens a file of the state, and returns its checksum and the size of what is decoded.
func openRecords(o *output.Writer, name, magic string) (*recordReader, fingerprint.Digest, error) {
	var sum fingerprint.Digest
	f, err := o.OpenFile(name)
	if err != nil {
		return nil, sum, err
	}
	end, err := checkRecords(f, magic, &sum)
	if err == nil {
		_, err = f.Seek(int64(len(magic)), io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, sum, err
	}
	return &recordReader{file: f, left: end - int64(len(magic))}, sum, nil
}

// checkRecords checks the first line of a file and the checksum, and returns the offset of the checksum.
func checkRecords(f output.OpenedFile, magic string, sum *fingerprint.Digest) (end int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if end = info.Size() - int64(len(sum)); end < int64(len(magic)) {
		return 0, errDamaged
	}
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(f, head); err != nil {
		return 0, err
	}
	h := xxhash.New()
	h.Write(head)
	rest := struct{ io.Reader }{io.LimitReader(f, end-int64(len(magic)))}
	if _, err := io.CopyBuffer(struct{ io.Writer }{h}, rest, make([]byte, recordPiece)); err != nil {
		return 0, err
	}
	said, err := io.ReadAll(f)
	if err != nil {
		return 0, err
	}
	*sum = fingerprint.FromXXH64(h.Sum64())
	unnumbered := magic[:strings.LastIndexByte(magic, ' ')+1]
	switch ours := string(head) == magic; {
	case !ours && strings.HasPrefix(string(head), unnumbered):
		return 0, errOtherVersion
	case !ours || !bytes.Equal(sum[:], said):
		return 0, errDamaged
	}
	return end, nil
}

// next decodes a value. It calls decode again if too little was read.
func (r *recordReader) next(decode func(*codec.Decoder)) error {
	for {
		d := codec.Decoder{Rest: r.rest}
		if decode(&d); !d.Short {
			r.rest = d.Rest
			return nil
		}
		if r.left == 0 {
			return errDamaged
		}
		piece := make([]byte, min(int64(max(recordPiece, len(r.rest))), r.left))
		if _, err := io.ReadFull(r.file, piece); err != nil {
			return err
		}
		r.left -= int64(len(piece))
		r.rest += string(piece)
	}
}

// number decodes the number of values that follow.
func (r *recordReader) number() (n int, err error) {
	err = r.next(func(d *codec.Decoder) { n = int(d.Int()) })
	if err == nil && n < 0 {
		err = errDamaged
	}
	return n, err
}

// each decodes a number, and so many values after it.
func (r *recordReader) each(decode func(*codec.Decoder)) error {
	n, err := r.number()
	for ; err == nil && n > 0; n-- {
		err = r.next(decode)
	}
	return err
}

// isDone reports whether everything is decoded.
func (r *recordReader) isDone() bool { return r.left == 0 && r.rest == "" }

func (r *recordReader) close() { r.file.Close() }
