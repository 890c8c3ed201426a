package store

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"slices"
	"time"

	"viewer/internal/archive"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/storage"
)

// A Writer adds to an archive. A folder has one writer at a time. A bucket may have several, of which each adds after
// the others.
type Writer struct {
	*Archive
	Written int64 // bytes of frames and records

	lines   []byte    // of the manifest, that are not written yet
	pending []pending // the versions in these lines
	waiting int64     // bytes in their frames
	group   group     // versions that are not packed yet
}

// A pending is a version that is not in the manifest yet.
type pending struct {
	file   File
	record *archive.Record
}

// flushSize is how many bytes are packed between two writes of the manifest. A run that is killed loses at most these.
const flushSize = 4 << 20

// ErrBusy is the error that another process is writing to the archive.
var ErrBusy = errors.New("another viewer archives into")

// Create opens an archive to add to it, and creates it if it does not exist.
func Create(ctx context.Context, name string) (*Writer, error) {
	name = storage.Folder(name)
	place, err := makePlace(ctx, name)
	if err != nil {
		return nil, err
	}
	w := &Writer{Archive: &Archive{name: name, place: place}}
	if err := w.open(); err != nil {
		place.close()
		return nil, err
	}
	return w, nil
}

func (w *Writer) open() error {
	if is, err := w.place.exists(); err != nil {
		return w.unread(err)
	} else if !is {
		if err := w.refuseForeign(); err != nil {
			return err
		}
	}
	switch err := w.place.lock(); {
	case errors.Is(err, ErrBusy):
		return failure.New(fmt.Errorf("%w %s", ErrBusy, w.name), "wait for it, and run this again")
	case err != nil:
		return failure.New(w.failed("opening", archive.LockName, err), "check that the folder can be written to")
	}
	return w.begin()
}

// begin reads the manifest, or starts one.
func (w *Writer) begin() error {
	is, err := w.place.exists()
	switch {
	case err != nil:
		return w.unread(err)
	case !is:
		w.Index = archive.NewIndex()
	default:
		if err := w.read(); err != nil {
			return err
		}
	}
	if w.Size == 0 { // not even the first line was written
		w.lines = w.Chain.Append(nil, archive.Record{Format: archive.Format})
	}
	if len(w.Faults) > 0 {
		f := w.Faults[0]
		err := fmt.Errorf("reading %s:%d: %w", w.path(archive.ManifestName), f.Line, f.Err)
		return failure.New(err, "nothing was changed; viewer archive verify shows more, -o chooses another archive")
	}
	return nil
}

// unread returns the error that a place cannot be read.
func (w *Writer) unread(err error) error {
	if _, known := errors.AsType[*failure.Error](err); known {
		return storage.Failed(w.name, err)
	}
	return failure.New(fmt.Errorf("reading %s: %w", storage.Words(w.name), failure.Cause(err)),
		"use -o to choose another folder")
}

// refuseForeign refuses a folder that holds something else.
func (w *Writer) refuseForeign() error {
	name, err := w.place.foreign()
	switch {
	case err != nil:
		return w.unread(err)
	case name != "":
		return failure.New(fmt.Errorf("%s contains other files", storage.Words(w.name)),
			"use -o to choose another folder")
	}
	return nil
}

// Close writes what is left.
func (w *Writer) Close() error { return errors.Join(w.Flush(), w.place.close()) }

// Flush writes the records of what was added: first the frames are on the disk, then the manifest.
func (w *Writer) Flush() error {
	for {
		if err := w.endGroup(); err != nil {
			return err
		}
		if len(w.lines) == 0 {
			return nil
		}
		if err := w.place.flush(); err != nil {
			return w.unwritten(archive.DataDir, err)
		}
		err := w.place.extendManifest(w.Size, w.lines)
		if errors.Is(err, errRaced) {
			if err := w.rebase(); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return w.unwritten(archive.ManifestName, err)
		}
		w.Size += int64(len(w.lines))
		w.Written += int64(len(w.lines))
		w.lines, w.pending, w.waiting = nil, nil, 0
	}
}

// rebase moves records that are not written yet after those that another writer has added. Versions whose frames no
// longer continue their streams are made again.
func (w *Writer) rebase() error {
	again := w.pending
	w.lines, w.pending, w.waiting = nil, nil, 0
	if err := w.begin(); err != nil {
		return err
	}
	for _, p := range again {
		r := p.record
		if same := w.WithSum(r.Sum); same != nil && len(r.Frames) > 0 {
			r.Parts, r.Frames = same.Parts, nil
		}
		var err error
		if w.Fits(r) == nil {
			err = w.record(p.file, r)
		} else {
			_, err = w.Add(p.file, r.Time)
		}
		if _, read := errors.AsType[*ErrRead](err); err != nil && !read {
			return err
		}
	}
	return nil
}

func (w *Writer) unwritten(name string, err error) error {
	hint := "nothing that was archived is lost; run it again"
	if failure.Full(err) {
		hint = "make room; nothing that was archived is lost, and the next run continues"
	}
	if known, ok := errors.AsType[*failure.Error](err); ok {
		err, hint = known.Err, known.Hint
	}
	if place, ok := errors.AsType[*fs.PathError](err); ok && name == archive.DataDir && place.Path != "" {
		name = place.Path
	}
	return failure.New(w.failed("writing", name, err), hint)
}

// A File is a file to archive.
type File struct {
	archive.Key
	fingerprint.Stamp      // its size is how much of the file is read
	Beside            bool // see archive.Record
	Open              func() (io.ReadCloser, error)
}

// A Result is what Add did with a file.
type Result int

const (
	Unchanged Result = iota
	Added            // the first version
	Appended         // it continues the version before
	Copied           // another file has the same content
	Rewritten        // it differs from the version before, which is kept
	Shortened        // it is shorter than the version before, which is kept
)

// An ErrRead reports that a file could not be read. The archive is unchanged.
type ErrRead struct{ Err error }

func (e *ErrRead) Error() string { return failure.Cause(e.Err).Error() }
func (e *ErrRead) Unwrap() error { return e.Err }

// Add archives the current content of a file.
func (w *Writer) Add(f File, now time.Time) (Result, error) {
	if w.group.keys[f.Key] {
		if err := w.endGroup(); err != nil {
			return 0, err
		}
	}
	last := w.Newest(f.Key)
	if last != nil && last.Size == f.Size && last.Mod == f.Mod && last.Changed == f.Changed && last.Inode == f.Inode {
		return Unchanged, nil
	}
	s, err := w.survey(f)
	if err != nil {
		return 0, &ErrRead{err}
	}
	if last != nil && last.Sum == s.sum {
		return Unchanged, nil
	}
	r := &archive.Record{
		Machine: f.Machine, Folder: f.Folder, Path: f.Path, Time: now.UTC().Truncate(time.Second),
		Mod: f.Mod, Changed: f.Changed, Inode: f.Inode,
		Size: s.size, Sum: s.sum, Head: s.head, Beside: f.Beside,
	}
	b := &builder{w: w, record: r}
	copied := false
	switch same := w.WithSum(s.sum); {
	case same != nil:
		r.Parts, copied = same.Parts, true
	case w.beginsLonger(&s):
		r.Parts, copied = archive.Slice(s.longer.Parts, 0, s.size), true
	case s.base != nil:
		err = b.append(f, s)
	case last == nil && len(s.alike) == 0 && s.size <= groupedSize:
		return w.addToGroup(f, r)
	default:
		err = b.replace(f, s)
	}
	if err != nil {
		return 0, err
	}
	return w.result(last, r, s, copied), w.record(f, r)
}

func (w *Writer) result(last, r *archive.Record, s surveyed, copied bool) Result {
	switch {
	case last == nil && copied:
		return Copied
	case last == nil:
		return Added
	case s.matches[last.Sum], last.Size == 0:
		return Appended
	case r.Size < last.Size:
		return Shortened
	}
	return Rewritten
}

// record adds the record of a version to the manifest.
func (w *Writer) record(file File, r *archive.Record) error {
	for i := range r.Frames {
		w.waiting += r.Frames[i].Packed
	}
	if err := w.Index.Add(r); err != nil {
		return err
	}
	w.pending = append(w.pending, pending{file, r})
	line := *r
	line.Frames = slices.Clone(r.Frames)
	for i := range line.Frames {
		if line.Frames[i].Sum == r.Sum {
			line.Frames[i].Sum = archive.Sum{}
		}
	}
	w.lines = w.Chain.Append(w.lines, line)
	if w.waiting+int64(len(w.lines)) > flushSize || len(w.pending) > maxPending {
		return w.Flush()
	}
	return nil
}

// maxPending is how many versions are added between two writes of the manifest.
const maxPending = 256

// A surveyed file was read once and compared with the archive.
type surveyed struct {
	head    string
	size    int64
	sum     archive.Sum
	alike   []*archive.Record
	matches map[archive.Sum]bool // versions that the file begins with
	base    *archive.Record      // the longest of them
	state   []byte               // of the hash after it
	longer  *archive.Record      // a version that begins with the file
}

// survey reads a file and finds the versions that it begins with.
func (w *Writer) survey(f File) (surveyed, error) {
	s := surveyed{matches: make(map[archive.Sum]bool)}
	file, err := f.Open()
	if err != nil {
		return s, err
	}
	defer file.Close()
	r := bufio.NewReaderSize(io.LimitReader(file, f.Size), 64<<10)
	begin, err := r.Peek(1 << 10)
	if err != nil && err != io.EOF {
		return s, err
	}
	s.head = archive.HeadOf(begin)
	s.alike = w.Alike(f.Key, s.head)
	h := sha256.New()
	for _, known := range s.alike {
		n, err := io.CopyN(h, r, known.Size-s.size)
		s.size += n
		if err == io.EOF {
			break
		}
		if err != nil {
			return s, err
		}
		if archive.Sum(h.Sum(nil)) == known.Sum {
			s.matches[known.Sum], s.base, s.state = true, known, stateOf(h)
		}
	}
	n, err := io.Copy(h, r)
	s.size += n
	s.sum = archive.Sum(h.Sum(nil))
	return s, err
}

func stateOf(h hash.Hash) []byte {
	state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil { // the hash of the standard library supports it
		panic(err)
	}
	return state
}

// beginsLonger finds a version that begins with all of the file.
func (w *Writer) beginsLonger(s *surveyed) bool {
	if s.size == 0 {
		return false
	}
	for _, known := range s.alike {
		if known.Size <= s.size {
			continue
		}
		c := w.Content(known)
		h := sha256.New()
		_, err := io.CopyN(h, c, s.size)
		c.Close()
		if err == nil && archive.Sum(h.Sum(nil)) == s.sum {
			s.longer = known
			return true
		}
	}
	return false
}

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
