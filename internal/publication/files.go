package publication

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

// siteFiles returns the files of the site as they are published.
func (p *Publication) siteFiles(names []string) ([]publish.File, error) {
	root, err := os.OpenRoot(p.Staging)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", p.Staging, failure.Cause(err))
	}
	defer root.Close()
	var files []publish.File
	for _, name := range names {
		data, err := p.file(root, name)
		if err != nil {
			return nil, err
		}
		files = append(files, publish.File{
			Name: name, Size: int64(len(data)), MD5: md5.Sum(data), Data: func() ([]byte, error) {
				root, err := os.OpenRoot(p.Staging)
				if err != nil {
					return nil, fmt.Errorf("opening %s: %w", p.Staging, failure.Cause(err))
				}
				defer root.Close()
				return p.file(root, name)
			},
		})
	}
	return append(files, p.fixedFiles()...), nil
}

// fixedFiles returns files that hosts and search engines look for.
func (p *Publication) fixedFiles() []publish.File {
	// Without this file GitHub Pages processes the pages with Jekyll.
	files := []publish.File{fixedFile(".nojekyll", "")}
	if !p.Public {
		files = append(files, fixedFile("robots.txt", robots))
	}
	return files
}

// published returns a page as it is published.
func (p *Publication) published(page []byte) []byte {
	if p.Public {
		return page
	}
	return bytes.Replace(page, []byte(referrer), []byte(referrerPlus), 1)
}

// file reads a file as it is published.
func (p *Publication) file(root *os.Root, name string) ([]byte, error) {
	data, err := root.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, failure.Cause(err))
	}
	if path.Ext(name) == ".html" {
		data = p.published(data)
	}
	return data, nil
}

func fixedFile(name, text string) publish.File {
	return publish.File{
		Name: name, Size: int64(len(text)), MD5: md5.Sum([]byte(text)), Optional: true,
		Data: func() ([]byte, error) { return []byte(text), nil },
	}
}
