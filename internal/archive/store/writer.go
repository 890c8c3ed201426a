package store

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"time"

	"viewer/internal/archive"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

// A Writer adds to an archive. It has it alone.
type Writer struct {
	*Archive
	Written int64 // bytes of frames and records

	lock    *os.File
	lines   []byte          // of the manifest, that are not written yet
	changed map[string]bool // files with frames that may not be on the disk yet
	waiting int64           // bytes in them
}

// flushSize is how much is packed between two writes of the manifest, in bytes: what a killed run does again.
const flushSize = 16 << 20

// ErrBusy matches the error that another process has the archive.
var ErrBusy = errors.New("another viewer archives into")

// Create opens an archive to add to it, and makes it where there is none. Two cannot do that at a time.
func Create(dir string) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil { // sessions hold what nobody else is to read
		return nil, failure.New(fmt.Errorf("creating %s: %w", dir, failure.Cause(err)),
			"use -o to choose another folder")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, failure.New(fmt.Errorf("opening %s: %w", dir, failure.Cause(err)),
			"use -o to choose another folder")
	}
	w := &Writer{Archive: &Archive{name: dir, root: root}, changed: make(map[string]bool)}
	if err := w.open(); err != nil {
		w.release()
		return nil, err
	}
	return w, nil
}

func (w *Writer) open() error {
	if err := w.check(); err != nil {
		return err
	}
	var err error
	if w.lock, err = w.root.OpenFile(archive.LockName, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return failure.New(w.failed("opening", archive.LockName, err), "check that the folder can be written to")
	}
	if output.TryLock(w.lock) != nil {
		return failure.New(fmt.Errorf("%w %s", ErrBusy, w.name), "wait for it, and run this again")
	}
	if _, err := w.root.Stat(archive.ManifestName); errors.Is(err, fs.ErrNotExist) {
		w.Index = archive.NewIndex()
		w.lines = w.Chain.Append(nil, archive.Record{Format: archive.Format})
		return nil
	}
	if err := w.read(); err != nil {
		return err
	}
	if w.Size == 0 { // not even the first line was written
		w.lines = w.Chain.Append(nil, archive.Record{Format: archive.Format})
	}
	if len(w.Faults) > 0 {
		f := w.Faults[0]
		err := fmt.Errorf("reading %s/%s:%d: %w", w.name, archive.ManifestName, f.Line, f.Err)
		return failure.New(err, "nothing was changed; viewer archive verify says more, and -o another archive")
	}
	return nil
}

// check refuses a folder that holds something else.
func (w *Writer) check() error {
	if _, err := w.root.Stat(archive.ManifestName); err == nil {
		return nil
	}
	entries, err := fs.ReadDir(w.root.FS(), ".")
	if err != nil {
		return failure.New(fmt.Errorf("reading %s: %w", w.name, failure.Cause(err)), "use -o to choose another folder")
	}
	for _, e := range entries {
		switch e.Name() {
		case archive.LockName, archive.DataDir: // of a run that ended before it had written anything
		default:
			return failure.New(fmt.Errorf("%s holds other files", w.name), "use -o to choose another folder")
		}
	}
	return nil
}

// Close writes what is left.
func (w *Writer) Close() error { return errors.Join(w.Flush(), w.release()) }

func (w *Writer) release() error {
	if w.lock != nil {
		w.lock.Close()
	}
	return w.root.Close()
}

// Flush writes the records of what was added: first the frames are on the disk, then the manifest.
func (w *Writer) Flush() error {
	if len(w.lines) == 0 {
		return nil
	}
	dirs := make(map[string]bool)
	for name := range w.changed {
		if err := w.sync(name); err != nil {
			return w.unwritten(name, err)
		}
		dirs[path.Dir(name)] = true
	}
	clear(w.changed)
	w.waiting = 0
	for dir := range dirs {
		_ = w.sync(dir) // not all systems can
	}
	if err := w.append(archive.ManifestName, w.Size, w.lines); err != nil {
		return w.unwritten(archive.ManifestName, err)
	}
	w.Size += int64(len(w.lines))
	w.Written += int64(len(w.lines))
	w.lines = nil
	if err := w.sync(archive.ManifestName); err != nil {
		return w.unwritten(archive.ManifestName, err)
	}
	return nil
}

func (w *Writer) sync(name string) error {
	flag := os.O_RDWR
	if info, err := w.root.Stat(name); err == nil && info.IsDir() {
		flag = os.O_RDONLY
	}
	f, err := w.root.OpenFile(name, flag, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

func (w *Writer) unwritten(name string, err error) error {
	hint := "nothing that was archived is lost; run it again"
	if failure.Full(err) {
		hint = "make room; nothing that was archived is lost, and the next run goes on"
	}
	return failure.New(w.failed("writing", name, err), hint)
}

// append writes behind the first so many bytes of a file. What lies there was left by a run that did not end.
func (w *Writer) append(name string, at int64, data []byte) error {
	f, err := w.root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Size() < at {
		err = errors.New("it is shorter than it was")
	}
	if err == nil && info.Size() > at {
		err = f.Truncate(at)
	}
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(data, at); err != nil {
		_ = f.Truncate(at) // else the next run does it
		return err
	}
	return nil
}

// A File is one to archive.
type File struct {
	archive.Key
	fingerprint.Stamp      // whose size is how much of it is read
	Beside            bool // see archive.Record
	Open              func() (io.ReadCloser, error)
}

// A Result is what became of a file.
type Result int

const (
	Unchanged Result = iota
	Added            // the first version
	Appended         // the version before goes on
	Copied           // all of it was there already, in another file
	Rewritten        // the version before was another one, and is kept
	Shortened        // the version before was longer, and is kept
)

// An ErrRead says that a file could not be read; the archive is as it was.
type ErrRead struct{ Err error }

func (e *ErrRead) Error() string { return failure.Cause(e.Err).Error() }
func (e *ErrRead) Unwrap() error { return e.Err }

// Add archives a file as it is now.
func (w *Writer) Add(f File, now time.Time) (Result, error) {
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
		Machine: f.Machine, Folder: f.Folder, Path: f.Path, Time: now.UTC(),
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
	default:
		err = b.replace(f, s)
	}
	if err != nil {
		return 0, err
	}
	return w.result(last, r, s, copied), w.record(r)
}

func (w *Writer) result(last, r *archive.Record, s surveyed, copied bool) Result {
	switch {
	case last == nil && copied:
		return Copied
	case last == nil:
		return Added
	case s.matches[last.Sum]:
		return Appended
	case s.longer != nil && s.longer.Sum == last.Sum || r.Size < last.Size:
		return Shortened
	}
	return Rewritten
}

// record notes a version.
func (w *Writer) record(r *archive.Record) error {
	for i := range r.Frames {
		f := r.Frames[i]
		w.changed[archive.StreamPath(f.Stream)] = true
		w.waiting += f.Packed
		w.Written += f.Packed
	}
	if err := w.Index.Add(r); err != nil {
		return err
	}
	line := *r
	line.Frames = slices.Clone(r.Frames)
	for i := range line.Frames {
		if line.Frames[i].Sum == r.Sum {
			line.Frames[i].Sum = archive.Sum{}
		}
	}
	w.lines = w.Chain.Append(w.lines, line)
	if w.waiting+int64(len(w.lines)) > flushSize || len(w.changed) > 256 {
		return w.Flush()
	}
	return nil
}

// A surveyed is what is known of a file that was read once.
type surveyed struct {
	head    string
	size    int64
	sum     archive.Sum
	alike   []*archive.Record
	matches map[archive.Sum]bool // versions that the file begins with
	base    *archive.Record      // the longest of them
	state   []byte               // of the hash behind it
	longer  *archive.Record      // begins with the file
}

// survey reads a file and finds the versions that it goes on from.
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
	if err != nil { // that of the standard library can
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
	at, unpacked int64  // where it ends
}

func (b *builder) begin(stream string) {
	if s := b.w.Streams[stream]; s != nil {
		b.stream, b.at, b.unpacked = stream, s.Packed, s.Size
	}
}

// append writes what stands behind the version that the file goes on from.
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

// rest writes all of a reader.
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

// end settles what the version is: the file may have been changed since it was surveyed.
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
		if err := b.w.root.MkdirAll(path.Dir(archive.StreamPath(b.stream)), 0o700); err != nil {
			return b.w.unwritten(archive.StreamPath(b.stream), err)
		}
	}
	f.Stream, f.At = b.stream, b.at
	f.From, f.To = b.unpacked, b.unpacked+f.To
	if err := b.w.append(archive.StreamPath(b.stream), b.at, packed); err != nil {
		return b.w.unwritten(archive.StreamPath(b.stream), err)
	}
	b.at, b.unpacked = b.at+f.Packed, f.To
	b.record.Frames = append(b.record.Frames, f)
	b.record.Parts = archive.Join(b.record.Parts, archive.Part{Stream: b.stream, From: f.From, To: f.To})
	b.size += int64(len(content))
	return nil
}

// blockSize is how much of two versions is compared at a time, in bytes; leastShared is what the beginning of a block
// has to have in common to be shared.
const (
	blockSize   = 64 << 10
	leastShared = 1 << 10
)

// replace writes a version of a file that was rewritten, or one that begins as another does: what both have at the same
// places is shared.
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

// share writes what a reader has, but for what a version has at the same places.
func (b *builder) share(from io.Reader, known *archive.Record) error {
	old := b.w.Content(known)
	defer old.Close()
	block, before := make([]byte, blockSize), make([]byte, blockSize)
	var waiting []byte // to be written
	for at := int64(0); ; {
		n, err := io.ReadFull(from, block)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return &ErrRead{err}
		}
		b.hash.Write(block[:n])
		m, damaged := old.ReadAt(before, at)
		if damaged != nil && damaged != io.EOF {
			m = 0 // what cannot be read is not shared
		}
		shared := alike(block[:n], before[:m])
		if shared < n && shared < leastShared {
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

// alike is how many bytes are the same at the beginning.
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
