package archive

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Names in the folder of an archive.
const (
	ManifestName = "viewer-archive.jsonl"
	DataDir      = "data"
	SealDir      = "seals"
	LockName     = "lock"
)

// A Sum is the SHA-256 of bytes.
type Sum [sha256.Size]byte

var encoding = base64.RawURLEncoding.Strict() // one text for each sum

func (s Sum) String() string { return encoding.EncodeToString(s[:]) }

// MarshalText returns the sum in the form of records.
func (s Sum) MarshalText() ([]byte, error) { return encoding.AppendEncode(nil, s[:]), nil }

// UnmarshalText reads what MarshalText returns.
func (s *Sum) UnmarshalText(text []byte) error {
	data, err := encoding.DecodeString(string(text))
	if err != nil || len(data) != len(s) {
		return errors.New("no SHA-256")
	}
	*s = Sum(data)
	return nil
}

// A Record is a line of the manifest: the header, or a version of a file.
type Record struct {
	Format string `json:"viewerArchive,omitempty"` // of the header, see Format

	Machine string    `json:"machine,omitempty"` // the machine of the file
	Folder  string    `json:"folder,omitempty"`  // the source there, as an absolute path with forward slashes
	Path    string    `json:"path,omitempty"`    // in the source
	Escaped bool      `json:"escaped,omitempty"` // the path is not UTF-8 and is written in base64
	Beside  bool      `json:"beside,omitempty"`  // not a session, but a file in the folder around them
	Time    time.Time `json:"time,omitzero"`     // when it was archived
	Mod     int64     `json:"mod,omitempty"`     // modification time in nanoseconds since 1970
	Changed int64     `json:"changed,omitempty"` // see fingerprint.Stamp
	Inode   uint64    `json:"inode,omitempty"`
	Size    int64     `json:"size,omitempty"` // in bytes
	Sum     Sum       `json:"sum,omitzero"`   // of the content
	Head    string    `json:"head,omitempty"` // see HeadOf
	Parts   []Part    `json:"parts,omitempty"`
	Frames  []Frame   `json:"frames,omitempty"` // that were written for this version
}

// Format is the format of archives that this program writes.
const Format = "1"

// A Part is a range of the content of a stream.
type Part struct {
	Stream string `json:"s"`
	From   int64  `json:"f,omitempty"` // in the unpacked content
	To     int64  `json:"t"`
}

// A Frame is a packed piece of the content of a stream.
type Frame struct {
	Stream string `json:"s"`
	At     int64  `json:"at,omitempty"` // in the file
	Packed int64  `json:"p"`            // size in the file in bytes, including the sums of the lines
	From   int64  `json:"f,omitempty"`  // in the unpacked content
	To     int64  `json:"t"`
	Lines  int64  `json:"l,omitempty"`  // number of line feeds in it
	Sum    Sum    `json:"sum,omitzero"` // of the content; left out if it equals the sum of the whole version
	Checks string `json:"c,omitempty"`  // half of the SHA-256 of the sums of its lines
}

// IsFile reports whether a record is a version of a file.
func (r *Record) IsFile() bool { return r.Path != "" }

// A Key identifies a file. All its versions have the same key.
type Key struct{ Machine, Folder, Path string }

// Key returns the key of the file of a record.
func (r *Record) Key() Key { return Key{r.Machine, r.Folder, r.Path} }

// Name returns the file for people: its machine and its path there.
func (k Key) Name() string {
	return k.Machine + "/" + strings.TrimPrefix(k.Folder, "/") + "/" + k.Path
}

// A Chain hashes records in their order.
type Chain struct {
	Records int
	Last    Sum // the hash of the last one
}

// Append returns a manifest with one more line.
func (c *Chain) Append(manifest []byte, r Record) []byte {
	r.setPath(r.Path)
	data, err := json.Marshal(r)
	if err != nil { // all fields of a record can be encoded
		panic(err)
	}
	c.next(data)
	manifest = append(append(manifest, c.Last.String()...), ' ')
	return append(append(manifest, data...), '\n')
}

func (r *Record) setPath(p string) {
	if r.Path = p; !utf8.ValidString(p) {
		r.Path, r.Escaped = encoding.EncodeToString([]byte(p)), true
	}
}

func (c *Chain) next(record []byte) {
	h := sha256.New()
	h.Write(c.Last[:])
	h.Write(record)
	h.Sum(c.Last[:0])
	c.Records++
}

// Errors of a line of a manifest.
var (
	ErrChain  = errors.New("it does not follow from the lines before it")
	ErrRecord = errors.New("not a record")
)

// Read reads the next line, without its end. A record with ErrChain counts: only its place in the manifest is in doubt.
func (c *Chain) Read(line []byte) (Record, error) {
	var r Record
	text, data, ok := bytes.Cut(line, []byte(" "))
	var said Sum
	if !ok || said.UnmarshalText(text) != nil || json.Unmarshal(data, &r) != nil || !r.valid() {
		c.Records++
		return Record{}, ErrRecord
	}
	c.next(data)
	if r.Escaped {
		p, err := encoding.DecodeString(r.Path)
		if err != nil {
			return Record{}, ErrRecord
		}
		r.Path, r.Escaped = string(p), false
	}
	if r.Format == "" && !isPath(r.Path) {
		return Record{}, ErrRecord
	}
	if c.Last != said {
		c.Last = said // later records are checked independently of this one
		return r, ErrChain
	}
	return r, nil
}

// valid reports whether a record names nothing outside of the archive and has sizes that are possible. Its parts are
// disjoint, as no version has the same bytes of a stream twice: otherwise a short record could claim any size.
func (r *Record) valid() bool {
	if r.Format != "" {
		return true
	}
	if r.Path == "" || r.Machine == "" || len(r.Machine)+len(r.Folder)+len(r.Path) > maxName {
		return false
	}
	size := int64(0)
	for _, p := range r.Parts {
		if !isStream(p.Stream) || p.From < 0 || p.To <= p.From {
			return false
		}
		size += p.To - p.From
	}
	for i := range r.Frames {
		f := &r.Frames[i]
		if !f.valid() {
			return false
		}
		if f.Sum == (Sum{}) {
			f.Sum = r.Sum
		}
	}
	return size == r.Size && disjoint(r.Parts)
}

// maxName is more than a path can have in bytes. The cost of its folders grows with the square of its length.
const maxName = 8 << 10

// disjoint reports whether no two parts have bytes in common.
func disjoint(parts []Part) bool {
	if len(parts) < 2 {
		return true
	}
	parts = slices.SortedFunc(slices.Values(parts), func(a, b Part) int {
		return cmp.Or(cmp.Compare(a.Stream, b.Stream), cmp.Compare(a.From, b.From))
	})
	for i, p := range parts[1:] {
		if before := parts[i]; before.Stream == p.Stream && before.To > p.From {
			return false
		}
	}
	return true
}

// valid reports whether a frame has content, and sizes that one can have.
func (f *Frame) valid() bool {
	size := f.To - f.From
	return isStream(f.Stream) && f.At >= 0 && f.Packed > 0 && f.Packed <= maxPacked &&
		f.From >= 0 && f.To > f.From && size <= FrameSize && f.Lines >= 0 && f.Lines <= size
}

// isPath reports whether a path stays in its folder. It may have bytes that are not UTF-8.
func isPath(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// StreamSize is the length of the name of a stream without the suffix for streams with the same beginning.
const StreamSize = 20

func isStream(name string) bool {
	return len(name) >= StreamSize && len(name) < 2*StreamSize && strings.Trim(name, "0123456789abcdef-") == ""
}

// StreamName returns the name of the nth stream that begins with a frame of this content.
func StreamName(first Sum, n int) string {
	name := fmt.Sprintf("%x", first[:StreamSize/2])
	if n > 0 {
		name += fmt.Sprintf("-%d", n)
	}
	return name
}

// StreamPath returns the path of the file of a stream.
func StreamPath(stream string) string { return DataDir + "/" + stream[:2] + "/" + stream + ".zst" }

// headSize is how many bytes of two contents are compared to tell whether they may have a common beginning.
const headSize = 512

// HeadOf returns a digest of the beginning of a content, "" for a short one. Contents with the same beginning may share
// more.
func HeadOf(content []byte) string {
	if len(content) < headSize {
		return ""
	}
	sum := sha256.Sum256(content[:headSize])
	return encoding.EncodeToString(sum[:9])
}
