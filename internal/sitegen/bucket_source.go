package sitegen

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

// openAny opens a folder, a file, or the bucket at an address.
func openAny(ctx context.Context, name string) (*source, error) {
	if !storage.IsAddress(name) {
		return openSource(storage.Folder(name))
	}
	words := storage.Words(name)
	s := &source{name: words, id: words}
	address, query, asked := strings.Cut(name, "?")
	if asked {
		query = "?" + query
	}
	if base := path.Base(words); sources.WithoutExt(base) != base && strings.Count(words, "/") > 2 {
		if s.only = base; s.sourceList().Wants(base) { // one session, unless it is a folder with such a name
			address = strings.TrimSuffix(strings.TrimRight(address, "/"), base)
		} else {
			s.only = ""
		}
	}
	var err error
	if s.bucket, err = storage.Open(ctx, address+query); err != nil {
		return nil, err
	}
	if s.fsys, err = decode.New(storage.Files{Bucket: s.bucket, Context: ctx}, s.only); err != nil {
		s.close()
		return nil, failure.New(fmt.Errorf("reading %s: %w", words, failure.Cause(err)),
			"unpack it, and give what is in it")
	}
	return s, nil
}

// listBucket returns the objects that can belong to sessions, sorted by name.
func (s *source) listBucket(ctx context.Context) ([]entry, []transcript.Problem, error) {
	w := walk{source: s}
	for o, err := range s.bucket.List(ctx, sources.WithoutExt(s.only)) {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = failure.New(errors.New("no such bucket"), "check its name, and the endpoint")
			fallthrough
		case err != nil:
			return nil, nil, storage.Failed(s.id, err)
		case !fs.ValidPath(o.Name) || hidden(o.Name) || !s.has(o.Name):
		default:
			w.found = append(w.found, entry{o.Name, stampOfObject(o)})
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if s.only != "" && !slices.ContainsFunc(w.found, func(e entry) bool { return e.path == s.only }) {
		return nil, nil, failure.New(fmt.Errorf("reading %s: %w", s.name, fs.ErrNotExist),
			"give the prefix of a projects folder, or a session file")
	}
	w.takeNotes()
	slices.SortFunc(w.found, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	w.split()
	return w.found, w.problems, nil
}

// has reports whether a file of a bucket was asked for: any that may belong to a session, or the one session and the
// files next to it.
func (s *source) has(name string) bool {
	return name == s.only || (s.only == "" || strings.HasPrefix(name, sources.WithoutExt(s.only)+"/")) && s.wants(name)
}

// hidden reports whether a file lies in a hidden folder. These are skipped on disks, too.
func hidden(name string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), IsHidden)
}

// stampOfObject returns the stamp of an object. Its checksum replaces the inode: it changes whenever the content does.
func stampOfObject(o storage.Object) fingerprint.Stamp {
	s := fingerprint.Stamp{Size: o.Size, Mod: o.Modified.UnixNano()}
	if len(o.MD5) >= 8 {
		s.Inode = binary.BigEndian.Uint64(o.MD5)
	}
	return s
}
