package runs

import (
	"viewer/internal/report"
	"viewer/render/single"
)

// verdict returns the head of the page.
func (a *Account) verdict() *single.Verdict {
	of := a.Facts.Verdict(a.wanted.Conditions)
	v := &single.Verdict{Words: of.Words, Reason: of.Reason, Look: look(!of.Good && !of.Half, of.Good),
		Failures: a.Facts.Failures}
	if of.Half {
		v.Look = "half"
	}
	for _, f := range of.Figures {
		v.Figures = append(v.Figures, single.Figure{Value: f.Value, Label: f.Label, Look: look(f.Bad, false)})
	}
	return v
}

func look(bad, good bool) string {
	switch {
	case bad:
		return "bad"
	case good:
		return "good"
	}
	return ""
}

// workOf returns the lists about a run that the page shows before the transcript.
func workOf(w *report.Work) *single.Work {
	if w == nil {
		return nil
	}
	list := func(items []report.Item, unlisted int) single.WorkList {
		l := single.WorkList{Unlisted: unlisted}
		for _, it := range items {
			l.Items = append(l.Items, single.WorkItem{
				Name: it.Name, What: it.What, State: it.State, Look: look(it.Bad, it.Good),
				Added: it.Added, Removed: it.Removed, Text: it.Text, Anchor: it.Anchor,
			})
		}
		return l
	}
	return &single.Work{
		Wrong: list(w.Wrong, w.Unlisted[0]), Team: list(w.Team, w.Unlisted[1]), Files: list(w.Files, w.Unlisted[2]),
		Commands: list(w.Commands, w.Unlisted[3]), Tasks: w.Tasks,
	}
}
