package pi

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/zstd"

	"viewer/internal/sources"
	"viewer/internal/sqlite"
	"viewer/internal/transcript"
)

var _ sources.Splitter = Source{}

// databaseFile is the name of the database in which OpenClaw keeps its sessions since the autumn of 2026. Its other
// tables hold keys and are never read.
const databaseFile = "openclaw-agent.sqlite"

// MayHold accepts the database of OpenClaw.
func (Source) MayHold(p string) bool { return path.Base(p) == databaseFile }

// A stored session is where the lines of a session are in the database.
type stored struct {
	id      string
	lines   []line
	size    int64
	version uint64 // hash of the lines
	changed int64
}

// A line has its place in the session, and in the database.
type line struct {
	seq int64
	at  sqlite.Place
}

// Split finds the sessions in the database. Each row holds a line of a session, packed or not.
func (Source) Split(data io.ReaderAt, size int64) ([]sources.Part, error) {
	db, err := sqlite.Open(data, size)
	if db == nil || db.Table("transcript_events") == nil || !db.Table("transcript_events").Has("event_json") {
		return nil, err
	}
	table := db.Table("transcript_events")
	columns := []string{"session_id", "seq", "created_at", "event_json"}
	if table.Has(packed) {
		columns = append(columns, packed)
	}
	sessions := make(map[string]*stored)
	var damage sqlite.Damage
	damage.Add(err)
	for row := range damage.Rows(table, columns...) {
		id, seq, at := row.Text(0), row.Int(1), row.Int(2)
		if row.Err() != nil {
			continue
		}
		s := sessions[id]
		if s == nil {
			s = &stored{id: id}
			sessions[id] = s
		}
		length := row.Size(3)
		if len(columns) > 4 {
			length += row.Size(4)
		}
		sum := fnv.New64a()
		fmt.Fprintln(sum, seq, at, length)
		s.version += sum.Sum64() // independent of their order
		s.size += int64(length)
		s.changed = max(s.changed, at)
		s.lines = append(s.lines, line{seq, row.Place()})
	}
	var parts []sources.Part
	for _, s := range sessions {
		p := sources.Part{Name: s.id, Size: s.size, Version: max(s.version, 1)}
		if s.changed > 0 {
			p.Changed = time.UnixMilli(s.changed).UTC()
		}
		p.Read = func() ([]byte, error) { return s.read(table, columns[3:], mostUnpacked) }
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b sources.Part) int { return strings.Compare(a.Name, b.Name) })
	return parts, damage.Err()
}

// packed is the column of lines that are packed, which newer databases have.
const packed = "event_zstd"

// mostUnpacked limits the size of the unpacked lines of a session in bytes: a few bytes can unpack to any size.
const mostUnpacked = 256 << 20

// read returns the lines of a session, in their order. A line that cannot be read says why. It is not JSON, so it
// becomes a problem with a place.
func (s *stored) read(table *sqlite.Table, columns []string, most int) ([]byte, error) {
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostUnpacked))
	if err != nil {
		return nil, err
	}
	defer unpack.Close()
	lines := slices.Clone(s.lines)
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.seq, b.seq) })
	var b []byte
	unpacked := 0
	for _, l := range lines {
		v, n, err := l.read(table, columns, unpack)
		if unpacked += n; unpacked > most {
			b = fmt.Appendf(b, "line %d and those after it are left out: they unpack to more than %d MB\n", l.seq,
				most>>20)
			break
		}
		if err != nil {
			v = []byte(strings.ReplaceAll(err.Error(), "\n", " "))
		}
		b = append(append(b, v...), '\n')
	}
	return b, nil
}

// read returns the line on one line, and how many of its bytes were unpacked.
func (l line) read(
	table *sqlite.Table, columns []string, unpack *zstd.Decoder,
) (v jsontext.Value, unpacked int, err error) {
	row, err := table.Row(l.at, columns...)
	if err != nil {
		return nil, 0, err
	}
	v = bytes.Clone(row.Bytes(0))
	if len(v) == 0 && len(columns) > 1 && row.Size(1) > 0 {
		if v, err = unpack.DecodeAll(row.Bytes(1), nil); err != nil {
			return nil, len(v), fmt.Errorf("line %d cannot be unpacked: %w", l.seq, err)
		}
		unpacked = len(v)
	}
	if err := row.Err(); err != nil {
		return nil, unpacked, err
	}
	if bytes.ContainsAny(v, "\r\n") && transcript.Valid(v) {
		if err := v.Compact(sources.Lenient...); err != nil {
			return nil, unpacked, err
		}
	}
	return bytes.ReplaceAll(v, []byte("\n"), []byte(" ")), unpacked, nil
}
