package sources

import (
	"errors"
	"io"
	"net/url"
	"path"
	"strconv"
	"time"
)

// A Splitter is a Source that keeps many sessions in one file, such as a database.
type Splitter interface {
	Source
	// MayHold reports whether the file at a path may hold several sessions.
	MayHold(path string) bool
	// Split finds the sessions in a file. It returns none if the file has at most one session or is from another
	// writer. Parts are read from data later, several at a time. An error says why sessions may be missing from the
	// list.
	Split(data io.ReaderAt, size int64) ([]Part, error)
}

// A Part is one session of a file that holds many. Everything else treats it as a separate file, at a path below that
// of the file.
type Part struct {
	// Name is unique in the file and the same in the next build; usually the id of the session.
	Name string
	Size int64 // about the length of what Read returns
	// Version changes if Read would return something else. 0 means that the part must be read to know.
	Version uint64
	Changed time.Time // when it was last written, zero if unknown
	// Read returns the text to redact and translate. Match recognizes its beginning, as for any file of the source.
	Read func() ([]byte, error)
}

// MayHold reports whether the file at a path may hold several sessions, according to a Splitter of the list.
func (l List) MayHold(p string) bool {
	for _, s := range l {
		if s, ok := s.(Splitter); ok && s.MayHold(p) {
			return true
		}
	}
	return false
}

// Split finds the sessions in a file and their source. A file that the user named (alone) is read whatever its name is.
// The names of parts are unique.
func (l List) Split(p string, alone bool, data io.ReaderAt, size int64) (Source, []Part, error) {
	var failed error
	for _, s := range l {
		splitter, ok := s.(Splitter)
		if !ok || !alone && !splitter.MayHold(p) {
			continue
		}
		parts, err := splitter.Split(data, size)
		if len(parts) > 0 {
			distinguish(parts)
			return s, parts, err
		}
		failed = errors.Join(failed, err)
	}
	return nil, nil, failed
}

// distinguish renames parts whose name is taken or cannot be used in a path.
func distinguish(parts []Part) {
	used := make(map[string]int, len(parts)) // by name: the number of the last part that had it, at least 1
	for i := range parts {
		base := parts[i].Name
		name, n := base, max(used[base], 1)
		for used[name] > 0 {
			n++
			name = base + "~" + strconv.Itoa(n)
		}
		used[base], used[name], parts[i].Name = n, max(used[name], 1), name
	}
}

// PartPath returns the path of a part, as files and pages name it.
func PartPath(file, part string) string {
	switch name := url.PathEscape(part); name {
	case "", ".", "..":
		return path.Join(file, "_"+name)
	default:
		return file + "/" + name
	}
}
