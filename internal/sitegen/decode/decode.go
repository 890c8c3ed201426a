package decode

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// The first bytes of files that are converted when they are read.
const (
	gzipMagic = "\x1f\x8b\x08"
	zstdMagic = "\x28\xb5\x2f\xfd"
	utf16LE   = "\xff\xfe" // written by > of PowerShell
	utf16BE   = "\xfe\xff"
)

// maxUnpacked limits how much of a compressed file is read. A few bytes can expand to any size.
const maxUnpacked = 1 << 30

// MaxRead limits how much of any file is read, in bytes. A build needs twice as much memory. Known sessions are much
// smaller.
const MaxRead = 1 << 30

// ErrTooLarge is the error for a file that is larger than MaxRead.
var ErrTooLarge = fmt.Errorf("it is larger than %d GB, the maximum for a file", MaxRead>>30)

// TooLargeHint is the hint for such a file.
const TooLargeHint = "split it between lines"

var errUnpacked = fmt.Errorf("it unpacks to more than %d GB", maxUnpacked>>30)

// An FS is the file system of a source. It converts UTF-16 to UTF-8 and decompresses gzip and zstd (which Codex uses
// for old sessions). The content decides, never the name.
type FS struct {
	fs.FS
	packed string // the file that was given by name, if it is compressed, else ""
	size   int64  // of its content
}

// New returns the file system of a source. only is the one file to read, "" for all.
func New(fsys fs.FS, only string) (FS, error) {
	d := FS{FS: fsys}
	if only == "" {
		return d, nil
	}
	if begin, err := d.begin(only); err != nil || !isPacked(begin) {
		return d, nil // the error is reported when the file is read
	}
	d.packed = only
	f, err := d.Open(only)
	if err != nil {
		return d, err
	}
	defer f.Close()
	d.size, err = io.Copy(io.Discard, f)
	return d, err
}

// begin returns the first four bytes of a file, or fewer.
func (d FS) begin(name string) (string, error) {
	f, err := d.FS.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return beginOf(f), nil
}

func beginOf(f fs.File) string {
	var begin [len(zstdMagic)]byte
	if at, ok := f.(io.ReaderAt); ok { // otherwise it is embedded and needs no conversion
		n, _ := at.ReadAt(begin[:], 0) // reading the file reports the error
		return string(begin[:n])
	}
	return ""
}

func (d FS) Open(name string) (fs.File, error) {
	f, err := d.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && !info.IsDir() && info.Size() > MaxRead {
		f.Close()
		return nil, &fs.PathError{Op: "reading", Path: name, Err: ErrTooLarge}
	}
	var from io.Reader
	end := func() {}
	whole := new(untilDamage)
	switch begin := beginOf(f); {
	case isPacked(begin):
		unpacked, closing, err := unpack(f, begin)
		if err != nil {
			f.Close()
			return nil, &fs.PathError{Op: "unpacking", Path: name, Err: err}
		}
		whole.r = unpacked
		from, end = &limited{whole, maxUnpacked}, closing
		inner := bufio.NewReader(from)
		from = inner
		if begin, _ := inner.Peek(2); isUTF16(begin) {
			from = asUTF8(inner)
		}
	case isUTF16([]byte(begin)):
		from = asUTF8(f)
	case begin == sqliteMagic[:len(begin)] && begin != "":
		db, err := d.asDatabase(f, name)
		if err != nil {
			f.Close()
			return nil, err
		}
		if db != nil {
			return db, nil
		}
		return f, nil
	default:
		return f, nil
	}
	return decodedFile{f, from, end, whole, d}, nil
}

func isPacked(begin string) bool { return begin == zstdMagic || strings.HasPrefix(begin, gzipMagic) }

// zstdWindow limits the memory for decompression. It is more than any level of zstd uses by default.
const zstdWindow = 128 << 20

// unpack decompresses a file; closing frees its memory.
func unpack(f io.Reader, begin string) (unpacked io.Reader, closing func(), err error) {
	if begin != zstdMagic {
		from := bufio.NewReader(f)
		member, err := gzip.NewReader(from)
		if err != nil {
			return nil, nil, err
		}
		member.Multistream(false)
		return &gzipMembers{from, member}, func() {}, nil
	}
	// No goroutines here: sessions are already read in parallel.
	d, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(zstdWindow))
	if err != nil {
		return nil, nil, err
	}
	return d, d.Close, nil
}

// gzipMembers reads the members of a gzip file one by one. A gzip.Reader that goes on to the next member by itself
// takes a file that is cut off in the name there for whole.
type gzipMembers struct {
	from   *bufio.Reader
	member *gzip.Reader
}

func (g *gzipMembers) Read(p []byte) (int, error) {
	for {
		n, err := g.member.Read(p)
		if err != io.EOF {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
		if _, err := g.from.Peek(1); err != nil {
			return 0, err
		}
		if err := g.member.Reset(g.from); err == io.EOF {
			return 0, io.ErrUnexpectedEOF
		} else if err != nil {
			return 0, err
		}
		g.member.Multistream(false)
	}
}

func isUTF16(begin []byte) bool {
	return bytes.HasPrefix(begin, []byte(utf16LE)) || bytes.HasPrefix(begin, []byte(utf16BE))
}

func asUTF8(r io.Reader) io.Reader {
	return transform.NewReader(r, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder())
}

// Stat reports the decompressed size of a compressed file.
func (d FS) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(d.FS, name)
	return d.info(name, info), err
}

func (d FS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(d.FS, name) }

func (d FS) info(name string, info fs.FileInfo) fs.FileInfo {
	if info == nil || name != d.packed {
		return info
	}
	return sized{info, d.size}
}

// sized is a FileInfo with a different size.
type sized struct {
	fs.FileInfo
	size int64
}

func (s sized) Size() int64 { return s.size }

// A decodedFile is a converted file. It has no ReadAt.
type decodedFile struct {
	file fs.File
	from io.Reader
	end  func() // frees the memory of the decoder
	all  *untilDamage
	of   FS
}

// DamageOf returns why a compressed file ended early when it was read: because it is cut off, for example. It returns
// nil if the file did not, or is not compressed.
func DamageOf(f fs.File) error {
	if d, ok := f.(interface{ Damage() error }); ok {
		return d.Damage()
	}
	return nil
}

func (f decodedFile) Damage() error { return f.all.damage }

func (f decodedFile) Read(p []byte) (int, error) { return f.from.Read(p) }

func (f decodedFile) Close() error {
	f.end()
	return f.file.Close()
}

func (f decodedFile) Stat() (fs.FileInfo, error) {
	info, err := f.file.Stat()
	if err != nil {
		return nil, err
	}
	if f.of.packed != "" && path.Base(f.of.packed) == info.Name() {
		info = sized{info, f.of.size}
	}
	return info, nil
}

// untilDamage ends where a compressed file is damaged, so that what comes before can be read.
type untilDamage struct {
	r      io.Reader
	begun  bool
	damage error
}

func (u *untilDamage) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if u.begun = u.begun || n > 0; u.begun && err != nil && err != io.EOF {
		u.damage, err = err, io.EOF
	}
	return n, err
}

// limited fails when more than its limit is read.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, errUnpacked
	}
	return n, err
}
