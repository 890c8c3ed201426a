package fingerprint

import (
	"io/fs"
	"time"
)

// A Stamp tells whether a file has changed without reading it. Linux, macOS and Windows have the time of the last
// change, which nobody can set, and the first two an inode number. So a file that was replaced, or rewritten and given
// its old time, has a new stamp.
type Stamp struct {
	Size    int64
	Mod     int64 // nanoseconds since 1970
	Changed int64 // the time of the last change, 0 if the system does not tell
	Inode   uint64
}

// StampOf returns the stamp of a file.
func StampOf(info fs.FileInfo) Stamp {
	s := Stamp{Size: info.Size()}
	if t := info.ModTime(); !t.IsZero() {
		s.Mod = t.UnixNano()
	}
	s.Changed, s.Inode = inode(info)
	return s
}

// Racy reports whether a file was changed so recently that another change could leave the same stamp. The clocks of
// file systems have steps of some milliseconds, or of two seconds.
func (s Stamp) Racy(now time.Time) bool {
	tick := 50 * time.Millisecond
	if s.Mod%int64(time.Second) == 0 {
		tick = 2 * time.Second
	}
	return now.UnixNano()-max(s.Mod, s.Changed) < int64(tick)
}
