package sitedata

import (
	"fmt"
	"os"
	"syscall"

	"viewer/internal/failure"
)

// readFile reads a file of a site.
func readFile(dir, name string) ([]byte, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() { // opening a pipe would block
		return nil, fmt.Errorf("reading %s: %w", dir, syscall.ENOTDIR)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", dir, failure.Cause(err))
	}
	defer root.Close()
	var data []byte
	if err = failure.Regular(root.Stat(name)); err == nil {
		data, err = root.ReadFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, failure.Cause(err))
	}
	return data, nil
}
