package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"viewer/internal/failure"
	"viewer/internal/storage"
)

// A Place is where files are published.
type Place struct {
	Name string // for messages
	Kind Kind

	address string // of a bucket
	bucket  storage.Bucket
	objects map[string]storage.Object // the files that are there
	branch  *branch                   // nil unless Kind is Branch
}

// A Kind of place.
type Kind uint8

// The kinds of places.
const (
	Folder Kind = iota
	Bucket
	Branch
)

// Open opens the place at an address: a folder, the address of a bucket, or REPOSITORY#BRANCH. A folder is created when
// a file is written to it.
func Open(ctx context.Context, address string) (*Place, error) {
	p := &Place{Name: address}
	var err error
	open := func(dir string) error {
		f, err := openFolder(dir)
		if err == nil {
			p.bucket = f
		}
		return err
	}
	repository, name, isBranch := cutBranch(address)
	switch {
	case storage.IsAddress(address):
		p.Name, p.Kind, p.address = storage.Words(address), Bucket, address
		p.bucket, err = storage.OpenBucket(ctx, address)
	case isBranch:
		p.Kind = Branch
		if p.branch, err = openBranch(ctx, repository, name); err == nil {
			err = open(p.branch.work)
		}
	default:
		p.Name = filepath.Clean(storage.Folder(address))
		err = open(p.Name)
	}
	if err == nil {
		err = p.list(ctx)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// cutBranch splits REPOSITORY#BRANCH, unless there is a folder with that name.
func cutBranch(address string) (repository, branch string, ok bool) {
	i := strings.LastIndexByte(address, '#')
	if i <= 0 || i == len(address)-1 {
		return address, "", false
	}
	if _, err := os.Stat(address); err == nil {
		return address, "", false
	}
	return address[:i], address[i+1:], true
}

// ID returns a name of the place that does not depend on the working directory. It is not for messages.
func (p *Place) ID() (string, error) {
	switch p.Kind {
	case Folder:
		return filepath.Abs(p.Name)
	case Branch:
		return p.branch.repository + "#" + p.branch.name, nil
	}
	return p.address, nil
}

// list lists the files that are there.
func (p *Place) list(ctx context.Context) error {
	p.objects = make(map[string]storage.Object)
	for o, err := range p.bucket.List(ctx, "") {
		if errors.Is(err, fs.ErrNotExist) && p.Kind == Bucket {
			return failure.New(fmt.Errorf("reading %s: no such bucket", p.Name),
				"make it, or check its name and the endpoint")
		}
		if err != nil {
			return storage.Failed(p.Name, err)
		}
		p.objects[o.Name] = o
	}
	return nil
}

// Close removes temporary files.
func (p *Place) Close() {
	if p.bucket != nil {
		p.bucket.Close()
	}
	if p.branch != nil {
		p.branch.close()
	}
}
