package tools

import (
	"slices"

	"viewer/internal/fields"
	"viewer/internal/words"
	"viewer/normalize"
)

// Tasks are the list of tasks of a conversation as it stands after each call that changes it: the log holds only the
// changes.
type Tasks map[*normalize.Group]taskState

// A taskState is what a list is after one of its changes.
type taskState struct {
	subject string  // of the task that the call is about, when it is known
	tasks   []*task // those that there are then, as they are at any time
	earlier int     // so many of them are not listed
	change  int
}

// A task is what it is after each of its changes.
type task struct {
	id   string
	past []taskPast // the first one made it
}

type taskPast struct {
	change                 int
	subject, status, owner string
}

// after is the task as it stands after a change of the list.
func (t *task) after(change int) taskPast {
	n, exact := slices.BinarySearchFunc(t.past, change, func(p taskPast, change int) int { return p.change - change })
	if exact {
		n++
	}
	if n == 0 {
		return taskPast{}
	}
	return t.past[n-1]
}

// mostTasks is how many tasks a list shows: there is one after each change. Where the
// lists of a conversation have had mostListed tasks together, those that follow are short.
const (
	mostTasks  = 100
	mostListed = 20_000
	fewTasks   = 10
)

// TasksOf are those of a conversation and all inside it.
func TasksOf(c *normalize.Conversation) Tasks {
	all := make(Tasks)
	for inner := range c.All() {
		all.follow(inner)
	}
	return all
}

// follow goes over the calls in order and keeps what each changes.
func (b Tasks) follow(c *normalize.Conversation) {
	var tasks []*task
	byID := make(map[string][]*task) // an id may be used again
	change, listed := 0, 0
	for g := range c.Groups() {
		if g.Call == nil || g.State == normalize.Failed {
			continue
		}
		subject := ""
		switch g.Call.Name {
		case "TaskCreate":
			var in taskCreateInput
			var res taskCreateResult
			if fields.Decode(g.Call.Block.Input, &in) != nil {
				continue
			}
			if g.Result != nil {
				_ = fields.Decode(g.Result.Structured(), &res) // without it the task has no number
			}
			t := &task{string(res.Task.ID), []taskPast{{change: change, subject: string(in.Subject)}}}
			byID[t.id] = append(byID[t.id], t)
			tasks = append(tasks, t)
		case "TaskUpdate":
			var in taskUpdateInput
			if fields.Decode(g.Call.Block.Input, &in) != nil {
				continue
			}
			same := byID[string(in.TaskID)]
			if in.TaskID == "" {
				same = nil
			}
			for _, t := range same[max(0, len(same)-mostTasks):] {
				now := t.past[len(t.past)-1]
				now.change = change
				replace(&now.subject, in.Subject)
				replace(&now.status, in.Status)
				replace(&now.owner, in.Owner)
				t.past = append(t.past, now)
				subject = now.subject
			}
		default:
			continue
		}
		most := mostTasks
		if listed >= mostListed {
			most = fewTasks
		}
		listed += min(most, len(tasks))
		b[g] = taskState{subject, tasks, max(0, len(tasks)-most), change}
		change++
	}
}

// list are the last of the tasks.
func (s taskState) list() []Item {
	var list []Item
	for _, t := range s.tasks[s.earlier:] {
		now := t.after(s.change)
		if now.status == "deleted" {
			continue
		}
		what := words.Line(now.subject, 160)
		if t.id != "" {
			what = "#" + words.Line(t.id, 20) + " " + what
		}
		if now.owner != "" {
			what += " · " + words.Line(now.owner, 40)
		}
		list = append(list, NewItem(what, now.status))
	}
	return list
}

func replace(to *string, with fields.Text) {
	if with != "" {
		*to = string(with)
	}
}
