package facts

import (
	"io"
	"iter"
)

// A Format writes tables.
type Format interface {
	WriteSessions(w io.Writer, rows []Session) error
	// WriteCalls writes rows that come in batches, up to the first error among them.
	WriteCalls(w io.Writer, portions iter.Seq2[[]Call, error]) error
}

var parquet Format // nil in a program built without it

// Register sets the format that Parquet returns. It is called before main.
func Register(f Format) struct{} {
	parquet = f
	return struct{}{}
}

// Parquet returns the format Parquet, nil in a program built without it.
func Parquet() Format { return parquet }
