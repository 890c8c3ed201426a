package input

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/decode"
	"viewer/internal/sources"
	"viewer/internal/storage"
	"viewer/internal/transcript"
)

// Open opens a folder, a file, or the bucket at an address.
func Open(ctx context.Context, name string) (*Source, error) {
	if !storage.IsAddress(name) {
		return OpenPath(storage.Folder(name))
	}
	words := storage.Words(name)
	s := &Source{Name: words, ID: words}
	address, query, asked := strings.Cut(name, "?")
	if asked {
		query = "?" + query
	}
	if base := path.Base(words); sources.WithoutExt(base) != base && strings.Count(words, "/") > 2 {
		if s.Only = base; s.SourceList().Wants(base) { // one session, unless it is a folder with such a name
			address = strings.TrimSuffix(strings.TrimRight(address, "/"), base)
		} else {
			s.Only = ""
		}
	}
	var err error
	if s.Bucket, err = storage.OpenBucket(ctx, address+query); err != nil {
		return nil, err
	}
	if s.FS, err = decode.New(storage.Files{Bucket: s.Bucket, Context: ctx}, s.Only); err != nil {
		s.Close()
		return nil, failure.New(fmt.Errorf("reading %s: %w", words, failure.Cause(err)),
			"unpack it, and give what is in it")
	}
	return s, nil
}

// listBucket returns the objects that can belong to sessions, sorted by name.
func (s *Source) listBucket(ctx context.Context) ([]Entry, []transcript.Problem, error) {
	w := walk{Source: s}
	for o, err := range s.Bucket.List(ctx, sources.WithoutExt(s.Only)) {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = failure.New(errors.New("no such bucket"), "check its name, and the endpoint")
			fallthrough
		case err != nil:
			return nil, nil, storage.Failed(s.ID, err)
		case !fs.ValidPath(o.Name) || !s.has(o.Name):
		default:
			w.found = append(w.found, Entry{o.Name, stampOfObject(o)})
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if s.Only != "" && !slices.ContainsFunc(w.found, func(e Entry) bool { return e.Path == s.Only }) {
		return nil, nil, failure.New(fmt.Errorf("reading %s: %w", s.Name, fs.ErrNotExist),
			"give the prefix of a projects folder, or a session file")
	}
	w.takeNotes()
	slices.SortFunc(w.found, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	w.split()
	return w.found, w.problems, nil
}

// has reports whether a file of a bucket is wanted: any that may belong to a session or, if one session was named, its
// file and those next to it.
func (s *Source) has(name string) bool {
	return name == s.Only || (s.Only == "" || strings.HasPrefix(name, sources.WithoutExt(s.Only)+"/")) && s.wants(name)
}

// stampOfObject returns the stamp of an object. Its checksum replaces the inode: it changes whenever the content does.
func stampOfObject(o storage.Object) fingerprint.Stamp {
	s := fingerprint.Stamp{Size: o.Size, Mod: o.Modified.UnixNano()}
	if len(o.MD5) >= 8 {
		s.Inode = binary.BigEndian.Uint64(o.MD5)
	}
	return s
}
