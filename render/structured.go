package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// foldedOutput is a rarely needed output of a call, folded under a title.
type foldedOutput struct {
	Title  string
	Output *output
}

// structured returns the structured result of a call without a specific drawing, and the data of a server of the Model
// Context Protocol besides its answer.
func (p *pageState) structured(m *normalize.Message) []foldedOutput {
	if m == nil {
		return nil
	}
	var all []foldedOutput
	add := func(title string, v jsontext.Value) {
		if v != nil && !isMeaningless(v) {
			all = append(all, foldedOutput{title, p.code(transcript.Pretty(v), "json")})
		}
	}
	switch v := m.Structured(); transcript.Kind(v) {
	case '{':
		add("Structured result", v)
	case '[':
		if !isContent(v) {
			add("Structured result", v)
		}
	case '"': // nearly always the text for the model
		text, _ := resultText(m)
		if s := strings.TrimSpace(transcript.String(v)); s != "" && !strings.Contains(s, strings.TrimSpace(text)) &&
			!strings.Contains(text, s) {
			all = append(all, foldedOutput{"Structured result", p.plain(s)})
		}
	}
	for name, value := range transcript.Members(m.ServerMeta()) {
		switch name {
		case "structuredContent":
			add("Structured content", value)
		case "_meta":
			add("About the result", value)
		default:
			add(oneLine(name, 60), value)
		}
	}
	return all
}

// isContent reports whether a list has only content blocks, which the model was given.
func isContent(v jsontext.Value) bool {
	for e := range transcript.Elements(v) {
		switch transcript.String(transcript.Field(e, "type")) {
		case "text", "image", "document", "resource", "resource_link", "tool_reference":
		default:
			return false
		}
	}
	return true
}
