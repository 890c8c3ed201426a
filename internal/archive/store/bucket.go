package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"viewer/internal/archive"
	"viewer/internal/failure"
	"viewer/internal/storage"
)

// A bucket is an archive below the prefix of a bucket. Objects are never changed or removed:
//
//	data/ab/abcd0123456789/000000000000-SIZE-SUM  a frame: the objects of a stream in order are its file
//	viewer-archive/000000000000                   a piece of the manifest, named by the offset where it begins
//	viewer-archive/000000000000-000000012345      several pieces in one object, so that fewer are read
//
// A piece is only written if there is none at its offset. So one of two writers wins, and the other one adds its
// records behind those of the first, see Writer.rebase. The name of a frame has the hash of its content: two writers
// never write different bytes to one object.
type bucket struct {
	ctx    context.Context
	bucket storage.Bucket

	waiting map[string][]byte // frames that are not written yet
	pieces  []piece           // of the manifest, those that were read last

	mu     sync.Mutex
	recent map[string][]byte // frames that were read
	order  []string          // their names, the oldest first
	cached int               // bytes in them
}

// cacheSize limits the frames that are kept after reading, in bytes, because files are opened several times.
const cacheSize = 32 << 20

// maxParallel limits parallel requests.
const maxParallel = 32

// mergedPieces is how many pieces of a manifest become one object.
const mergedPieces = 64

const piecesDir = "viewer-archive"

// A piece is a part of the manifest.
type piece struct {
	name     string
	from, to int64 // to is 0 if the name does not say it
}

func pieceName(from int64) string { return fmt.Sprintf("%s/%012d", piecesDir, from) }

func parsePiece(name string) (p piece, ok bool) {
	p.name = name
	base := strings.TrimPrefix(name, piecesDir+"/")
	if n, err := fmt.Sscanf(base, "%d-%d", &p.from, &p.to); n == 0 || err != nil && n == 2 {
		return p, false
	}
	return p, name == pieceName(p.from) || name == pieceName(p.from)+fmt.Sprintf("-%012d", p.to)
}

func openBucket(ctx context.Context, address string) (*bucket, error) {
	b, err := storage.OpenBucket(ctx, address)
	if err != nil {
		return nil, err
	}
	return &bucket{ctx: ctx, bucket: b, waiting: make(map[string][]byte), recent: make(map[string][]byte)}, nil
}

func (b *bucket) objects() storage.Files { return storage.Files{Bucket: b.bucket, Context: b.ctx} }

func (b *bucket) get(name string) ([]byte, error) { return fs.ReadFile(b.objects(), name) }

func (b *bucket) exists() (bool, error) {
	_, err := b.bucket.Stat(b.ctx, pieceName(0))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// readManifest reads the pieces of the manifest. In place of a missing piece there is a line that is not a record.
func (b *bucket) readManifest() ([]byte, error) {
	var all []piece
	for o, err := range b.bucket.List(b.ctx, piecesDir+"/") {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, failure.New(errors.New("no such bucket"), "make it, or check its name and the endpoint")
		}
		if err != nil {
			return nil, err
		}
		if p, ok := parsePiece(o.Name); ok {
			p.to = p.from + o.Size
			all = append(all, p)
		}
	}
	b.pieces = cover(all)
	if len(b.pieces) == 0 {
		return nil, fs.ErrNotExist
	}
	texts := make([][]byte, len(b.pieces))
	at := int64(0)
	var reads errgroup.Group
	reads.SetLimit(maxParallel)
	for i, p := range b.pieces {
		before := ""
		if p.from > at {
			before = "a piece is missing\n"
		}
		at = p.to
		reads.Go(func() error {
			text, err := b.get(p.name)
			texts[i] = append([]byte(before), text...)
			return err
		})
	}
	err := reads.Wait()
	return bytes.Join(texts, nil), err
}

// cover chooses the fewest pieces that cover the manifest without gaps.
func cover(all []piece) []piece {
	slices.SortFunc(all, func(a, b piece) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var some []piece
	at := int64(0)
	for _, p := range all {
		if p.from >= at && p.to > p.from {
			some, at = append(some, p), p.to
		}
	}
	return some
}

func (b *bucket) extendManifest(at int64, data []byte) error {
	name := pieceName(at)
	err := b.bucket.Put(b.ctx, name, data, storage.PutOptions{Type: "application/x-ndjson", IfAbsent: true})
	if errors.Is(err, fs.ErrExist) {
		// If an answer was lost, the repeated request finds the object of the first one.
		if there, failed := b.get(name); failed != nil || !bytes.Equal(there, data) {
			return errRaced
		}
		err = nil
	}
	if err != nil {
		return err
	}
	b.pieces = append(b.pieces, piece{name, at, at + int64(len(data))})
	b.mergePieces()
	return nil
}

// mergePieces writes the last pieces as one object. It may fail: the pieces stay.
func (b *bucket) mergePieces() {
	n := len(b.pieces) - mergedPieces
	if n < 0 {
		return
	}
	last := b.pieces[n:]
	if slices.ContainsFunc(last, func(p piece) bool { return p.name != pieceName(p.from) }) {
		return
	}
	var text []byte
	for _, p := range last {
		data, err := b.get(p.name)
		if err != nil {
			return
		}
		text = append(text, data...)
	}
	from, to := last[0].from, last[len(last)-1].to
	name := pieceName(from) + fmt.Sprintf("-%012d", to)
	if int64(len(text)) != to-from || b.bucket.Put(b.ctx, name, text, storage.PutOptions{}) != nil {
		return
	}
	b.pieces = append(b.pieces[:n:n], piece{name, from, to})
}

func (b *bucket) frameFile(f *archive.Frame) string {
	dir := strings.TrimSuffix(archive.StreamPath(f.Stream), ".zst")
	return fmt.Sprintf("%s/%012d-%d-%x", dir, f.At, f.Packed, f.Sum[:6])
}

func (b *bucket) openStream(string) (stream, error) { return bucketStream{b}, nil }

type bucketStream struct{ *bucket }

func (s bucketStream) frame(f *archive.Frame) ([]byte, error) {
	name := s.frameFile(f)
	s.mu.Lock()
	packed, ok := s.waiting[name]
	if !ok {
		packed, ok = s.recent[name]
	}
	s.mu.Unlock()
	if ok {
		return packed, nil
	}
	object, err := s.objects().Open(name)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	packed, err = io.ReadAll(io.LimitReader(object, f.Packed)) // whatever the object has
	if err != nil {
		return nil, err
	}
	s.keep(name, packed)
	return packed, nil
}

// keep adds a frame to the cache.
func (b *bucket) keep(name string, packed []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.recent[name] != nil {
		return
	}
	b.recent[name] = packed
	b.order = append(b.order, name)
	for b.cached += len(packed); b.cached > cacheSize; b.order = b.order[1:] {
		b.cached -= len(b.recent[b.order[0]])
		delete(b.recent, b.order[0])
	}
}

func (s bucketStream) size() int64  { return 0 }
func (s bucketStream) close() error { return nil }

func (b *bucket) writeFrame(f *archive.Frame, packed []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting[b.frameFile(f)] = packed
	return nil
}

func (b *bucket) flush() error {
	var puts errgroup.Group
	puts.SetLimit(maxParallel)
	for name, packed := range b.waiting {
		puts.Go(func() error {
			return b.bucket.Put(b.ctx, name, packed, storage.PutOptions{Type: "application/zstd"})
		})
	}
	if err := puts.Wait(); err != nil {
		return err
	}
	clear(b.waiting)
	return nil
}

func (b *bucket) list(dir string) ([]string, error) {
	var names []string
	for o, err := range b.bucket.List(b.ctx, dir+"/") {
		if err != nil {
			return nil, err
		}
		names = append(names, o.Name)
	}
	return names, nil
}

func (b *bucket) read(name string) ([]byte, error) { return b.get(name) }

func (b *bucket) write(name string, data []byte) error {
	return b.bucket.Put(b.ctx, name, data, storage.PutOptions{})
}

func (b *bucket) foreign() (string, error) {
	for o, err := range b.bucket.List(b.ctx, "") {
		if errors.Is(err, fs.ErrNotExist) {
			return "", failure.New(errors.New("no such bucket"), "make it, or check its name and the endpoint")
		}
		if err != nil {
			return "", err
		}
		if !strings.HasPrefix(o.Name, archive.DataDir+"/") && o.Name != "" {
			return o.Name, nil
		}
	}
	return "", nil
}

// lock does nothing: buckets have no locks, see extendManifest.
func (b *bucket) lock() error { return nil }

func (b *bucket) close() error { return b.bucket.Close() }
