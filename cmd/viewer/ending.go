package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"viewer/internal/storage"
)

// formatOf returns the format for the ending of a file: md for no ending, "" for an unknown one.
func formatOf(file string) string {
	ending := strings.ToLower(filepath.Ext(file))
	if ending == "" {
		return "md"
	}
	for _, known := range formats {
		if slices.Contains(known.endings, ending) {
			return known.name
		}
	}
	return ""
}

// allEndings returns the endings of files that select a format.
func allEndings() []string {
	var all []string
	for _, known := range formats {
		all = append(all, known.endings...)
	}
	return all
}

// fileEndings are endings that the name of a site's folder must not have.
var fileEndings = []string{
	".html", ".htm", ".md", ".markdown", ".txt", ".text", ".json", ".jsonl", ".pdf", ".zip", ".gz", ".tar",
}

// checkFolder returns an error for the name of a file instead of the folder of a site. instead describes what to do
// with such a file.
func checkFolder(out, instead string) error {
	if err := checkScheme(out); err != nil {
		return err
	}
	ending := strings.ToLower(filepath.Ext(out))
	if !slices.Contains(fileEndings, ending) {
		return nil
	}
	if info, err := os.Stat(out); err == nil && info.IsDir() {
		return nil
	}
	return usagef("-o %s is invalid: a site is a folder, and %s; %s/ makes a folder of that name", out, instead, out)
}

// checkScheme returns an error for an address that would be made a folder, such as http:/host.
func checkScheme(place string) error {
	if !strings.Contains(place, "://") || storage.IsAddress(place) || storage.Folder(place) != place {
		return nil
	}
	return usagef("%s is unsupported: give a folder, or an address that begins with s3://, gs:// or azblob://", place)
}
