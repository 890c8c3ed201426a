package state

import (
	"bytes"
	"io"
	"strings"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

// A recordReader decodes a file of the state piece by piece, for sites so large that the file should not be in memory.
// The checksum is verified before anything is decoded.
type recordReader struct {
	file output.OpenedFile
	end  int64  // offset of the checksum
	left int64  // bytes not read yet
	rest string // read and not decoded

	copied      bool   // decoded values that are kept are copies, so the memory of what was read is reused
	memory      []byte // this memory
	beginsSpool bool   // the file is the beginning of a spool
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
	return &recordReader{file: f, end: end, left: end - int64(len(magic))}, sum, nil
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
		more := min(int64(max(recordPiece, len(r.rest))), r.left)
		size, piece := len(r.rest)+int(more), r.memory
		if size > cap(piece) {
			piece = make([]byte, size)
		}
		if piece = piece[:size]; r.copied {
			r.memory = piece
		}
		if _, err := io.ReadFull(r.file, piece[copy(piece, r.rest):]); err != nil {
			return err
		}
		r.left -= more
		r.rest = unsafe.String(unsafe.SliceData(piece), size)
	}
}

// offset returns the offset of what a decoder has not decoded yet.
func (r *recordReader) offset(d *codec.Decoder) int64 { return r.end - r.left - int64(len(d.Rest)) }

// leave leaves decoded data in a spool, up to its first bytes. It ends where the decoder is.
func (r *recordReader) leave(data *spooled, d *codec.Decoder, s *output.Spool, first int) {
	if n := len(data.memory); r.beginsSpool {
		data.spool, data.span = s, output.FileSpan(r.offset(d)-int64(n), n)
	} else if s != nil {
		data.put(s)
	}
	data.keep(first)
}

// number decodes the number of values that follow. Each takes at least a byte.
func (r *recordReader) number() (n int, err error) {
	err = r.next(func(d *codec.Decoder) { n = int(d.Int()) })
	if err == nil && (n < 0 || int64(n) > r.left+int64(len(r.rest))) {
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
