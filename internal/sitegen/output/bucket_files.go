package output

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"viewer/internal/failure"
	"viewer/internal/storage"
)

// bucketFiles are the files of a site in a bucket. Each is an object that is written as a whole. Pages are uploaded in
// parallel, but all uploads finish before a page that links to them or a file of the state is written.
type bucketFiles struct {
	*bucketState
	dir string // with a slash at the end, "" for the site itself
}

// A bucketState is shared by the folders of a site in a bucket.
type bucketState struct {
	ctx    context.Context
	bucket storage.LargeBucket
	name   string // for messages

	mu      sync.Mutex
	written map[string]*objectBuffer // under temporary names
	spool   Spool                    // files that this build reads again
	spans   map[string]Span          // by name
	puts    *errgroup.Group          // unfinished uploads
	failed  error                    // the first error

	isNew   bool              // there was no object below the prefix
	marks   bool              // see markBegun
	marking sync.Once         // the same
	begun   bool              // there may be a journal to remove
	left    map[string]string // checksums of objects from a build that was stopped, by name
}

// maxParallel limits the parallel uploads. An upload takes much longer than drawing a page.
const maxParallel = 32

// OpenBucket opens a site in a bucket, with the checks of CheckDir.
func OpenBucket(ctx context.Context, address string, force bool) (*Writer, error) {
	b, err := storage.OpenBucket(ctx, address)
	if err != nil {
		return nil, err
	}
	f := &bucketFiles{bucketState: &bucketState{
		ctx: ctx, bucket: b, name: storage.Words(address),
		written: make(map[string]*objectBuffer), spans: make(map[string]Span),
	}}
	f.startPuts()
	w := &Writer{dir: f.name, root: f, bucket: f, manifest: new(Manifest)}
	if err := f.check(w.dir, force); err != nil {
		f.Close()
		return nil, err
	}
	return w, nil
}

// IsBucket reports whether the site is in a bucket.
func (w *Writer) IsBucket() bool { return w.bucket != nil }

// check returns an error unless a site may be written there.
func (b *bucketFiles) check(name string, force bool) error {
	b.isNew = true
	for _, prefix := range []string{StateDir + "/", ""} {
		for o, err := range b.bucket.List(b.ctx, prefix) {
			b.isNew = false
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return failure.New(fmt.Errorf("reading %s: no such bucket", name),
					"make it, or check its name and the endpoint")
			case err != nil:
				return storage.Failed(name, err)
			case prefix == "" && !force && o.Name != "":
				return failure.New(fmt.Errorf("%s contains objects that viewer did not create", name),
					"use -o to choose another prefix, or --force to build into this one")
			}
			return nil
		}
	}
	return nil
}

// BeginWhole prepares a build of a whole site in a bucket, after Adopt. It continues one that was stopped.
func (w *Writer) BeginWhole() {
	if b := w.bucket; b != nil && len(w.manifest.Files) == 0 {
		b.begun = true
		if b.marks = b.isNew; !b.isNew {
			b.listLeft()
		}
	}
}

// markBegun writes an empty journal before the first object of a new site, so that the next build recognizes the site
// if this one is stopped.
func (b *bucketState) markBegun() (err error) {
	if b.marks {
		b.marking.Do(func() { err = b.putNow(journalName, nil, storage.PutOptions{}) })
	}
	return err
}

// listLeft lists objects of a build that was stopped before it wrote a state. Of a large site it lists only some.
func (b *bucketState) listLeft() {
	b.left = make(map[string]string)
	for o, err := range b.bucket.List(b.ctx, "") {
		if err != nil || len(b.left) == maxLeft {
			return
		}
		if len(o.MD5) > 0 && !strings.HasPrefix(o.Name, StateDir+"/") {
			b.left[o.Name] = string(o.MD5)
		}
	}
}

// maxLeft limits the number of checksums in memory.
const maxLeft = 100_000

func (b *bucketState) startPuts() {
	b.puts = new(errgroup.Group)
	b.puts.SetLimit(maxParallel)
}

// flush waits for unfinished uploads.
func (b *bucketState) flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.puts.Wait(); err != nil && b.failed == nil {
		b.failed = err
	}
	b.startPuts()
	return b.failed
}

// CallsName is the name of the file of each session that a build with tables reads again.
const CallsName = "calls.rows"

// put writes an object, in the background if possible.
func (b *bucketState) put(name string, data *objectBuffer) error {
	do := func() error {
		defer data.free()
		o := storage.PutOptions{Type: storage.TypeOf(name), Cache: storage.CacheOf(name)}
		if data.file == nil {
			return b.putNow(name, data.buffer.Bytes(), o)
		}
		return b.hinted(name, b.bucket.PutFile(b.ctx, name, data.file.File, o))
	}
	isRead := strings.HasPrefix(name, StateDir+"/search/") || path.Base(name) == CallsName
	if isRead && data.file == nil {
		span, err := b.spool.Put(data.buffer.Bytes())
		if err != nil {
			return err
		}
		b.mu.Lock()
		b.spans[name] = span
		b.mu.Unlock()
	}
	ofState := strings.HasPrefix(name, StateDir+"/") && !strings.HasPrefix(name, StateDir+"/search/")
	if name != "index.html" && !ofState {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.puts.Go(do)
		return b.failed
	}
	if err := b.flush(); err != nil {
		return err
	}
	return do()
}

func (b *bucketState) putNow(name string, data []byte, o storage.PutOptions) error {
	return b.hinted(name, b.bucket.Put(b.ctx, name, data, o))
}

// hinted wraps an error from writing an object.
func (b *bucketState) hinted(name string, err error) error {
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	hint := "run it again: the earlier files are kept, and finished work is not repeated"
	if known, ok := errors.AsType[*failure.Error](err); ok {
		err, hint = known.Err, known.Hint
	}
	return failure.New(fmt.Errorf("writing %s/%s: %w", b.name, name, failure.Cause(err)), hint)
}

func (b *bucketFiles) full(name string) string { return path.Clean(b.dir + name) }

func (b *bucketFiles) ReadFile(name string) ([]byte, error) {
	b.mu.Lock()
	span, ok := b.spans[b.full(name)]
	b.mu.Unlock()
	if ok {
		return b.spool.Get(span)
	}
	if err := b.flush(); err != nil {
		return nil, err
	}
	return b.get(b.full(name))
}

func (b *bucketState) get(name string) ([]byte, error) {
	return fs.ReadFile(storage.Files{Bucket: b.bucket, Context: b.ctx}, name)
}

// Open returns a temporary copy of an object.
func (b *bucketFiles) Open(name string) (OpenedFile, error) {
	if err := b.flush(); err != nil {
		return nil, err
	}
	from, err := storage.Files{Bucket: b.bucket, Context: b.ctx}.Open(b.full(name))
	if err != nil {
		return nil, err
	}
	defer from.Close()
	f, err := newTempFile()
	if err != nil {
		return nil, BufferError(name, err)
	}
	if _, err = io.Copy(f, from); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// An objectBuffer collects the bytes of an object until it is written: in memory, and in a temporary file if there are
// many, as in the state of a large site.
type objectBuffer struct {
	buffer bytes.Buffer
	file   *tempFile // nil while memory is enough
	size   int64
}

// objectMemory is how many bytes of an object are kept in memory.
const objectMemory = 8 << 20

func (o *objectBuffer) Write(data []byte) (n int, err error) {
	if o.file == nil && o.buffer.Len()+len(data) > objectMemory {
		if err := o.open(); err != nil {
			return 0, BufferError("an object", err)
		}
	}
	if o.file == nil {
		n, err = o.buffer.Write(data)
	} else if n, err = o.file.Write(data); err != nil {
		err = BufferError("an object", err)
	}
	o.size += int64(n)
	return n, err
}

// open moves what is in memory to a file.
func (o *objectBuffer) open() error {
	f, err := newTempFile()
	if err != nil {
		return err
	}
	o.file = f
	_, err = o.buffer.WriteTo(f)
	o.buffer = bytes.Buffer{}
	return err
}

// free removes the file.
func (o *objectBuffer) free() {
	if o.file != nil {
		o.file.Close()
	}
}

func (o *objectBuffer) Close() error { return nil }

func (b *bucketFiles) OpenFile(name string, _ int, _ fs.FileMode) (io.WriteCloser, error) {
	o := new(objectBuffer)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.written[b.full(name)] = o
	return o, b.failed
}

// OpenLock fails, because buckets have no locks.
func (b *bucketFiles) OpenLock(string) (*os.File, error) { return nil, errors.ErrUnsupported }

// Lstat describes an object, even if it is not uploaded yet. It reports no time, so that the manifest does not depend
// on the time of the upload.
func (b *bucketFiles) Lstat(name string) (fs.FileInfo, error) {
	full := b.full(name)
	b.mu.Lock()
	o := b.written[full]
	b.mu.Unlock()
	if o != nil {
		return timeless{storage.Info{Object: storage.Object{Name: full, Size: o.size}}}, nil
	}
	object, err := b.bucket.Stat(b.ctx, full)
	if err != nil {
		return nil, err
	}
	return timeless{storage.Info{Object: object}}, nil
}

type timeless struct{ storage.Info }

func (timeless) ModTime() time.Time { return time.Unix(0, 0) }

func (b *bucketFiles) Rename(from, to string) error {
	b.mu.Lock()
	o := b.written[b.full(from)]
	delete(b.written, b.full(from))
	b.mu.Unlock()
	if o == nil {
		return &fs.PathError{Op: "put", Path: b.full(to), Err: fs.ErrNotExist}
	}
	return b.put(b.full(to), o)
}

func (b *bucketFiles) Remove(name string) error {
	full := b.full(name)
	b.mu.Lock()
	temporary := b.written[full]
	delete(b.written, full)
	b.mu.Unlock()
	if temporary != nil {
		temporary.free()
		return nil
	}
	if err := b.flush(); err != nil {
		return err
	}
	return b.bucket.Delete(b.ctx, full)
}

func (b *bucketFiles) RemoveAll(name string) error {
	if err := b.flush(); err != nil {
		return err
	}
	var group errgroup.Group
	group.SetLimit(maxParallel)
	for o, err := range b.bucket.List(b.ctx, b.full(name)+"/") {
		if err != nil {
			return errors.Join(err, group.Wait())
		}
		group.Go(func() error { return b.bucket.Delete(b.ctx, o.Name) })
	}
	return group.Wait()
}

func (b *bucketFiles) MkdirAll(string, fs.FileMode) error { return nil }

func (b *bucketFiles) OpenFolder(name string) (files, error) {
	return &bucketFiles{b.bucketState, b.full(name) + "/"}, nil
}

// Close waits for unfinished uploads. Only the site itself closes the bucket.
func (b *bucketFiles) Close() error {
	if b.dir != "" {
		return nil
	}
	b.spool.Close()
	return errors.Join(b.flush(), b.bucket.Close())
}

// ReadDir lists a folder.
func (b *bucketFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := b.flush(); err != nil {
		return nil, err
	}
	prefix := b.full(name) + "/"
	var entries []fs.DirEntry
	last := ""
	for o, err := range b.bucket.List(b.ctx, prefix) {
		if err != nil {
			return nil, err
		}
		first, rest, inside := strings.Cut(strings.TrimPrefix(o.Name, prefix), "/")
		if inside && rest != "" {
			o.Name = prefix + first
		}
		if first != last && first != "" {
			entries = append(entries, objectEntry{storage.Info{Object: o}, inside})
		}
		last = first
	}
	return entries, nil
}

// An objectEntry is an object, or a prefix of several.
type objectEntry struct {
	object storage.Info
	folder bool
}

func (e objectEntry) Name() string { return e.object.Name() }

func (e objectEntry) IsDir() bool { return e.folder }
func (e objectEntry) Type() fs.FileMode {
	if e.folder {
		return fs.ModeDir
	}
	return 0
}
func (e objectEntry) Info() (fs.FileInfo, error) { return e.object, nil }

// objectPieces is a file that is appended to. It is stored as several objects.
type objectPieces struct {
	files  *bucketFiles
	name   string
	buffer bytes.Buffer
	n      int
}

// pieceSize is the maximum size of data that is lost if a shard is killed: the entries of about a hundred sessions.
const pieceSize = 256 << 10

func (p *objectPieces) Write(data []byte) (int, error) {
	p.buffer.Write(data)
	if p.buffer.Len() < pieceSize {
		return len(data), nil
	}
	return len(data), p.Close()
}

// Close writes the last object.
func (p *objectPieces) Close() error {
	if p.buffer.Len() == 0 {
		return nil
	}
	if err := p.files.flush(); err != nil { // its references exist now
		return err
	}
	p.n++
	err := p.files.putNow(fmt.Sprintf("%s-%05d", p.name, p.n), p.buffer.Bytes(), storage.PutOptions{})
	p.buffer.Reset()
	return err
}

// holdingObject returns the description of an object that holds these bytes, else nil. It only checks objects that the
// site had before.
func (d *DirWriter) holdingObject(name string, data []byte) fs.FileInfo {
	if left, ok := d.bucket.left[d.dir+name]; ok {
		if sum := md5.Sum(data); left != string(sum[:]) {
			return nil
		}
		return timeless{storage.Info{Object: storage.Object{Name: d.dir + name, Size: int64(len(data))}}}
	}
	d.mu.Lock()
	known := d.manifest.find(d.dir + name)
	there := known != nil && known.Size == int64(len(data))
	d.mu.Unlock()
	if !there {
		return nil
	}
	o, err := d.bucket.bucket.Stat(d.bucket.ctx, d.dir+name)
	sum := md5.Sum(data)
	if err != nil || o.Size != int64(len(data)) || !bytes.Equal(o.MD5, sum[:]) {
		return nil
	}
	return timeless{storage.Info{Object: o}}
}

// WriteIfAbsent writes a file that no page needs, unless it exists: then the error is fs.ErrExist. This is atomic in a
// bucket. A folder is locked.
func (w *Writer) WriteIfAbsent(name string, data []byte) error {
	if w.bucket == nil {
		return w.Top().WriteUnlisted(name, data)
	}
	if err := w.bucket.flush(); err != nil {
		return failed(w.path(name), err)
	}
	own := make([]byte, 8)
	rand.Read(own) // so that a retry after a lost answer recognizes its own object
	data = fmt.Appendf(data, "%x\n", own)
	err := w.bucket.putNow(name, data, storage.PutOptions{IfAbsent: true})
	if errors.Is(err, fs.ErrExist) {
		if there, failed := w.bucket.get(name); failed == nil && bytes.Equal(there, data) {
			return nil
		}
	}
	return err
}
