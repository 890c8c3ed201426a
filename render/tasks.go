package render

import "viewer/normalize"

// A taskBoard is the list of tasks of a conversation as it stands after each
// call that changes it: the log holds only the changes.
type taskBoard map[*normalize.Group]taskState

type taskState struct {
	subject string // of the task that the call is about, when it is known
	list    []todo
}

// follow goes over the calls in order and keeps the list after each change.
func (b taskBoard) follow(c *normalize.Conversation) {
	type task struct{ id, subject, status, owner string }
	var tasks []task
	for g := range c.Groups() {
		if g.Call == nil || g.State == normalize.Failed {
			continue
		}
		subject := ""
		switch g.Call.Name {
		case "TaskCreate":
			var in struct{ Subject text }
			var res struct{ Task taskFields }
			if decode(g.Call.Block.Input, &in) != nil {
				continue
			}
			if g.Result != nil {
				_ = decode(g.Result.Record.ToolUseResult, &res) // without it the task has no number
			}
			tasks = append(tasks, task{id: string(res.Task.ID), subject: string(in.Subject)})
		case "TaskUpdate":
			var in struct{ TaskID, Status, Subject, Owner text }
			if decode(g.Call.Block.Input, &in) != nil {
				continue
			}
			for i := range tasks {
				if t := &tasks[i]; t.id == string(in.TaskID) && t.id != "" {
					replace(&t.subject, in.Subject)
					replace(&t.status, in.Status)
					replace(&t.owner, in.Owner)
					subject = t.subject
				}
			}
		default:
			continue
		}
		var list []todo
		for _, t := range tasks {
			if t.status == "deleted" {
				continue
			}
			what := oneLine(t.subject, 160)
			if t.id != "" {
				what = "#" + oneLine(t.id, 20) + " " + what
			}
			if t.owner != "" {
				what += " · " + oneLine(t.owner, 40)
			}
			list = append(list, newTodo(what, t.status))
		}
		b[g] = taskState{subject, list}
	}
}

func replace(to *string, with text) {
	if with != "" {
		*to = string(with)
	}
}
