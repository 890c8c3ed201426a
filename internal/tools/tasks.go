package tools

import (
	"slices"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// Tasks has the list of tasks of a conversation after each call that changes it, because the log has only the changes.
type Tasks map[*normalize.Group]TaskState

// A TaskState is a list after one of its changes.
type TaskState struct {
	Subject string  // of the task that the call is about, "" if unknown
	Tasks   []*Task // the tasks in the list then; After returns their state
	Earlier int     // number of tasks that are not listed
	Change  int     // number of the change
}

// A Task is a task with its history.
type Task struct {
	ID   string
	Past []TaskPast // the first one made it
}

// A TaskPast is a task after one change of the list.
type TaskPast struct {
	Change                 int
	Subject, Status, Owner string
}

// After returns the task after a change of the list.
func (t *Task) After(change int) TaskPast {
	n, exact := slices.BinarySearchFunc(t.Past, change, func(p TaskPast, change int) int { return p.Change - change })
	if exact {
		n++
	}
	if n == 0 {
		return TaskPast{}
	}
	return t.Past[n-1]
}

// maxTasks limits the tasks of a list, which is shown after each change. When the lists of a conversation have
// maxListed tasks together, the following lists are short.
const (
	maxTasks  = 100
	maxListed = 20_000
	fewTasks  = 10
)

// TasksOf returns the tasks of a conversation and all inside it.
func TasksOf(c *normalize.Conversation) Tasks {
	all := make(Tasks)
	for inner := range c.All() {
		all.follow(inner)
	}
	return all
}

// A taskList is the list of tasks of a conversation.
type taskList struct {
	tasks []*Task
	byID  map[string][]*Task // ids may be reused
}

func (l *taskList) add(t *Task) {
	l.byID[t.ID] = append(l.byID[t.ID], t)
	l.tasks = append(l.tasks, t)
}

// follow reads the calls in order and records the changes of each.
func (b Tasks) follow(c *normalize.Conversation) {
	list := taskList{byID: make(map[string][]*Task)}
	change, listed := 0, 0
	for g := range c.Groups() {
		if g.Call == nil || g.State == normalize.Failed {
			continue
		}
		subject := ""
		switch g.Call.Name {
		case "TaskCreate", "task_create":
			var in taskCreateInput
			var res taskCreateResult
			if fields.Decode(g.Call.Block.Input, &in) != nil {
				continue
			}
			if g.Result != nil {
				_ = fields.Decode(g.Result.Structured(), &res) // without it the task has no number
			}
			t := &Task{string(res.Task.ID), []TaskPast{{Change: change, Subject: string(in.Subject)}}}
			list.add(t)
		case "TaskUpdate", "task_update":
			var in taskUpdateInput
			if fields.Decode(g.Call.Block.Input, &in) != nil {
				continue
			}
			same := list.byID[string(in.TaskID)]
			if in.TaskID == "" {
				same = nil
			}
			for _, t := range same[max(0, len(same)-maxTasks):] {
				now := t.Past[len(t.Past)-1]
				now.Change = change
				replace(&now.Subject, in.Subject)
				replace(&now.Status, in.Status)
				replace(&now.Owner, in.Owner)
				t.Past = append(t.Past, now)
				subject = now.Subject
			}
		case "sql":
			query := transcript.String(transcript.Field(g.Call.Block.Input, "query"))
			changes := todoChanges(query)
			if len(changes) == 0 {
				continue
			}
			subject = list.apply(changes, change)
		default:
			continue
		}
		tasks := list.tasks
		most := maxTasks
		if listed >= maxListed {
			most = fewTasks
		}
		listed += min(most, len(tasks))
		b[g] = TaskState{subject, tasks, max(0, len(tasks)-most), change}
		change++
	}
}

// list returns the last tasks.
func (s TaskState) list() []Item {
	var list []Item
	for _, t := range s.Tasks[s.Earlier:] {
		now := t.After(s.Change)
		if now.Status == "deleted" {
			continue
		}
		what := words.Line(now.Subject, 160)
		if t.ID != "" {
			what = "#" + words.Line(t.ID, 20) + " " + what
		}
		if now.Owner != "" {
			what += " · " + words.Line(now.Owner, 40)
		}
		list = append(list, NewItem(what, now.Status))
	}
	return list
}

func replace(to *string, with fields.Text) {
	if with != "" {
		*to = string(with)
	}
}
