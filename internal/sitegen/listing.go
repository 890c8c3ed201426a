package sitegen

import (
	"time"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
)

// listing returns a digest of the list of all files in the sources: with the same list, everything in them is the same.
// It is zero if that is not certain. A build without changes compares it and arranges no sessions.
func (v *survey) listing(now time.Time) fingerprint.Digest {
	if v.failed != nil || len(v.archives) > 0 {
		return fingerprint.Digest{}
	}
	h, certain := xxhash.New(), true
	e := make(codec.Encoder, 0, 512)
	e.Bool(v.options.Empty)
	h.Write(e)
	add := func(path string, s fingerprint.Stamp) {
		e = e[:0]
		e.Text(path)
		e.Int(s.Size, s.Mod, s.Changed, int64(s.Inode))
		h.Write(e)
		certain = certain && !s.Racy(now)
	}
	for _, l := range v.listed {
		if l.source.Archive != nil || l.source.Root == nil && !l.source.Missing { // not a folder
			return fingerprint.Digest{}
		}
		add(l.source.ID, fingerprint.Stamp{Size: int64(len(l.entries))})
		for _, f := range l.entries {
			add(f.Path, f.Stamp)
		}
	}
	for _, p := range v.problems[:v.found] {
		add(p.String(), fingerprint.Stamp{})
	}
	for _, f := range v.titleFiles {
		add(string(f.id[:]), f.Stamp)
	}
	for _, f := range v.noteFiles {
		add(string(f.id[:]), f.Stamp)
	}
	if !certain {
		return fingerprint.Digest{}
	}
	return fingerprint.FromXXH64(h.Sum64())
}

// sameListing reports whether the sources have the same files as at the last build. If the site is built again and
// again, the sessions are needed even so.
func (b *builder) sameListing() bool {
	return b.cache == nil && b.listing != fingerprint.Digest{} && b.listing == b.old.Listing
}

// allRead reports whether the next state has all files of the sources with their stamps: none was left out or has to be
// read again.
func (b *builder) allRead() bool {
	for _, f := range b.next.Files {
		if f.Mod == -1 {
			return false
		}
	}
	return len(b.next.Files) == b.fileCount
}
