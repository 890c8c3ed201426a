package sitegen

import (
	"embed"
	"io/fs"
)

//go:embed all:sample
var sample embed.FS

// sampleID is the id of the sample as a source.
const sampleID = "sample"

// Sample returns a small folder of projects for users without sessions.
func Sample() fs.FS {
	sub, err := fs.Sub(sample, "sample")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}
