package search

import (
	"strconv"
	"strings"

	"viewer/internal/packed"
)

// A Path is a file that sessions of a project changed, with a link to its page.
type Path struct {
	Path     string
	Page     string // in the folder of the pages of files, with a fragment
	Sessions int
}

// A Place is where the files of a project are listed.
type Place struct {
	Project string
	Folder  string // relative to the site: "p/ledger-api/files/"
}

// placesName lists the folders with pages of files, pathsName the files in one of these.
const (
	placesName = Folder + "files.js"
	pathsName  = "paths.js"
)

// PlacesFile returns the file that lists the places. A search for path: reads it.
func PlacesFile(places []Place) File {
	var b strings.Builder
	for _, p := range places {
		b.WriteString(plainField(p.Folder) + "\x1f" + plainField(p.Project) + "\n")
	}
	return File{placesName, packed.Script(placesName, b.String())}
}

// PathsFile returns the file that lists the files of a project.
func PathsFile(folder string, paths []Path) File {
	var b strings.Builder
	for _, p := range paths {
		b.WriteString(plainField(p.Path) + "\x1f" + p.Page + "\x1f" + strconv.Itoa(p.Sessions) + "\n")
	}
	return File{folder + pathsName, packed.Script(folder+pathsName, b.String())}
}

// plainField returns a text without characters that end a field or a line.
func plainField(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\x1f' || r == '\n' {
			return '\uFFFD'
		}
		return r
	}, s)
}
