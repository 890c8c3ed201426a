package sources

import (
	"errors"
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
)

// A Splitter is a Source that keeps many sessions in one file, such as a database.
type Splitter interface {
	Source
	// MayHold reports whether the file at a path may hold several sessions. It is not asked about .jsonl files: those
	// have one each.
	MayHold(path string) bool
	// Split finds the sessions in a file. It returns none when the file holds at most one or is from another writer.
	// Parts are read from data later, several at a time. An error tells why sessions may be missing from the list.
	Split(data io.ReaderAt, size int64) ([]Part, error)
}

// A Part is one session of a file that holds many. Everything else treats it as a file of its own, at a path below that
// of the file.
type Part struct {
	// Name tells the part from the others, and is the same in the next build; most often the id of the session.
	Name string
	Size int64 // about the length of what Read returns
	// Version changes when Read would return something else. 0 means that only reading tells.
	Version uint64
	Changed time.Time // when it was last written, zero where that is not known
	// Read returns the text to redact and translate. Match recognizes its beginning, as for any file of the source.
	Read func() ([]byte, error)
}

// MayHold reports whether a Splitter of the list has to look into the file at a path.
func (l List) MayHold(p string) bool {
	if strings.HasSuffix(p, ".jsonl") {
		return false
	}
	for _, s := range l {
		if s, ok := s.(Splitter); ok && s.MayHold(p) {
			return true
		}
	}
	return false
}

// Split finds the sessions in a file and their source. A file that was given by name (alone) is looked into whatever it
// is called. The names of parts are unique.
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
