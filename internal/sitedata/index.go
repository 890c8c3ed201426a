package sitedata

import (
	"errors"
	"fmt"
	"io/fs"

	"viewer/internal/failure"
	"viewer/internal/search"
)

// Index returns the search index that the pages of a site use. Its files are read when queries need them.
func Index(dir string) (*search.Index, error) {
	x, err := search.OpenIndex(func(name string) ([]byte, error) { return readFile(dir, name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil, failure.New(fmt.Errorf("the site in %s has no search index", dir),
			"build it without --no-search, or search the sessions that it was made of")
	}
	if err != nil {
		return nil, fmt.Errorf("opening the search index of %s: %w", dir, err)
	}
	return x, nil
}
