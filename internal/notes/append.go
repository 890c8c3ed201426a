package notes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// entryJSON is a note as Append writes it.
type entryJSON struct {
	Session string `json:"session"`
	Anchor  string `json:"anchor,omitempty"`
	Author  string `json:"author,omitempty"`
	Label   string `json:"label,omitempty"`
	Text    string `json:"text"`
}

// Append adds a note to the content of a file of notes in JSON, "" for a new file, and keeps everything in it. It fails
// if the content is something else.
func Append(data []byte, n Note) ([]byte, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return indented(map[string][]entryJSON{"notes": {encoded(n)}})
	}
	var first json.RawMessage
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&first); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if err := d.Decode(new(json.RawMessage)); !errors.Is(err, io.EOF) { // one value on each line
		if err != nil {
			return nil, fmt.Errorf("not JSON: %w", err)
		}
		return appendLine(data, n)
	}
	var list []json.RawMessage
	if json.Unmarshal(first, &list) == nil {
		return indented(append(list, raw(n)))
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(first, &object); err != nil {
		return nil, errors.New("neither a list nor an object")
	}
	for _, member := range []string{"notes", "findings"} {
		if json.Unmarshal(object[member], &list) != nil {
			continue
		}
		all, err := json.Marshal(append(list, raw(n)))
		if err != nil {
			return nil, err
		}
		object[member] = all
		return indented(object)
	}
	return appendLine(data, n)
}

// appendLine adds a note as one line.
func appendLine(data []byte, n Note) ([]byte, error) {
	return append(append(append(bytes.TrimRight(bytes.Clone(data), " \t\r\n"), '\n'), raw(n)...), '\n'), nil
}

func encoded(n Note) entryJSON { return entryJSON{n.Session, n.Anchor, n.Author, n.Label, n.Text} }

// raw returns a note as JSON.
func raw(n Note) json.RawMessage {
	data, err := json.Marshal(encoded(n))
	if err != nil {
		panic(err) // texts can be encoded
	}
	return data
}

func indented(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err
}
