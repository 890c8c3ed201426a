package tools

import (
	"strings"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// backgroundTask returns the id of the task in the background that a call started, "" for none.
func backgroundTask(g *normalize.Group) string {
	if g.Result == nil {
		return ""
	}
	return transcript.TextOf(transcript.Field(g.Result.Structured(), "backgroundTaskId"))
}

// backgroundExits returns the exit codes of commands that ran in the background, by the calls that started them: from
// reports of the program, and from results of calls that asked for the output.
func backgroundExits(c *normalize.Conversation) map[*normalize.Group]string {
	exits := make(map[*normalize.Group]string)
	started := make(map[string]*normalize.Group) // by the id of the task and the id of the call
	note := func(exit string, ids ...string) {
		for _, id := range ids {
			if g := started[id]; g != nil && exit != "" {
				exits[g] = exit
				return
			}
		}
	}
	for g := range c.Groups() {
		if g.Call == nil || g.Result == nil {
			continue
		}
		if t := toolOf(g.Call.Name, g.Call.Block.Input); t != nil && t.Action == Run {
			if id := backgroundTask(g); id != "" {
				started[id], started[g.Call.Block.ID] = g, g
			}
		} else if len(started) > 0 {
			exit, id := askedExit(g)
			note(exit, id)
		}
	}
	if len(started) == 0 {
		return exits
	}
	for _, m := range c.Messages {
		switch {
		case m.Kind == normalize.Notification:
			for _, tag := range m.Tags {
				note(reportedExit(tag.Element("summary")), tag.Element("task-id"), tag.Element("tool-use-id"))
			}
		case m.Kind == normalize.System && m.Name == "task_notification": // of an SDK stream
			member := func(name string) string { return transcript.String(transcript.Field(m.Record.Raw, name)) }
			note(reportedExit(member("summary")), member("task_id"), member("tool_use_id"))
		}
	}
	return exits
}

// askedExit returns the exit code in the result of a call that asked for the output of a task, and the id of the task;
// "" if it still ran.
func askedExit(g *normalize.Group) (exit, id string) {
	result := g.Result.Structured()
	switch g.Call.Name {
	case "BashOutput":
		id = transcript.TextOf(transcript.Field(result, "shellId"))
	case "TaskOutput":
		result = transcript.Field(result, "task")
		id = transcript.TextOf(transcript.Field(result, "task_id"))
	default:
		return "", ""
	}
	if code := transcript.Field(result, "exitCode"); transcript.Kind(code) == '0' {
		exit = transcript.TextOf(code)
	}
	return exit, id
}

// reportedExit returns the exit code in the summary of a report: "Background command … failed with exit code 1".
func reportedExit(summary string) string {
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
