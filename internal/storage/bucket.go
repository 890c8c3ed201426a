package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"viewer/internal/failure"
)

// A Reader reads the objects of a bucket below a prefix. Names are given without the prefix. A missing object is
// fs.ErrNotExist.
type Reader interface {
	// List lists the objects whose names begin with prefix, sorted by the bytes of their names, page by page.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]
	// Open reads an object from an offset on; Object.Name is not set.
	Open(ctx context.Context, name string, offset int64) (io.ReadCloser, Object, error)
	// Stat describes an object.
	Stat(ctx context.Context, name string) (Object, error)
	Close() error
}

// A Writer writes objects, each as a whole or not at all.
type Writer interface {
	// Put writes an object. With IfAbsent the error is fs.ErrExist if it exists already.
	Put(ctx context.Context, name string, data []byte, o PutOptions) error
	// Delete removes an object. A missing object is not an error.
	Delete(ctx context.Context, name string) error
}

// A Bucket can be read and written.
type Bucket interface {
	Reader
	Writer
}

// A LargeBucket is a bucket of a provider: its objects may be too large for memory.
type LargeBucket interface {
	Bucket
	// PutFile writes an object, from the beginning of a file to its end.
	PutFile(ctx context.Context, name string, from io.ReadSeeker, o PutOptions) error
}

// PutOptions tell how to write an object.
type PutOptions struct {
	Type, Cache string // its Content-Type and Cache-Control, "" for the default of the provider
	IfAbsent    bool
}

// An Object describes an object.
type Object struct {
	Name     string
	Size     int64 // bytes
	Modified time.Time
	MD5      []byte // of its content, nil if the provider has none
}

// A Driver opens buckets.
type Driver func(ctx context.Context, address *url.URL) (LargeBucket, error)

var driver Driver // nil in a program that was built without drivers

// Register sets the driver. It must be called before main.
func Register(d Driver) struct{} {
	driver = d
	return struct{}{}
}

var schemes = []string{"s3://", "gs://", "azblob://"}

// IsAddress reports whether a name is the address of a bucket rather than a path.
func IsAddress(name string) bool {
	return slices.ContainsFunc(schemes, func(s string) bool { return strings.HasPrefix(name, s) })
}

// Folder returns the path of a file:// address, and any other name unchanged.
func Folder(name string) string {
	if rest, ok := strings.CutPrefix(name, "file://"); ok && strings.HasPrefix(rest, "/") {
		if u, err := url.Parse(name); err == nil && filepath.VolumeName(u.Path[1:]) != "" { // file:///C:/logs
			return u.Path[1:]
		} else if err == nil {
			return u.Path
		}
	}
	return name
}

// Words returns an address for messages, without the query and without a key before the bucket. Other names stay
// unchanged.
func Words(address string) string {
	if !IsAddress(address) {
		return address
	}
	address, _, _ = strings.Cut(address, "?")
	scheme, rest, _ := strings.Cut(address, "://")
	bucket, prefix, hasPrefix := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(bucket, '@'); at >= 0 {
		address = scheme + "://" + bucket[at+1:]
		if hasPrefix {
			address += "/" + prefix
		}
	}
	return strings.TrimRight(address, "/")
}

// OpenBucket opens the bucket at an address.
func OpenBucket(ctx context.Context, address string) (LargeBucket, error) {
	if driver == nil {
		err := fmt.Errorf("reading %s: this viewer was built without the drivers of buckets", Words(address))
		return nil, failure.New(err,
			"use a released one, or build it with: go build -tags cloud ./cmd/viewer")
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, failure.New(fmt.Errorf("%s is not an address", Words(address)), "give it as s3://BUCKET/PREFIX")
	}
	if u.Host == "" {
		return nil, failure.New(fmt.Errorf("%s names no bucket", Words(address)), "give it as s3://BUCKET/PREFIX")
	}
	r, err := driver(ctx, u)
	if err != nil {
		return nil, Failed(address, err)
	}
	return r, nil
}

// Failed returns an error that names the address.
func Failed(address string, err error) error {
	if known, ok := errors.AsType[*failure.Error](err); ok {
		return failure.New(fmt.Errorf("reading %s: %w", Words(address), known.Err), known.Hint)
	}
	return fmt.Errorf("reading %s: %w", Words(address), failure.Cause(err))
}
