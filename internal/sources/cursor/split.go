package cursor

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/sqlite"
	"viewer/internal/transcript"
)

// Names of the databases: one for each session of the command, and one of the editor with all chats.
const (
	storeFile  = "store.db"
	editorFile = "state.vscdb"
)

// The first members of a session from a database, which describe the session.
const (
	storeHead  = "cursorStore"
	editorHead = "cursorComposer"
	bubbleHead = "cursorBubble"
)

// MayHold accepts the databases.
func (Source) MayHold(p string) bool { return path.Base(p) == storeFile || path.Base(p) == editorFile }

// Split finds the sessions of a database.
func (Source) Split(data io.ReaderAt, size int64) ([]sources.Part, error) {
	db, err := sqlite.Open(data, size)
	switch {
	case db == nil:
		return nil, err
	case db.Has("blobs", "meta"):
		return splitStore(db, size, err)
	case db.Has("cursorDiskKV"):
		return splitEditor(db, err)
	}
	return nil, nil
}

// splitStore finds the session in a database of the command.
func splitStore(db *sqlite.Database, size int64, failed error) ([]sources.Part, error) {
	var damage sqlite.Damage
	damage.Add(failed)
	var meta jsontext.Value
	for row := range damage.Rows(db.Table("meta"), "key", "value") {
		value := row.Bytes(1)
		if decoded, err := hex.DecodeString(strings.TrimSpace(string(value))); err == nil {
			value = decoded
		}
		if row.Text(0) == "0" && transcript.Kind(value) == '{' && transcript.Valid(value) {
			meta = slices.Clone(value)
		}
	}
	if meta == nil {
		return nil, damage.Err()
	}
	id := transcript.String(transcript.Field(meta, "agentId"))
	read := func() ([]byte, error) { return readStore(db, meta) }
	return []sources.Part{{Name: cmp.Or(id, "session"), Size: size, Read: read}}, damage.Err()
}

// readStore returns the messages in the order in which they were written. Other blobs only link to each other.
func readStore(db *sqlite.Database, meta jsontext.Value) ([]byte, error) {
	var b []byte
	b = append(b, sources.Make(storeHead, compact(meta))...)
	b = append(b, '\n')
	for row, err := range db.Table("blobs").Rows("data") {
		if err != nil {
			b = append(b, damaged(err)...)
			continue
		}
		v := jsontext.Value(row.Bytes(0))
		if err := row.Err(); err != nil {
			b = append(b, damaged(err)...)
			continue
		}
		if len(v) == 0 || v[0] != '{' || !transcript.Valid(v) || transcript.Field(v, "role") == nil {
			continue
		}
		b = append(append(b, compact(v)...), '\n')
	}
	return b, nil
}

// damaged returns a line that says what cannot be read. It is not JSON, so it becomes a problem with a place.
func damaged(err error) string {
	return fmt.Sprintf("%s\n", strings.ReplaceAll(err.Error(), "\n", " "))
}

// compact returns JSON on one line.
func compact(v jsontext.Value) jsontext.Value {
	if slices.Contains(v, '\n') || slices.Contains(v, '\r') {
		v = slices.Clone(v)
		if v.Compact(sources.Lenient...) != nil {
			return jsontext.Value("null")
		}
	}
	return v
}

// A chat is a session of the editor: where its head and its messages are.
type chat struct {
	id      string
	head    jsontext.Value
	bubbles map[string]sqlite.Place
	size    int64
	version uint64 // hash of its messages
}

// splitEditor finds the chats of the editor. Those without messages are drafts.
func splitEditor(db *sqlite.Database, failed error) ([]sources.Part, error) {
	var damage sqlite.Damage
	damage.Add(failed)
	chats := make(map[string]*chat)
	of := func(id string) *chat {
		c := chats[id]
		if c == nil {
			c = &chat{id: id, bubbles: make(map[string]sqlite.Place)}
			chats[id] = c
		}
		return c
	}
	table := db.Table("cursorDiskKV")
	for row := range damage.Rows(table, "key", "value") {
		kind, rest, _ := strings.Cut(row.Text(0), ":")
		switch kind {
		case "composerData":
			if v := jsontext.Value(row.Bytes(1)); transcript.Kind(v) == '{' && transcript.Valid(v) {
				of(rest).head = slices.Clone(v)
			}
		case "bubbleId":
			if id, bubble, ok := strings.Cut(rest, ":"); ok {
				c := of(id)
				c.bubbles[bubble] = row.Place()
				c.size += int64(row.Size(1))
				h := fnv.New64a()
				fmt.Fprintf(h, "%s %d", bubble, row.Size(1))
				c.version += h.Sum64() // independent of their order
			}
		}
	}
	var parts []sources.Part
	for _, c := range chats {
		inline := transcript.Field(c.head, "conversation")
		if len(c.bubbles) == 0 && len(inline) <= len("[]") {
			continue
		}
		changed := transcript.Field(c.head, "lastUpdatedAt")
		p := sources.Part{Name: c.id, Size: c.size + int64(len(c.head)), Changed: sources.Milliseconds(changed)}
		if changed != nil { // otherwise a message may change and keep its length
			h := fnv.New64a()
			h.Write(c.head)
			p.Version = max(1, h.Sum64()+c.version)
		}
		p.Read = func() ([]byte, error) { return c.read(table), nil }
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b sources.Part) int { return strings.Compare(a.Name, b.Name) })
	return parts, damage.Err()
}

// read returns the head and the messages of a chat in the order of its list, and that the user stopped the last turn.
// Messages that no list contains come last: the program keeps those that the user took back.
func (c *chat) read(table *sqlite.Table) []byte {
	head := c.head
	if head == nil {
		head = sources.Make("composerId", c.id)
	}
	b := append([]byte(nil), sources.Make(editorHead, compact(head))...)
	b = append(b, '\n')
	add := func(bubble string, v jsontext.Value, unlisted bool) {
		if transcript.Kind(v) != '{' || !transcript.Valid(v) {
			return
		}
		b = append(append(b, sources.Make(bubbleHead, compact(v), "bubble", bubble, "unlisted", unlisted)...), '\n')
	}
	for v := range transcript.Elements(transcript.Field(head, "conversation")) {
		add(transcript.String(transcript.Field(v, "bubbleId")), v, false)
	}
	from := func(bubble string, at sqlite.Place, unlisted bool) {
		row, err := table.Row(at, "value")
		if err == nil {
			add(bubble, row.Bytes(0), unlisted)
			err = row.Err()
		}
		if err != nil {
			b = append(b, damaged(err)...)
		}
	}
	seen := make(map[string]bool)
	for v := range transcript.Elements(transcript.Field(head, "fullConversationHeadersOnly")) {
		bubble := transcript.String(transcript.Field(v, "bubbleId"))
		if at, ok := c.bubbles[bubble]; ok && !seen[bubble] {
			seen[bubble] = true
			from(bubble, at, false)
		}
	}
	if status := transcript.String(transcript.Field(head, "status")); status == "aborted" {
		b = append(append(b, sources.Make("type", ended, "status", status)...), '\n')
	}
	listed := len(seen) > 0
	var rest []string
	for bubble := range c.bubbles {
		if !seen[bubble] {
			rest = append(rest, bubble)
		}
	}
	slices.Sort(rest)
	for _, bubble := range rest {
		from(bubble, c.bubbles[bubble], listed)
	}
	return b
}
