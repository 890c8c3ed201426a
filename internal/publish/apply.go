package publish

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"

	"viewer/internal/failure"
	"viewer/internal/storage"
)

// maxParallel limits parallel requests.
const maxParallel = 32

// Apply carries out a plan. If it is interrupted, the next run does the rest. The message is that of the commit to a
// branch. With rewrite, this commit is the only one of the branch.
func (p *Plan) Apply(ctx context.Context, message string, rewrite bool) error {
	if p.next.name == "" {
		p.next.name = recordPrefix + NewName() + recordSuffix
	}
	if err := p.announce(ctx); err != nil {
		return err
	}
	// Files are deleted first, so that a failing upload cannot keep one that was taken out.
	err := p.each(ctx, len(p.Removed), func(ctx context.Context, i int) error {
		if err := p.place.bucket.Delete(ctx, p.Removed[i]); err != nil {
			return failed("removing", p.place, p.Removed[i], err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var first, last []File // pages with links are written after the pages that they link to
	for _, f := range append(p.New, p.Changed...) {
		if path.Base(f.Name) == "index.html" && !strings.HasPrefix(f.Name, "s/") {
			last = append(last, f)
		} else {
			first = append(first, f)
		}
	}
	for _, files := range [][]File{first, last} {
		err := p.each(ctx, len(files), func(ctx context.Context, i int) error { return p.put(ctx, files[i]) })
		if err != nil {
			return err
		}
	}
	if err := p.writeRecord(ctx, p.next); err != nil {
		return err
	}
	if p.place.branch != nil {
		return p.place.branch.push(ctx, message, rewrite)
	}
	return nil
}

// announce writes a record with the old and the new files, if there are new ones. So every file that an interrupted run
// leaves is in a record.
func (p *Plan) announce(ctx context.Context) error {
	if len(p.New) == 0 || p.place.branch != nil {
		return nil
	}
	both := *p.next
	both.Files = maps.Clone(p.old.Files)
	maps.Copy(both.Files, p.next.Files)
	return p.writeRecord(ctx, &both)
}

func (p *Plan) writeRecord(ctx context.Context, r *Record) error {
	data, err := r.encode()
	if err != nil || bytes.Equal(data, p.old.data) {
		return err
	}
	p.old.data = data
	o := storage.PutOptions{Type: "application/json", Cache: "no-store"}
	if err := p.place.bucket.Put(ctx, r.name, data, o); err != nil {
		return failed("writing", p.place, r.name, err)
	}
	return nil
}

func (p *Plan) put(ctx context.Context, f File) error {
	data, err := f.Data()
	if err != nil {
		return err
	}
	o := storage.PutOptions{Type: storage.TypeOf(f.Name), Cache: storage.CacheOf(f.Name)}
	if err := p.place.bucket.Put(ctx, f.Name, data, o); err != nil {
		return failed("writing", p.place, f.Name, err)
	}
	if f.Tag != "" {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.next.Files[f.Name] = Entry{fmt.Sprintf("%x", md5.Sum(data)), f.Tag}
	}
	return nil
}

func (p *Plan) each(ctx context.Context, n int, do func(context.Context, int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxParallel)
	for i := range n {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return do(ctx, i)
		})
	}
	return group.Wait()
}

func failed(doing string, p *Place, name string, err error) error {
	hint := "run it again: finished work is not repeated"
	switch {
	case failure.Full(err):
		hint = "free some space, and " + hint
	case p.Kind == Folder && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)):
		hint = "choose a folder that you may write to"
	}
	if known, ok := errors.AsType[*failure.Error](err); ok {
		err, hint = known.Err, known.Hint
	}
	return failure.New(fmt.Errorf("%s %s/%s: %w", doing, p.Name, name, failure.Cause(err)), hint)
}
