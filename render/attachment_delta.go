package render

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/render/page"
)

// Lists that changed: tools, agents, instructions of MCP servers.
var (
	_ = register(attachments, "deferred_tools_delta", "attached", viewDelta("gear", "Tools", "tool", "tools"))
	_ = register(attachments, "deferred_tools_record", "attached", viewDelta("gear", "Tools", "tool", "tools"))
	_ = register(attachments, "agent_listing_delta", "attached", viewDelta("agent", "Agents", "agent", "agents"))
	_ = register(attachments, "mcp_instructions_delta", "attached",
		viewDelta("plug", "Instructions of MCP servers", "server", "servers"))
)

func viewDelta(icon, what, one, many string) func(event) (attached, error) {
	return func(e event) (attached, error) {
		var in struct {
			AddedNames, AddedTypes, AddedLines, AddedBlocks, RemovedNames, RemovedTypes, ReaddedNames,
			PendingMcpServers jsontext.Value
		}
		if err := e.decode(&in); err != nil {
			return attached{}, err
		}
		added := append(texts(in.AddedNames), texts(in.AddedTypes)...)
		removed := append(texts(in.RemovedNames), texts(in.RemovedTypes)...)
		v := attached{line: quiet(icon, what)}
		if n := len(added); n > 0 {
			v.Facts = append(v.Facts, page.Fact{Text: "+" + plural(n, one, many), Look: "add", Main: true})
		}
		if n := len(removed); n > 0 {
			v.Facts = append(v.Facts, page.Fact{Text: "−" + plural(n, one, many), Look: "del", Main: true})
		}
		hunk := deltaHunk(added, removed)
		if len(hunk.Lines) > 0 {
			v.Blocks = append(v.Blocks, e.d.diff([]markup.Hunk{hunk}, ""))
		}
		for _, value := range []jsontext.Value{in.AddedLines, in.AddedBlocks} {
			lines := texts(value)
			// The lines of tools are mostly their names.
			isShown := slices.EqualFunc(lines, hunk.Lines[len(removed):], func(line, shown string) bool {
				return "+"+line == shown
			})
			if !isShown {
				v.Blocks = append(v.Blocks, e.d.plain(strings.Join(lines, "\n")))
			}
		}
		names := func(label string, value jsontext.Value) {
			if all := texts(value); len(all) > 0 {
				v.Rows = append(v.Rows, e.d.field(label, strings.Join(all, ", ")))
			}
		}
		names("again", in.ReaddedNames)
		names("servers not ready yet", in.PendingMcpServers)
		// What is left says which words the model was sent with the list.
		v.Rows = append(v.Rows, e.rest("addedNames", "addedTypes", "addedLines", "addedBlocks", "removedNames",
			"removedTypes", "readdedNames", "pendingMcpServers", "isInitial", "showConcurrencyNote")...)
		return v, nil
	}
}

// deltaHunk lists names as a diff does.
func deltaHunk(added, removed []string) markup.Hunk {
	h := markup.Hunk{OldStart: 1, NewStart: 1}
	for _, s := range removed {
		h.Lines = append(h.Lines, "-"+oneLine(s, 200))
	}
	for _, s := range added {
		h.Lines = append(h.Lines, "+"+oneLine(s, 200))
	}
	return h
}
