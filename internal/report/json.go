package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"viewer/internal/console"
)

// JSON writes the facts for programs. run(i) returns the JSON of a run, which was written when its session was read.
func JSON(w io.Writer, f Facts, run func(i int) ([]byte, error)) error {
	head, err := encode(f, "")
	if err != nil {
		return err
	}
	const none = "[]\n}\n" // the runs come last
	end := []byte(none)
	if f.Sessions > 0 {
		head, end = append(bytes.TrimSuffix(head, end), '['), []byte("\n ]\n}\n")
	} else {
		head = bytes.TrimSuffix(head, end)
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	for i := range f.Sessions {
		text, err := run(i)
		if err != nil {
			return err
		}
		before := "\n  "
		if i > 0 {
			before = ",\n  "
		}
		if _, err := w.Write(append([]byte(before), text...)); err != nil {
			return err
		}
	}
	_, err = w.Write(end)
	return err
}

// json returns the JSON of a run in the list of runs.
func (r *Run) json() ([]byte, error) {
	data, err := encode(r, "  ")
	return bytes.TrimSuffix(data, []byte("\n")), err
}

func encode(v any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, " ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("writing JSON: %w", err)
	}
	return console.JSON(b.Bytes()), nil
}
