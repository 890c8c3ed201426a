package output

import "os"

// A tempFile is a temporary file. It needs no name, so it is removed as soon as it is open. Where an open file cannot
// be removed, Close removes it.
type tempFile struct {
	*os.File
	named bool // it still has its name
}

func newTempFile() (*tempFile, error) {
	f, err := os.CreateTemp("", "viewer-*")
	if err != nil {
		return nil, err
	}
	return &tempFile{f, os.Remove(f.Name()) != nil}, nil
}

func (f *tempFile) Close() error {
	err := f.File.Close()
	if f.named {
		os.Remove(f.Name())
	}
	return err
}
