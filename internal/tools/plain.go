package tools

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// Tools that need no code: they have an icon, a label, and the name of the input that they are about.
var (
	_ = plain("EnterPlanMode", "plan", "Plan mode", "")
	_ = plain("TeamCreate", "agent", "New team", "team_name")
	_ = plain("TeamDelete", "agent", "Team ended", "team_name")
	_ = plain("ListAgents", "agent", "List agents", "")
	_ = plain("ListPeers", "agent", "List agents", "")
	_ = plain("EndConversation", "stop", "End conversation", "")
	_ = plain("Monitor", "bell", "Monitor", "description")
	_ = plain("ScheduleWakeup", "clock", "Wake up later", "reason")
	_ = plain("CronCreate", "clock", "Schedule", "cron")
	_ = plain("CronList", "clock", "List schedules", "")
	_ = plain("CronDelete", "clock", "Unschedule", "id")
	_ = plain("EnterWorktree", "git", "Enter worktree", "name")
	_ = plain("ExitWorktree", "git", "Leave worktree", "action")
	_ = plain("PushNotification", "bell", "Notify", "message")
	_ = plain("RemoteTrigger", "bell", "Trigger", "action")
	_ = plain("SendUserFile", "file", "Send file", "caption")
	_ = plain("ListMcpResourcesTool", "plug", "List resources", "server")
	_ = plain("ReadMcpResourceTool", "plug", "Read resource", "uri")
	_ = plain("ReadMcpResourceDirTool", "plug", "List resources", "uri")
	_ = plain("WaitForMcpServers", "plug", "Wait for servers", "")
	_ = plain("DesignSync", "symbol", "Sync design", "method")
	_ = plain("Artifact", "file", "Artifact", "file_path")
	_ = plain("ShareOnboardingGuide", "skill", "Share guide", "")
	_ = plain("StructuredOutput", "table", "Structured output", "")
	_ = plain("LSP", "symbol", "LSP", "operation")
	_ = plain("lsp", "symbol", "LSP", "operation")
	_ = plain("list_mcp_resources", "plug", "List resources", "server")
	_ = plain("list_mcp_resource_templates", "plug", "List resources", "server")
	_ = plain("read_mcp_resource", "plug", "Read resource", "uri")
	_ = plain("tool_suggest", "gear", "Suggest a tool", "tool_name")
	_ = plain("load_workspace_dependencies", "gear", "Load dependencies", "")
	_ = plain("create_goal", "plan", "Goal", "objective")
	_ = plain("update_goal", "plan", "Goal", "status")
	_ = plain("get_goal", "plan", "Goal", "")
	_ = said("SubagentHandback", "agent", "Hand back", "message", "")
	_ = said("SendUserMessage", "message", "Message", "message", "")
	_ = said("Brief", "message", "Message", "message", "")
	_ = said("send_message_to_user_async", "message", "Message", "message", "")
	_ = said("SendFeedback", "message", "Feedback", "details", "title")
)

// plain registers a tool whose input is listed and whose result is a text; target names the input that is the target,
// "" for none.
func plain(name, icon, label, target string) struct{} {
	return register(Tool{Name: name, Icon: icon, Label: label, Describe: func(c *Call) error {
		c.listed(target)
		return nil
	}})
}

func (c *Call) listed(target string) {
	c.asItIs(target)
	c.Content[0].Words = true
	if target != "" {
		c.Target = words.Line(transcript.TextOf(transcript.Field(c.group.Call.Block.Input, target)), 160)
	}
}

// said registers a tool with prose in its input: in the first member that exists of those in texts. target names the
// input that is the target, "" for the beginning of the prose.
func said(name, icon, label, texts, target string) struct{} {
	return register(prose(name, icon, label, texts, target))
}

// final registers a tool by which the model reports that its work is done, with its last words in the first member that
// exists of those in texts, "" for none.
func final(name, label, texts string) struct{} {
	t := prose(name, "todo", label, texts, "")
	t.Final, t.LastWords = true, texts
	return register(t)
}

// asks registers a tool that asks the human a question.
func asks(name string) struct{} {
	t := prose(name, "question", "Question", "question", "")
	t.Action = Ask
	return register(t)
}

func prose(name, icon, label, texts, target string) Tool {
	return Tool{Name: name, Icon: icon, Label: label, Describe: func(c *Call) error {
		c.listed(target)
		name, said := firstProse(c.group.Call.Block.Input, texts)
		if said == "" {
			return nil
		}
		c.Prose = true
		c.Content[0].Without = name
		c.Content = append([]Section{{Shape: Prose, Given: true, Text: said}}, c.Content...)
		if c.Target == "" {
			c.Target = markup.Excerpt(said, 160)
		}
		return nil
	}}
}

// firstProse returns the first member of an input that has a text, of those in names.
func firstProse(in jsontext.Value, names string) (name, text string) {
	for name := range strings.FieldsSeq(names) {
		if text := transcript.String(transcript.Field(in, name)); text != "" {
			return name, text
		}
	}
	return "", ""
}

// Final reports whether a call says that the work is done, and the last words of the model in it.
func Final(g *normalize.Group) (lastWords string, ok bool) {
	if g.Call == nil {
		return "", false
	}
	in := g.Call.Block.Input
	t := toolOf(g.Call.Name, in)
	if t == nil || !t.Final {
		return "", false
	}
	_, lastWords = firstProse(in, t.LastWords)
	return lastWords, true
}
