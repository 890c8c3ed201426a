package tools

import (
	"strings"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// backgroundTask returns the id of the command in the background that a call started, "" for none.
func backgroundTask(g *normalize.Group) string {
	if g.Result == nil {
		return ""
	}
	return transcript.TextOf(transcript.Field(g.Result.Structured(), "backgroundTaskId"))
}

// launchedTask returns the id of the agent or workflow in the background that a call started, "" for none.
func launchedTask(g *normalize.Group) string {
	result := g.Result.Structured()
	if transcript.String(transcript.Field(result, "status")) != "async_launched" {
		return ""
	}
	if id := transcript.TextOf(transcript.Field(result, "agentId")); id != "" {
		return id
	}
	return transcript.TextOf(transcript.Field(result, "taskId"))
}

// backgroundEnds returns how commands, agents and workflows in the background ended, by the calls that started them:
// from reports of the program, and from calls that stopped them or asked for the output.
func backgroundEnds(c *normalize.Conversation) Ends {
	ends := make(Ends)
	started := make(map[string]*normalize.Group) // by the id of the task and the id of the call
	note := func(end string, ids ...string) {
		for _, id := range ids {
			if g := started[id]; g != nil && end != "" {
				if ends[g] != Stopped {
					ends[g] = end
				}
				return
			}
		}
	}
	for g := range c.Groups() {
		if g.Call == nil || g.Result == nil {
			continue
		}
		id := ""
		switch t := toolOf(g.Call.Name, g.Call.Block.Input); {
		case t == nil:
		case t.Action == Run:
			id = backgroundTask(g)
		case t.Action == Delegate:
			id = launchedTask(g)
		}
		if id != "" {
			started[id], started[g.Call.Block.ID] = g, g
		} else if len(started) > 0 {
			end, id := askedEnd(g)
			note(end, id)
		}
	}
	if len(started) == 0 {
		return ends
	}
	for _, m := range c.Messages {
		switch {
		case m.Kind == normalize.Notification:
			for _, tag := range m.Tags {
				end := reportedEnd(tag.Element("status"), tag.Element("summary"))
				note(end, tag.Element("task-id"), tag.Element("tool-use-id"))
			}
		case m.Kind == normalize.System && m.Name == "task_notification": // of an SDK stream
			member := func(name string) string { return transcript.String(transcript.Field(m.Record.Raw, name)) }
			note(reportedEnd(member("status"), member("summary")), member("task_id"), member("tool_use_id"))
		}
	}
	return ends
}

// askedEnd returns how a task ended, from the result of a call that stopped it or asked for its output, and the id of
// the task; "" if it still ran.
func askedEnd(g *normalize.Group) (end, id string) {
	result := g.Result.Structured()
	switch g.Call.Name {
	case "KillBash", "KillShell":
		return stoppedBy(g, "shell_id")
	case "TaskStop":
		return stoppedBy(g, "task_id")
	case "BashOutput":
		id = transcript.TextOf(transcript.Field(result, "shellId"))
	case "TaskOutput":
		result = transcript.Field(result, "task")
		id = transcript.TextOf(transcript.Field(result, "task_id"))
	default:
		return "", ""
	}
	if code := transcript.Field(result, "exitCode"); transcript.Kind(code) == '0' {
		end = transcript.TextOf(code)
	}
	return end, id
}

// stoppedBy returns the end of a task that a call stopped, and its id, which is a member of the input.
func stoppedBy(g *normalize.Group, member string) (end, id string) {
	if g.State != normalize.Done {
		return "", ""
	}
	return Stopped, transcript.TextOf(transcript.Field(g.Call.Block.Input, member))
}

// reportedEnd returns how a task ended, from the status and the summary of a report: "Background command … failed with
// exit code 1".
func reportedEnd(status, summary string) string {
	if status == "killed" || status == "stopped" {
		return Stopped
	}
	const words = "exit code "
	at := strings.LastIndex(summary, words)
	if at < 0 {
		return ""
	}
	code := strings.TrimSuffix(summary[at+len(words):], ")")
	if code == "" || len(code) > 3 || strings.Trim(code, "0123456789") != "" {
		return ""
	}
	return code
}
