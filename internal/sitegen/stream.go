package sitegen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"viewer/internal/failure"
	"viewer/internal/sitegen/decode"
	"viewer/internal/sitegen/output"
)

// stdinFolder is the prefix of the name of the folder for standard input.
const stdinFolder = "viewer-stdin-"

// Stream writes a pipe to a file that can be read as a session; remove deletes the file, and so does the end of the
// context, because reading a pipe cannot be interrupted. It is an error if the pipe has more than decode.MaxRead bytes.
func Stream(ctx context.Context, called string, r io.Reader) (name string, remove func(), err error) {
	dir, err := os.MkdirTemp("", stdinFolder)
	if err != nil {
		return "", nil, failedStream(called, err)
	}
	stop := context.AfterFunc(ctx, func() { os.RemoveAll(dir) })
	remove = func() {
		stop()
		os.RemoveAll(dir)
	}
	name = filepath.Join(dir, "stdin", "stdin.jsonl") // which pages show if the session names no folder
	err = os.Mkdir(filepath.Dir(name), 0o700)
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err == nil {
		var n int64
		if n, err = io.Copy(f, io.LimitReader(r, decode.MaxRead+1)); n > decode.MaxRead {
			err = decode.ErrTooLarge
		}
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		remove()
		return "", nil, failedStream(called, err)
	}
	return name, remove, nil
}

func failedStream(called string, err error) error {
	if errors.Is(err, decode.ErrTooLarge) {
		return failure.New(fmt.Errorf("reading %s: %w", called, err), decode.TooLargeHint)
	}
	return output.BufferError(called, err)
}
