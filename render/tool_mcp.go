package render

import (
	"strings"

	"viewer/internal/transcript"
)

// mcp__* stands for all tools of MCP servers: mcp__server__tool.
var _ = register(tools, "mcp__*", "mcp", viewMCP)

type mcp struct {
	anyTool
	Server string
}

func viewMCP(c call) (mcp, error) {
	v := mcp{anyTool: newAnyTool(c, "plug")}
	if c.Call.Block.Type == "mcp_tool_use" { // the server ran it, and the block says which
		v.Server = oneLine(transcript.TextOf(transcript.Field(c.Call.Block.Raw, "server_name")), 40)
		v.Facts = facts(v.Server)
		return v, nil
	}
	server, tool, ok := strings.Cut(strings.TrimPrefix(c.Call.Name, "mcp__"), "__")
	if !ok {
		return v, nil
	}
	v.Server = strings.TrimPrefix(server, "plugin_")
	v.Label = strings.ReplaceAll(tool, "_", " ")
	v.Facts = facts(oneLine(v.Server, 40))
	return v, nil
}
