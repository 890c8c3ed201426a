package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"os"
	"path"

	"viewer/internal/failure"
	"viewer/internal/publish"
)

// Elements that ask search engines to stay away. Each page has them, since robots.txt only counts at the top of a host.
const (
	robots       = "User-agent: *\nDisallow: /\n"
	referrer     = `<meta name="referrer" content="no-referrer">` + "\n" // of every page
	referrerPlus = referrer + `<meta name="robots" content="noindex, nofollow">` + "\n"
)

// files returns the files of the site as they are published.
func (f *publishFlags) files(names []string) ([]publish.File, error) {
	root, err := os.OpenRoot(f.staging)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", f.staging, failure.Cause(err))
	}
	defer root.Close()
	var files []publish.File
	for _, name := range names {
		data, err := f.file(root, name)
		if err != nil {
			return nil, err
		}
		files = append(files, publish.File{
			Name: name, Size: int64(len(data)), MD5: md5.Sum(data), Data: func() ([]byte, error) {
				root, err := os.OpenRoot(f.staging)
				if err != nil {
					return nil, fmt.Errorf("opening %s: %w", f.staging, failure.Cause(err))
				}
				defer root.Close()
				return f.file(root, name)
			},
		})
	}
	return append(files, f.fixedFiles()...), nil
}

// fixedFiles returns files that hosts and search engines look for.
func (f *publishFlags) fixedFiles() []publish.File {
	// Without this file GitHub Pages processes the pages with Jekyll.
	files := []publish.File{fixedFile(".nojekyll", "")}
	if !f.public {
		files = append(files, fixedFile("robots.txt", robots))
	}
	return files
}

// published returns a page as it is published.
func (f *publishFlags) published(page []byte) []byte {
	if f.public {
		return page
	}
	return bytes.Replace(page, []byte(referrer), []byte(referrerPlus), 1)
}

// file reads a file as it is published.
func (f *publishFlags) file(root *os.Root, name string) ([]byte, error) {
	data, err := root.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, failure.Cause(err))
	}
	if path.Ext(name) == ".html" {
		data = f.published(data)
	}
	return data, nil
}

func fixedFile(name, text string) publish.File {
	return publish.File{
		Name: name, Size: int64(len(text)), MD5: md5.Sum([]byte(text)), Optional: true,
		Data: func() ([]byte, error) { return []byte(text), nil },
	}
}
