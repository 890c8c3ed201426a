package facts

import (
	"io"
	"iter"
)

// A Format writes tables.
type Format interface {
	WriteSessions(w io.Writer, rows []Session) error
	// WriteCalls writes rows that come in portions; the first error among them ends it.
	WriteCalls(w io.Writer, portions iter.Seq2[[]Call, error]) error
}

var parquet Format // nil in a program that was built without

// Register sets what writes Parquet, before main.
func Register(f Format) struct{} {
	parquet = f
	return struct{}{}
}

// Parquet writes Parquet; it is nil in a program that was built without it.
func Parquet() Format { return parquet }
