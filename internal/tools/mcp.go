package tools

import "strings"

// mcp__* stands for all tools of MCP servers: mcp__server__tool.
var _ = register(Tool{Name: "mcp__*", Icon: "plug", Describe: describeMCP})

func describeMCP(c *Call) error {
	c.asItIs("")
	c.Target = firstShort(c.group.Call.Block.Input)
	server, tool := serverOf(c.group.Call)
	if server == "" {
		return nil
	}
	if tool != "" {
		c.Label = strings.ReplaceAll(tool, "_", " ")
	}
	c.fact(server)
	c.Content[0].Label = "Sent to " + server
	return nil
}
