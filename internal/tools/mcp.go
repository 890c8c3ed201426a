package tools

import (
	"strings"

	"viewer/internal/transcript"
	"viewer/internal/words"
)

// mcp__* stands for all tools of MCP servers: mcp__server__tool.
var _ = register(Tool{Name: "mcp__*", Icon: "plug", Describe: describeMCP})

func describeMCP(c *Call) error {
	c.asItIs("")
	c.Target = firstShort(c.group.Call.Block.Input)
	server := ""
	if c.group.Call.Block.Type == "mcp_tool_use" { // the server ran it, and the block says which
		server = words.Line(transcript.TextOf(transcript.Field(c.group.Call.Block.Raw, "server_name")), 40)
	} else {
		name, tool, ok := strings.Cut(strings.TrimPrefix(c.group.Call.Name, "mcp__"), "__")
		if !ok {
			return nil
		}
		server = strings.TrimPrefix(name, "plugin_")
		c.Label = strings.ReplaceAll(tool, "_", " ")
	}
	c.fact(words.Line(server, 40))
	if server != "" {
		c.Content[0].Label = "Sent to " + server
	}
	return nil
}
