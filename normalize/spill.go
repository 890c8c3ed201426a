package normalize

import (
	"strings"

	"viewer/internal/transcript"
)

// SpilledOutput returns the name of the file with the whole output of a call, in the tool-results folder of the
// session, "" if the log has all of it. The log has a path of the machine that wrote it, of which only the last element
// is used.
func SpilledOutput(g *Group) string {
	if g.Result == nil {
		return ""
	}
	path := transcript.String(transcript.Field(g.Result.Structured(), "persistedOutputPath"))
	if path == "" {
		for _, b := range g.Result.Block.Content {
			switch {
			case strings.HasPrefix(b.Text, "<persisted-output>"):
				_, after, _ := strings.Cut(b.Text, "saved to: ")
				path, _, _ = strings.Cut(after, "\n")
			case strings.HasPrefix(b.Text, "Error: result (") && strings.Contains(b.Text, tooLong):
				_, after, _ := strings.Cut(b.Text, tooLong)
				path, _, _ = strings.Cut(after, "\n")
				path = strings.TrimSuffix(path, ".")
			}
		}
	}
	name := baseName(strings.TrimSpace(path))
	if path == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, "/\\\x00") {
		return ""
	}
	return name
}

// tooLong stands before the path in a result of an MCP server that is too long for the model.
const tooLong = ") exceeds maximum allowed tokens. Output has been saved to "
