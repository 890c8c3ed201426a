package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

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
	for _, f := range []field{
		{Name: "folder", Value: string(in.CWD)}, {Name: "permissions",
			Value: string(in.PermissionMode)}, {Name: "key from", Value: string(in.APIKeySource)},
		{Name: "version", Value: string(in.ClaudeCodeVersion)}, {Name: "output style", Value: string(in.OutputStyle)},
		{Name: "commands", Value: strings.Join(texts(in.SlashCommands), ", ")}, {Name: "agents",
			Value: strings.Join(texts(in.Agents), ", ")},
		{Name: "skills", Value: strings.Join(texts(in.Skills), ", ")},
	} {
		if f.Value != "" {
			v.Rows = append(v.Rows, f)
		}
	}
	for _, s := range in.McpServers {
		v.Rows = append(v.Rows, field{Name: "MCP server",
			Value: strings.Join(nonEmpty(string(s.Name), string(s.Status)), ", ")})
	}
	if n := len(texts(in.Tools)); n > 0 {
		v.Text += dot + plural(n, "tool", "tools")
		v.Tools = e.d.plain(strings.Join(texts(in.Tools), "\n"))
	}
	return v, nil
}
