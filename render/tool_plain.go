package render

import (
	"slices"

	"viewer/internal/markup"
	"viewer/internal/transcript"
)

// Tools whose input and result say it all: they have an icon, a name in the
// reader's words, and the one input that they are about.
var (
	_ = register(tools, "EnterPlanMode", "plain", viewPlain("plan", "Plan mode", ""))
	_ = register(tools, "TeamCreate", "plain", viewPlain("agent", "New team", "team_name"))
	_ = register(tools, "TeamDelete", "plain", viewPlain("agent", "Team ended", "team_name"))
	_ = register(tools, "ListAgents", "plain", viewPlain("agent", "List agents", ""))
	_ = register(tools, "Monitor", "plain", viewPlain("bell", "Monitor", "description"))
	_ = register(tools, "ScheduleWakeup", "plain", viewPlain("clock", "Wake up later", "reason"))
	_ = register(tools, "CronCreate", "plain", viewPlain("clock", "Schedule", "cron"))
	_ = register(tools, "CronList", "plain", viewPlain("clock", "List schedules", ""))
	_ = register(tools, "CronDelete", "plain", viewPlain("clock", "Unschedule", "id"))
	_ = register(tools, "EnterWorktree", "plain", viewPlain("git", "Enter worktree", "name"))
	_ = register(tools, "ExitWorktree", "plain", viewPlain("git", "Leave worktree", "action"))
	_ = register(tools, "PushNotification", "plain", viewPlain("bell", "Notify", "message"))
	_ = register(tools, "RemoteTrigger", "plain", viewPlain("bell", "Trigger", "action"))
	_ = register(tools, "SendUserFile", "plain", viewPlain("file", "Send file", "caption"))
	_ = register(tools, "ListMcpResourcesTool", "plain", viewPlain("plug", "List resources", "server"))
	_ = register(tools, "ReadMcpResourceTool", "plain", viewPlain("plug", "Read resource", "uri"))
	_ = register(tools, "WaitForMcpServers", "plain", viewPlain("plug", "Wait for servers", ""))
	_ = register(tools, "DesignSync", "plain", viewPlain("symbol", "Sync design", "method"))
	_ = register(tools, "Artifact", "plain", viewPlain("file", "Artifact", "file_path"))
	_ = register(tools, "ShareOnboardingGuide", "plain", viewPlain("skill", "Share guide", ""))
	_ = register(tools, "StructuredOutput", "plain", viewPlain("table", "Structured output", ""))
	_ = register(tools, "SubagentHandback", "plain", viewSaid("agent", "Hand back", "message", ""))
	_ = register(tools, "SendFeedback", "plain", viewSaid("message", "Feedback", "details", "title"))
	_ = register(tools, "LSP", "plain", viewPlain("symbol", "LSP", "operation"))
)

// viewSaid shows the input that is written in words as such, and the others as fields; target
// names the input that stands on the row, "" for the beginning of the words.
func viewSaid(icon, label, words, target string) func(call) (anyTool, error) {
	return func(c call) (anyTool, error) {
		v, err := viewPlain(icon, label, target)(c)
		said := transcript.String(transcript.Field(c.Call.Block.Input, words))
		if said == "" {
			return v, err
		}
		v.Prose = true
		v.Input = slices.DeleteFunc(v.Input, func(f field) bool { return f.Name == words })
		v.Text = c.d.passage(said, c.Head().Anchor)
		if v.Target == "" {
			v.Target = markup.Excerpt(said, 160)
		}
		return v, err
	}
}

// viewPlain shows the input as fields and the result as text; target names the
// input that stands on the row, "" for none.
func viewPlain(icon, label, target string) func(call) (anyTool, error) {
	return func(c call) (anyTool, error) {
		v := newAnyTool(c, icon)
		v.Label = label
		v.Target = ""
		if target != "" {
			v.Target = oneLine(transcript.TextOf(transcript.Field(c.Call.Block.Input, target)), 160)
		}
		var rest []field
		for _, f := range v.Input {
			if f.Name != target || f.Value != v.Target {
				rest = append(rest, f)
			}
		}
		v.Input = spoken(rest)
		return v, nil
	}
}
