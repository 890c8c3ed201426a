// Package smallfile reads files that people write, such as settings, prices and notes. It never reads a file that is
// too large to be one, and does not interpret them.
package smallfile

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MaxSize limits the size of files of settings, prices, names or texts, in bytes.
const MaxSize = 64 << 20

// WithoutMark returns the content of a text file without the byte order mark that programs of Windows write first.
func WithoutMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }

// Read reads a small file that people write, or a pipe, without its byte order mark. A larger file is an error.
func Read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err == nil && len(data) > MaxSize {
		err = &fs.PathError{Op: "reading", Path: name, Err: fmt.Errorf("it is larger than %d MB", MaxSize>>20)}
	}
	return WithoutMark(data), err
}
