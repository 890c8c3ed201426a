package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/words"
	"viewer/render/page"
)

// The first message of an SDK stream: the options of the session.
var _ = register(systems, "init", "init", viewInit)

type sessionInit struct {
	line
	Rows  []field
	Tools *output
}

func viewInit(e event) (sessionInit, error) {
	var in struct {
		CWD, Model, PermissionMode, APIKeySource, ClaudeCodeVersion, OutputStyle text
		Tools, SlashCommands, Agents, Skills                                     jsontext.Value
		McpServers                                                               []struct{ Name, Status text }
	}
	if err := e.decode(&in); err != nil {
		return sessionInit{}, err
	}
	v := sessionInit{line: line{Icon: "gear", Text: "Session started", Level: atEverything, Look: "note"}}
	v.Facts = page.Facts(oneLine(string(in.Model), 60))
	v.Rows = filled(
		field{Name: "folder", Value: string(in.CWD)},
		field{Name: "permissions", Value: string(in.PermissionMode)},
		field{Name: "key from", Value: string(in.APIKeySource)},
		field{Name: "version", Value: string(in.ClaudeCodeVersion)},
		field{Name: "output style", Value: string(in.OutputStyle)},
		field{Name: "commands", Value: strings.Join(texts(in.SlashCommands), ", ")},
		field{Name: "agents", Value: strings.Join(texts(in.Agents), ", ")},
		field{Name: "skills", Value: strings.Join(texts(in.Skills), ", ")},
	)
	for _, s := range in.McpServers {
		v.Rows = append(v.Rows, field{Name: "MCP server",
			Value: strings.Join(words.NonEmpty(string(s.Name), string(s.Status)), ", ")})
	}
	if n := len(texts(in.Tools)); n > 0 {
		v.Text += dot + plural(n, "tool", "tools")
		v.Tools = e.d.plain(strings.Join(texts(in.Tools), "\n"))
	}
	return v, nil
}
