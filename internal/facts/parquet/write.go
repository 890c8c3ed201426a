//go:build parquet

package parquet

import (
	"io"
	"iter"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"viewer/internal/facts"
)

// Tables writes tables in Parquet.
type Tables struct{}

// groupRows is the number of rows in a row group, which are in memory at a time.
const groupRows = 64 << 10

// options returns the options of each table. Without an explicit name and version the library writes its own version,
// which depends on the build.
func options() []parquet.WriterOption {
	return []parquet.WriterOption{
		parquet.CreatedBy("viewer", "1", "0"), parquet.Compression(&zstd.Codec{Level: zstd.DefaultLevel}),
		parquet.MaxRowsPerRowGroup(groupRows),
	}
}

// WriteSessions writes the table of sessions.
func (Tables) WriteSessions(w io.Writer, rows []facts.Session) error {
	out := parquet.NewGenericWriter[facts.Session](w, options()...)
	if _, err := out.Write(rows); err != nil {
		return err
	}
	return out.Close()
}

// WriteCalls writes the table of calls.
func (Tables) WriteCalls(w io.Writer, portions iter.Seq2[[]facts.Call, error]) error {
	out := parquet.NewGenericWriter[facts.Call](w, options()...)
	for rows, err := range portions {
		if err != nil {
			return err
		}
		if _, err := out.Write(rows); err != nil {
			return err
		}
	}
	return out.Close()
}
