package sitegen

import (
	"crypto/sha256"
	"encoding/binary"
	"io/fs"
	"time"

	"github.com/cespare/xxhash/v2"
)

// A stamp tells whether a file is still the one that was read, without reading
// it again. The time of its last change, which nobody can set, is there on Linux,
// macOS and Windows, the number of its inode on the first two: a file that was
// replaced, or rewritten and given its old time, shows.
type stamp struct {
	Size    int64
	Mod     int64 // nanoseconds since 1970
	Changed int64 // the same, 0 where the system does not tell
	Inode   uint64
}

func newStamp(info fs.FileInfo) stamp {
	s := stamp{Size: info.Size()}
	if t := info.ModTime(); !t.IsZero() {
		s.Mod = t.UnixNano()
	}
	s.Changed, s.Inode = inode(info)
	return s
}

// fresh says that a file was changed so shortly before now that a further
// change could leave the same stamp: the clock of a file system has ticks, of
// some milliseconds or, where there are only whole seconds, of two of them.
func (s stamp) fresh(now time.Time) bool {
	tick := 50 * time.Millisecond
	if s.Mod%int64(time.Second) == 0 {
		tick = 2 * time.Second
	}
	return now.UnixNano()-max(s.Mod, s.Changed) < int64(tick)
}

// contentOf sums up the bytes of a source.
func contentOf(data []byte) digest { return summed(xxhash.Sum64(data)) }

// summed is what is kept of such a sum (XXH64): it tells whether a file with another
// stamp has changed. Nobody gains by two that sum up alike, and all bytes there are
// go through it: so it is one that takes a tenth of the time of a digest.
func summed(sum uint64) (d digest) {
	binary.BigEndian.PutUint64(d[:], sum)
	return d
}

// A digest stands for bytes: 16 bytes of their SHA-256.
type digest [16]byte

func digestOf(data []byte) digest {
	sum := sha256.Sum256(data)
	return digest(sum[:len(digest{})])
}
