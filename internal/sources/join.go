package sources

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// A Joiner is a Source that keeps a session in many files, such as one for each message.
type Joiner interface {
	Source
	// Join finds sessions that are spread over several files, by the paths of all files. The paths include those of the
	// sessions in a file with many, see PartPath.
	Join(paths []string) []Joined
}

// A Joined is a session in many files. Everything else treats it as one file at the path of the first of them.
type Joined struct {
	Files []int // indexes of the paths; a file belongs to one session only
	// Extends says that the others add to the first file, which is a log by itself. They do so only if this source
	// recognizes it: its path does not tell the writer.
	Extends bool
	// Shared are files that Read may read, too, because their paths do not tell the session.
	Shared []int
	// Read returns the text to redact and translate, and reads the files with read.
	Read func(read func(path string) ([]byte, error)) ([]byte, error)
}

// WithMember returns a log with one more member in its first line, so that the lines keep their numbers. A log whose
// first line is no object is returned as it is.
func WithMember(log []byte, name string, value jsontext.Value) []byte {
	at := bytes.IndexByte(log, '{')
	if at < 0 || len(bytes.TrimSpace(log[:at])) > 0 {
		return log
	}
	member := slices.Concat([]byte(`{"`+name+`":`), value)
	if rest := bytes.TrimLeft(log[at+1:], " \t\r\n"); len(rest) > 0 && rest[0] != '}' {
		member = append(member, ',')
	}
	return slices.Concat(log[:at], member, log[at+1:])
}

// WithoutMember returns an object without one of its members.
func WithoutMember(v jsontext.Value, without string) jsontext.Value {
	var members []any
	for name, value := range transcript.Members(v) {
		if name != without {
			members = append(members, name, value)
		}
	}
	return Make(members...)
}

// WithLine returns a log with one more line. A log whose last line is still being written is returned as it is, because
// nothing can follow that line.
func WithLine(log []byte, line jsontext.Value) []byte {
	last := bytes.TrimSpace(log[bytes.LastIndexByte(log, '\n')+1:])
	if len(last) > 0 && !transcript.Valid(last) {
		return log
	}
	log = append(bytes.TrimSuffix(log, []byte("\n")), '\n')
	return append(append(log, line...), '\n')
}
