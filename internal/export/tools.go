package export

import (
	"bytes"
	"cmp"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// errTools is wrapped with the form of a list of tools.
var errTools = errors.New("not a list of tools")

// ToolNames reads the tools of a request: a JSON array of names or of tools with a name, alone or as the member "tools"
// of an object.
func ToolNames(data []byte) (map[string]bool, error) {
	v := jsontext.Value(bytes.TrimPrefix(data, []byte("\ufeff"))) // editors of Windows write a byte order mark
	if !v.IsValid() {
		return nil, errTools
	}
	if list := transcript.Field(v, "tools"); list != nil {
		v = list
	}
	if transcript.Kind(v) != '[' {
		return nil, errTools
	}
	names := make(map[string]bool)
	for e := range transcript.Elements(v) {
		name := cmp.Or(transcript.String(e), transcript.String(transcript.Field(e, "name")))
		if name == "" {
			return nil, errTools
		}
		names[name] = true
	}
	return names, nil
}
