package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"viewer/internal/failure"
)

// StateDir is the folder of a site with the data for the next build. No page needs it: uploads of CI artifacts skip
// names that start with a dot.
const StateDir = ".viewer"

// IsSite reports whether a folder is a site. A build that was stopped leaves its folder without a state.
func IsSite(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, StateDir))
	return err == nil && info.IsDir()
}

// CheckDir returns an error unless a site may be written to a folder: it is missing, empty, or a site.
func CheckDir(dir string, force bool) error {
	if force || IsSite(dir) {
		return nil
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if info, err := os.Stat(dir); err == nil && !info.IsDir() { // Windows reports the same error for these
			return failure.New(fmt.Errorf("reading %s: not a directory", dir), otherFolder)
		}
		return nil
	case err != nil:
		return failure.New(fmt.Errorf("reading %s: %w", dir, failure.Cause(err)), otherFolder)
	case len(entries) == 0, IsSite(dir): // another build may have just started
		return nil
	}
	err = fmt.Errorf("%s contains files that viewer did not create", dir)
	return failure.New(err, otherFolder+", or --force to build into this one")
}
