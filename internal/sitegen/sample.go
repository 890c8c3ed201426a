package sitegen

import (
	"embed"
	"io/fs"
)

//go:embed all:sample
var sample embed.FS

// sampleID is what the state calls it as a source.
const sampleID = "sample"

// Sample is a small projects folder for those who have no sessions yet.
func Sample() fs.FS {
	sub, err := fs.Sub(sample, "sample")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}
