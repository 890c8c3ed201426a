// Package zed reads the threads of Zed's agent from its database, in which each row holds one as JSON, packed or not.
// It never opens a file.
package zed

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"path"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/zstd"

	"viewer/internal/sources"
	"viewer/internal/sqlite"
	"viewer/internal/transcript"
)

// A Source reads the threads of Zed.
type Source struct{ sources.Defaults }

var _ sources.Splitter = Source{}

// Writer reports that threads do not tell what the model was sent.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Zed", NotSent: true} }

// rowHead is the first member of a thread from the database: its id. The other columns of the row follow, then what it
// holds.
const rowHead = "zedThread"

// Wants returns false: MayHold accepts the database.
func (Source) Wants(string) bool { return false }

// Match accepts the form that Split gives a row.
func (Source) Match(head sources.Head) bool {
	return head.Has(rowHead)
}

// worktreePath is the member of the snapshot of a project with its folder.
const worktreePath = "worktree_path"

// FolderOf returns the folder of the project.
func (Source) FolderOf(head []byte) string { return sources.FirstString(head, worktreePath) }

// Folders returns where Zed keeps its threads.
func (Source) Folders(getenv func(string) string, home string) []string {
	var all []string
	if home != "" {
		data := cmp.Or(getenv("XDG_DATA_HOME"), home+"/.local/share")
		all = append(all, data+"/zed/threads", home+"/Library/Application Support/Zed/threads")
	}
	if dir := getenv("LOCALAPPDATA"); dir != "" {
		all = append(all, dir+"/Zed/threads")
	}
	return all
}

// MayHold accepts the database.
func (Source) MayHold(p string) bool { return path.Base(p) == "threads.db" }

// Split finds the threads in a database.
func (Source) Split(data io.ReaderAt, size int64) ([]sources.Part, error) {
	db, err := sqlite.Open(data, size)
	if db == nil || db.Table("threads") == nil || !db.Table("threads").Has("data_type") {
		return nil, err
	}
	table := db.Table("threads")
	var parts []sources.Part
	var damage sqlite.Damage
	damage.Add(err)
	for row := range damage.Rows(table, "id", "summary", "updated_at", "data_type", "data") {
		at, id, summary, updated := row.Place(), row.Text(0), row.Text(1), row.Text(2)
		if row.Err() != nil {
			continue
		}
		sum := fnv.New64a()
		fmt.Fprint(sum, summary, "\x00", updated, "\x00", row.Size(4))
		p := sources.Part{Name: id, Size: int64(row.Size(4)), Version: max(sum.Sum64(), 1)}
		p.Changed, _ = time.Parse(time.RFC3339Nano, updated)
		p.Read = func() ([]byte, error) { return readThread(table, at) }
		parts = append(parts, p)
	}
	return parts, damage.Err()
}

// most limits the size of an unpacked thread in bytes.
const most = 256 << 20

// readThread returns the thread of a row.
func readThread(table *sqlite.Table, at sqlite.Place) ([]byte, error) {
	row, err := table.Row(at, "id", "summary", "updated_at", "data_type", "data")
	if err != nil {
		return nil, err
	}
	id, kind, data := row.Text(0), row.Text(3), row.Bytes(4)
	summary, updated := row.Text(1), row.Text(2)
	if err := row.Err(); err != nil {
		return nil, err
	}
	if strings.EqualFold(kind, "zstd") {
		unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(most))
		if err != nil {
			return nil, err
		}
		defer unpack.Close()
		if data, err = unpack.DecodeAll(data, nil); err != nil {
			return nil, fmt.Errorf("thread %s cannot be unpacked: %w", id, err)
		}
	}
	if v := jsontext.Value(data); !transcript.Valid(v) {
		return nil, fmt.Errorf("thread %s is not JSON", id)
	}
	return sources.Make(rowHead, id, "summary", summary, "updated_at", updated, "thread", jsontext.Value(data)), nil
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
