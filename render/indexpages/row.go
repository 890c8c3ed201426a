package indexpages

import (
	"strconv"
	"strings"
	"time"

	"viewer/internal/outcome"
	"viewer/internal/stats"
	"viewer/internal/words"
	"viewer/render"
	"viewer/render/page"
)

// A setView is a heading of a list with its sessions: those of a day, or of a month if days have few.
type setView struct {
	ISO   string // "2026-03-02" or "2026-03", "" for sessions without a time
	Text  string
	Minor bool // all its sessions are hidden by default
	Rows  []rowView
}

// rowView is a session in a list. Values for filters and sorting are in data attributes.
type rowView struct {
	ID             string // of the first row of a day
	Href, Title    string
	Project        string
	Agent          string // the coding agent, "" on a site of one
	Models         string
	Day            string // "22 Wed", below the heading of a month
	At             page.Stamp
	Kept           bool
	Minor          bool
	Mark           string // how it ended, if not well
	Ending         string // the outcome in one line
	Facts          []rowFact
	Bad            page.Link // link to the first failed call, with the number of failures
	Related        []relatedView
	Numbers        []page.Number
	Failed, Agents int
	Changed        int
	Tokens         int64  // without those read from the cache
	Cost           string // in dollars, "" if unknown
	Seconds        int64  // at work
}

// A rowFact is a fact about a session, with an optional link.
type rowFact struct{ Text, Href string }

// relatedView lists the sessions that a session is related to in one way.
type relatedView struct {
	How   string
	Links []page.Link
	More  string
}

// denseDays is the minimum average of sessions on days with sessions for a list to be divided by days, not months.
const denseDays = 2

// newSets groups sessions, newest first, by the UTC day of their start, or by month if days have few.
func newSets(l *List, sessions []*indexed, root string, named bool) []setView {
	var all []setView
	var anchors dayAnchors
	for len(sessions) > 0 {
		month, n, days := l.month(sessions[0]), 1, 1
		for n < len(sessions) && l.month(sessions[n]) == month {
			if sessions[n].day != sessions[n-1].day {
				days++
			}
			n++
		}
		all = append(all, l.monthSets(sessions[:n], n < denseDays*days, root, named, &anchors)...)
		sessions = sessions[n:]
	}
	return all
}

// monthSets returns the groups of one month, as a whole or by day.
func (l *List) monthSets(sessions []*indexed, whole bool, root string, named bool, anchors *dayAnchors) []setView {
	var all []setView
	for i, s := range sessions {
		summary, day := l.summary(s), l.day(s)
		if i == 0 || !whole && s.day != sessions[i-1].day {
			v := setView{ISO: day, Minor: true}
			switch {
			case day == "":
			case whole:
				v.ISO, v.Text = l.month(s), monthName(l.month(s))
			default:
				v.Text = summary.Start.UTC().Format("Mon 2 Jan 2006")
			}
			all = append(all, v)
		}
		set := &all[len(all)-1]
		row := newRow(summary, root, named)
		row.Agent = l.agent(s)
		if whole && day != "" {
			row.Day = summary.Start.UTC().Format("2 Mon")
		}
		if anchors.next(day, s.isMinor) {
			row.ID = dayAnchor(day)
		}
		set.Minor = set.Minor && row.Minor
		set.Rows = append(set.Rows, row)
	}
	return all
}

// dayAnchors assigns ids to the rows that the calendar links to: the first of each day that is not hidden.
type dayAnchors struct{ day string }

func (a *dayAnchors) next(day string, isMinor bool) bool {
	if day == "" || day == a.day || isMinor {
		return false
	}
	a.day = day
	return true
}

func dayAnchor(day string) string { return "d-" + day }

func newRow(s *render.Summary, root string, named bool) rowView {
	t, o := s.Totals, &s.Outcome
	v := rowView{
		Href: root + s.Path(), Title: s.Title, Project: s.Project.Name, Models: strings.Join(s.Models, " "),
		Kept: s.Kept, Minor: isMinor(s),
		At: page.NewStamp(s.Start, "", "15:04"), Related: newRelated(s, root),
		Ending: rowEnding(s), Failed: t.Failed, Agents: t.Agents, Changed: o.Files,
		Tokens: t.NewTokens(), Seconds: int64(t.Work.Seconds()),
	}
	if o.Mark != outcome.None && !o.Mark.Good() {
		v.Mark = o.Mark.String()
	}
	v.Facts = rowFacts(s, root, named)
	if t.Failed > 0 {
		v.Bad.Text = words.Count(t.Failed) + " failed"
		if s.Failure != "" {
			v.Bad.Href = root + "s/" + s.Folder + "/" + s.Failure
		}
	}
	cost := page.Cost(t, page.Exact)
	if t.Cost.Total() > 0 {
		v.Cost = strconv.FormatFloat(t.Cost.Total().Dollars(), 'f', 4, 64)
	}
	work := page.Number{Name: "at work"}
	if t.Time > 0 {
		work.Value, work.Title = workWords(t), words.Span(t.Time.Round(time.Second))+" from first to last message"
	}
	calls := page.Number{Name: words.One(t.Tools, "call", "calls"), Value: words.Count(t.Tools),
		Title: words.Plural(t.Prompts, "prompt", "prompts")}
	if t.NewTokens() > 0 {
		calls.Title += ", " + tokenWords(t)
	}
	v.Numbers = []page.Number{calls, work, cost}
	return v
}

// rowFacts returns the facts below the title of a session.
func rowFacts(s *render.Summary, root string, named bool) []rowFact {
	t, o := s.Totals, &s.Outcome
	var all []rowFact
	add := func(text string) { all = append(all, rowFact{Text: text}) }
	if named && s.Project.Name != "" {
		add(s.Project.Name)
	}
	if s.Branch != "" {
		add(words.Clip(s.Branch, 50))
	}
	if s.Worktree != "" {
		add("worktree " + words.Clip(s.Worktree, 50))
	}
	for _, address := range o.PullRequests[:min(maxPerRelation, len(o.PullRequests))] {
		all = append(all, rowFact{pullName(address), address})
	}
	if more := len(o.PullRequests) - maxPerRelation; more > 0 {
		add("and " + words.Count(more) + " more")
	}
	if o.Commits > 0 {
		add(words.Plural(o.Commits, "commit", "commits"))
	}
	if o.Files > 0 {
		changed := rowFact{Text: o.Net()}
		if o.Changes != "" {
			changed.Href = root + "s/" + s.Folder + "/" + o.Changes
		}
		all = append(all, changed)
	}
	if t.Agents > 0 {
		add(words.Plural(t.Agents, "agent", "agents"))
	}
	if t.Compacted > 0 {
		add("compacted ×" + words.Count(t.Compacted))
	}
	if s.Notes > 0 {
		all = append(all, rowFact{words.Plural(s.Notes, "note", "notes"), root + s.Path() + "#page-notes"})
	}
	return all
}

// rowEnding returns the outcome on one line, "" if it repeats the title.
func rowEnding(s *render.Summary) string {
	if line := words.Line(s.Outcome.Line(), 160); line != s.Title {
		return line
	}
	return ""
}

// pullName returns the name of a pull or merge request: "PR #48".
func pullName(address string) string {
	kind, rest := "PR #", address
	if _, after, ok := strings.Cut(address, "/merge_requests/"); ok {
		kind, rest = "MR !", after
	} else if _, after, ok := strings.Cut(address, "/pull/"); ok {
		rest = after
	}
	number := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	if number == "" || len(number) > 9 {
		return "pull request"
	}
	return kind + number
}

// workWords formats the time that a session was at work, for rows and totals.
func workWords(t stats.Totals) string {
	if h := t.Work.Hours(); h >= 100 {
		return words.Count(int(h)) + " h"
	}
	return words.Span(t.Work.Round(time.Second))
}

// tokenWords describes the tokens of a session by kind.
func tokenWords(t stats.Totals) string {
	s := words.Short(t.Usage.Input) + " tokens in, " + words.Short(t.Usage.CacheWrite) + " written to cache, " +
		words.Short(t.Usage.Output) + " out, " + words.Short(t.Usage.CacheRead) + " read from cache"
	if t.Doubtful {
		s += " as reported"
	}
	return s
}

// A row names only some of the related sessions; the page of the session names all.
const (
	maxRelations   = 2 // kinds of relations
	maxPerRelation = 3 // sessions of each
)

// newRelated names related sessions. One with the same prompt is named by its time, so that a list has each prompt
// once.
func newRelated(s *render.Summary, root string) []relatedView {
	relations := s.Relations
	var all []relatedView
	for i := 0; i < len(relations); {
		n := 1
		for i+n < len(relations) && relations[i+n].How == relations[i].How {
			n++
		}
		if len(all) == maxRelations {
			break
		}
		k := relatedView{How: words.Line(relations[i].How, 60)}
		for _, r := range relations[i : i+min(n, maxPerRelation)] {
			l := page.Link{
				Href: root + "s/" + r.Folder + "/index.html", Text: words.Line(r.Title, 50), At: page.Moment(r.At),
			}
			if r.Title == s.Title {
				l.Text = "another with this title"
			}
			k.Links = append(k.Links, l)
		}
		if n > maxPerRelation {
			k.More = "and " + words.Count(n-maxPerRelation) + " more"
		}
		all = append(all, k)
		i += n
	}
	return all
}
