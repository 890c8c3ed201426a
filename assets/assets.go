// Package assets embeds the stylesheet, the script and the icons of the pages,
// and names them by their content so that a new version is never mistaken for
// an old one. It holds no other code.
package assets

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strings"
)

//go:embed viewer.css
var css string

//go:embed viewer.js
var js string

// Icons is a sheet of <symbol> elements with ids i-NAME, to stand once in each
// page: a file opened from disk may not use symbols of another file.
//
//go:embed icons.svg
var Icons string

// A File is an asset as it is published.
type File struct {
	Name string // viewer.<hash>.css
	Text string
}

// The files that every page loads.
var (
	Stylesheet = named("viewer", "css", css)
	Script     = named("viewer", "js", js)
)

// Files lists all assets to publish.
func Files() []File { return []File{Stylesheet, Script} }

func named(base, ext, text string) File {
	sum := sha256.Sum256([]byte(text))
	return File{Name: strings.Join([]string{base, hex.EncodeToString(sum[:5]), ext}, "."), Text: text}
}
