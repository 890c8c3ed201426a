package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"viewer/internal/outcome"
	"viewer/internal/tools"
	"viewer/internal/words"
	"viewer/normalize"
)

// A Verdict is the beginning of the page of a report.
type Verdict struct {
	Good, Half bool   // both false: the run is bad or fails a condition of the job
	Words      string // how the worst run ended, "Run did not finish"
	Reason     string // "" if Words are enough
	Figures    []Figure
}

// A Figure is a number with the name of what it counts.
type Figure struct {
	Value, Label string
	Bad          bool
}

// Verdict returns the verdict on the runs, for a job with conditions.
func (f Facts) Verdict(conditions []Condition) Verdict {
	v := Verdict{
		Good: f.Outcome == Success || f.Outcome == Finished, Half: f.Outcome == Interrupted || f.Outcome == Unfinished,
		Words: outcomeWords[f.Outcome].words,
	}
	if _, reason, ok := strings.Cut(f.bad, ": "); ok {
		v.Reason = reason
	}
	v.Words = strings.ToUpper(v.Words[:1]) + v.Words[1:]
	if f.Sessions > 1 {
		v.Figures = append(v.Figures, Figure{Value: words.Count(f.Sessions), Label: "runs"})
		if !v.Good {
			v.Words = "Not all runs succeeded"
		}
	}
	if missed := len(f.violations(conditions)); missed > 0 {
		if v.Good {
			v.Words += ", but failed " + words.Plural(missed, "condition", "conditions")
		}
		v.Good, v.Half = false, false
	}
	limit := func(name string, write func(float64) string) (label string, exceeded bool) {
		for _, c := range conditions {
			if c.name == name {
				return " · limit " + write(c.limit), c.violation(f) != ""
			}
		}
		return "", false
	}
	turns, many := limit("turns", func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) })
	v.Figures = append(v.Figures,
		Figure{Value: words.Count(f.Turns), Label: words.One(f.Turns, "turn", "turns") + turns, Bad: many},
		Figure{Value: words.Duration(time.Duration(f.Seconds * 1e9)), Label: "duration"})
	budget, dear := limit("cost", words.Dollars)
	cost := Figure{Value: words.Dollars(f.CostUSD), Label: "as the run says" + budget, Bad: dear}
	if f.ListPrice {
		cost.Label = "at list prices" + budget
	}
	if len(f.Unpriced) > 0 {
		cost.Label = "and what " + f.unpriced() + " cost" + budget
	}
	v.Figures = append(v.Figures, cost,
		Figure{
			Value: words.Count(f.Failed) + " of " + words.Count(f.Calls),
			Label: words.One(f.Calls, "call", "calls") + " failed", Bad: f.Failed > 0,
		})
	secrets := 0
	for _, n := range f.Secrets {
		secrets += n
	}
	v.Figures = append(v.Figures, Figure{
		Value: words.Count(f.denied), Label: "denied · " + words.Plural(secrets, "secret", "secrets") + " redacted",
		Bad: f.denied > 0,
	})
	return v
}

// Work has the lists about a run that pages show before its transcript.
type Work struct {
	Wrong, Team, Files, Commands []Item
	Unlisted                     [4]int // number of items left out of each list above, in this order
	Tasks                        string // "10 of 19 tasks done", "" without tasks
}

// An Item is one line of a list.
type Item struct {
	Name, What, State string
	Bad, Good         bool
	Added, Removed    int    // lines
	Text              string // the output of a command that failed
	Anchor            string
}

// Limits of these lists.
const (
	maxItems = 60
	maxLines = 1500 // characters of the output of one command
)

// work returns the lists of a run.
func (r *Run) work() *Work {
	w := new(Work)
	for _, e := range r.Errors {
		w.Wrong = append(w.Wrong, Item{Name: "Run", What: words.Clip(e.Text, 400), Bad: true, Anchor: e.Anchor})
	}
	for _, d := range r.Denied {
		w.Wrong = append(w.Wrong, Item{
			Name: d.Tool, What: words.Line(d.Target, 200), State: "denied", Bad: true, Anchor: d.Anchor,
		})
	}
	for _, c := range r.Commands {
		item := Item{Name: "Bash", What: c.Description, State: c.State, Anchor: c.Anchor}
		item.What = cmp.Or(item.What, c.Command)
		if c.Unclear {
			item.State = "ran"
		}
		item.What = words.Line(item.What, 200)
		if item.Good = c.State == normalize.Done.String() && !c.Unclear; c.failed() {
			item.Bad = !c.Mended
			if c.Exit != "" {
				item.State = "exit " + c.Exit
			}
			if c.Mended {
				item.State += ", succeeded later"
			}
		}
		w.Commands = append(w.Commands, item)
		if c.failed() && !c.Mended {
			item.Text = words.Clip(c.Output, maxLines)
			w.Wrong = append(w.Wrong, item)
		}
	}
	for _, f := range r.Files {
		if !f.undone {
			w.Files = append(w.Files, Item{
				Name: f.Path, State: f.state(), Added: f.Added, Removed: f.Removed, Anchor: f.Anchor,
			})
		}
	}
	r.team(w)
	for i, list := range []*[]Item{&w.Wrong, &w.Team, &w.Files, &w.Commands} {
		if n := len(*list); n > maxItems {
			*list, w.Unlisted[i] = (*list)[:maxItems], n-maxItems
		}
		for k := range *list { // the items outlive the session
			item := &(*list)[k]
			for _, text := range []*string{&item.Name, &item.What, &item.State, &item.Text, &item.Anchor} {
				*text = strings.Clone(*text)
			}
		}
		*list = slices.Clip(*list)
	}
	return w
}

// team lists the agents of a run and how each ended, then the unfinished tasks.
func (r *Run) team(w *Work) {
	var tasks []tools.Item // from the last call that lists them
	context := tools.Context{Tasks: tools.TasksOf(r.session.Conversation)}
	place := ""
	for inner := range r.session.Conversation.Kept() {
		for g := range inner.Groups() {
			for _, a := range g.Agents {
				w.Team = append(w.Team, agentItem(a, g.Head().Anchor))
			}
			if g.Call == nil || inner != r.session.Conversation {
				continue
			}
			call := tools.Describe(g, context)
			for _, section := range call.Content {
				if call.Action == tools.Plan && section.Shape == tools.Items && len(section.Items) > 0 {
					tasks, place = section.Items, g.Head().Anchor
				}
			}
		}
	}
	done := 0
	for _, t := range tasks {
		switch t.State {
		case tools.ItemDone, tools.ItemDeleted:
			done++
		case tools.ItemActive:
			w.Team = append(w.Team, Item{Name: "Task", What: words.Line(t.Text, 200), State: "begun", Anchor: place})
		default:
			w.Team = append(w.Team, Item{Name: "Task", What: words.Line(t.Text, 200), State: "open", Anchor: place})
		}
	}
	if len(tasks) > 0 {
		w.Tasks = words.Count(done) + " of " + words.Plural(len(tasks), "task", "tasks") + " done"
	}
}

func agentItem(a *normalize.Agent, anchor string) Item {
	mark := outcome.Of(a.Conversation, nil).Mark
	name := cmp.Or(a.Type, "Agent")
	return Item{
		Name: words.Line(name, 80), What: words.Line(a.Description, 200), State: mark.String(), Good: mark.Good(),
		Bad: mark == outcome.Failed, Anchor: anchor,
	}
}
