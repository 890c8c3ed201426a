// Package kiro reads the sessions of Kiro's command line: conversations in its database, one document each, and logs of
// its later engines, which are lines of messages or of events with a document beside them. It never opens a file, and
// never reads another table of the database, since these hold credentials.
package kiro

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"path"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/sqlite"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Kiro.
type Source struct{ sources.Defaults }

var (
	_ sources.Splitter = Source{}
	_ sources.Joiner   = Source{}
)

// Writer reports that conversations do not tell what the model was sent.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Kiro", NotSent: true} }

// rowHead is the first member of a conversation from the database: its id. The row and its folder follow.
const rowHead = "kiroConversation"

// Match accepts documents with the id of a conversation and its history, and logs that begin with a message or an
// event.
func (Source) Match(head sources.Head) bool {
	if isLine(head) {
		return true
	}
	id := false
	for name, value := range head.Members() {
		switch name {
		case rowHead:
			return true
		case "conversation_id":
			id = true
		case "history":
			return id && (value == nil || transcript.Kind(value) == '[')
		case "type", "role", "messages", "sessionId", "uuid":
			return false
		}
	}
	return false
}

// isLine reports whether the first line of a log is a message of the second engine, or an event of the third.
func isLine(head sources.Head) bool {
	if head.Has(sessionMember) {
		return true
	}
	switch kind := transcript.String(head.Value("kind")); kind {
	case kindPrompt, kindAnswer, kindResults, kindCompaction, kindClear, kindReset, kindCancelled:
		return head.Has("data", "version") && !head.Has("type", "role", "sessionId")
	}
	if !head.Has("payload") || !head.Has("timestamp", "id") || head.Has("type", "role", "sessionId") {
		return false
	}
	kind := transcript.String(transcript.Field(head.Value("payload"), "type"))
	if kind == "" { // the payload may be cut off
		kind = sources.FirstString(head.Data, "type")
	}
	return events[kind]
}

// FolderOf returns the folder of the row or of the log, or the first one that a prompt was given in.
func (Source) FolderOf(head []byte) string {
	for name, value := range sources.HeadMembers(head) {
		switch name {
		case "folder":
			return transcript.String(value)
		case sessionMember:
			return transcript.String(transcript.Field(value, "cwd"))
		}
	}
	return sources.FirstString(head, currentFolder)
}

// currentFolder is the member of the environment of a prompt with the working directory.
const currentFolder = "current_working_directory"

// Folders returns where the program keeps its logs and its database. The third engine ignores KIRO_HOME.
func (Source) Folders(getenv func(string) string, home string) []string {
	var all []string
	if dir := getenv("KIRO_HOME"); dir != "" {
		all = append(all, dir+"/sessions")
	}
	if home != "" {
		all = append(all, home+"/.kiro/sessions")
		data := cmp.Or(getenv("XDG_DATA_HOME"), home+"/.local/share")
		all = append(all, home+"/Library/Application Support/kiro-cli", data+"/kiro-cli")
	}
	if dir := getenv("LOCALAPPDATA"); dir != "" {
		all = append(all, dir+"/kiro-cli")
	}
	return all
}

// databaseFile is the name of the database.
const databaseFile = "data.sqlite3"

// MayHold accepts the database.
func (Source) MayHold(p string) bool { return path.Base(p) == databaseFile }

// tables hold conversations; the older one has one for each folder.
var tables = []string{"conversations_v2", "conversations"}

// Split finds the conversations in a database. Whatever the names of its columns, a conversation is a text that is a
// JSON object with a history, and its folder an absolute path in the same row.
func (Source) Split(data io.ReaderAt, size int64) ([]sources.Part, error) {
	db, err := sqlite.Open(data, size)
	if db == nil {
		return nil, err
	}
	var parts []sources.Part
	var damage sqlite.Damage
	damage.Add(err)
	for _, name := range tables {
		table := db.Table(name)
		for row := range damage.Rows(table) {
			if p, ok := partOf(table, row, len(parts)); ok {
				parts = append(parts, p)
			}
		}
	}
	if len(parts) == 0 && (db.Table(tables[0]) == nil || !db.Table(tables[0]).Has("value")) {
		return nil, nil // of another program
	}
	return parts, damage.Err()
}

// partOf returns the conversation of a row, and whether it has one.
func partOf(table *sqlite.Table, row *sqlite.Row, n int) (sources.Part, bool) {
	value, folder := -1, ""
	sum := fnv.New64a()
	for i := range table.Columns {
		text := row.Bytes(i)
		_ = binary.Write(sum, binary.LittleEndian, int64(len(text)))
		sum.Write(text)
		switch v := jsontext.Value(text); {
		case transcript.Kind(v) == '{' && transcript.Valid(v) && transcript.Field(v, "history") != nil:
			value = i
		case len(text) > 1 && text[0] == '/' || len(text) > 2 && text[1] == ':':
			folder = string(text)
		}
	}
	if row.Err() != nil || value < 0 {
		return sources.Part{}, false
	}
	at, column := row.Place(), table.Columns[value]
	id := cmp.Or(transcript.String(transcript.Field(row.Bytes(value), "conversation_id")),
		"conversation-"+strconv.Itoa(n+1))
	read := func() ([]byte, error) {
		row, err := table.Row(at, column)
		if err != nil {
			return nil, err
		}
		v := jsontext.Value(row.Bytes(0))
		if err := row.Err(); err != nil {
			return nil, err
		}
		if !transcript.Valid(v) {
			return nil, errors.New("the conversation of the row is not JSON")
		}
		return sources.Make(rowHead, id, "folder", folder, "conversation", v), nil
	}
	return sources.Part{Name: id, Size: int64(row.Size(value)), Version: max(sum.Sum64(), 1), Read: read}, true
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
