package render

import "viewer/normalize"

// A taskBoard is the list of tasks of a conversation as it stands after each
// call that changes it: the log holds only the changes.
type taskBoard map[*normalize.Group]taskState

type taskState struct {
	subject string // of the task that the call is about, when it is known
	list    []todo // the last of them, when there are very many
	more    int    // how many there are before these
}

// mostTasks is how many tasks a list shows: there is one after each change.
const mostTasks = 100

// follow goes over the calls in order and keeps the list after each change.
func (b taskBoard) follow(c *normalize.Conversation) {
	type task struct{ id, subject, status, owner string }
	var tasks []task
	byID := make(map[string][]int) // an id may be used again
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
			id := string(res.Task.ID)
			byID[id] = append(byID[id], len(tasks))
			tasks = append(tasks, task{id: id, subject: string(in.Subject)})
		case "TaskUpdate":
			var in struct{ TaskID, Status, Subject, Owner text }
			if decode(g.Call.Block.Input, &in) != nil {
				continue
			}
			same := byID[string(in.TaskID)]
			if in.TaskID == "" {
				same = nil
			}
			for _, i := range same[max(0, len(same)-mostTasks):] {
				t := &tasks[i]
				replace(&t.subject, in.Subject)
				replace(&t.status, in.Status)
				replace(&t.owner, in.Owner)
				subject = t.subject
			}
		default:
			continue
		}
		var list []todo
		before := max(0, len(tasks)-mostTasks)
		for _, t := range tasks[before:] {
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
		b[g] = taskState{subject, list, before}
	}
}

func replace(to *string, with text) {
	if with != "" {
		*to = string(with)
	}
}
