package sources

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
