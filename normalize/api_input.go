package normalize

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// internalFields has members of the input of a call that the program keeps and does not send back, by tool. It is the
// only place in this package that knows tools by name: what a model is sent depends on them.
var internalFields = map[string][]string{
	"ExitPlanMode":   {"plan", "planFilePath"}, // the plan is in a file; the model has written it there
	"ExitPlanModeV2": {"plan", "planFilePath"},
}

// sentInput returns the input of a call as it is sent: as the log has it from the wire, otherwise without internal
// fields. It is always an object.
func sentInput(m *Message) (jsontext.Value, bool) {
	b := m.Block
	input := b.Input
	// Newer logs have the input as it was sent.
	if wire := transcript.Field(m.Record.WireInputs, b.ID); transcript.Kind(wire) == '{' {
		return wire, true
	}
	if transcript.Kind(input) == '"' { // some writers put the JSON into a string
		if inner := jsontext.Value(transcript.String(input)); transcript.Kind(inner) == '{' && inner.IsValid() {
			input = inner
		}
	}
	if transcript.Kind(input) != '{' {
		return jsontext.Value("{}"), false
	}
	return omit(input, internalFields[b.Name]), true
}

// omit returns an object without some of its members.
func omit(v jsontext.Value, names []string) jsontext.Value {
	if len(names) == 0 {
		return v
	}
	gone := make(map[string]bool)
	for _, n := range names {
		gone[n] = true
	}
	out := []byte{'{'}
	for name, value := range transcript.Members(v) {
		if gone[name] {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, name) // the name was decoded from JSON
		out = append(append(out, ':'), value...)
	}
	return append(out, '}')
}
