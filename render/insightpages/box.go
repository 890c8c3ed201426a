package insightpages

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"viewer/internal/insights"
	"viewer/internal/words"
	"viewer/render"
	"viewer/render/indexpages"
	"viewer/render/page"
)

// Limits of a box: bars, and rows of its table.
const (
	maxBars         = 8
	maxInsightRows  = 25
	maxProjectRows  = 12 // on the page of a project, as there are many such pages
	maxInsightLinks = 5  // of a row
	maxProjectLinks = 2  // of a row on the page of a project
)

// A measure selects what a box shows of a sum.
type measure struct {
	size  func(*insights.Sum) int64         // length of its bar
	value func(*insights.Sum) string        // text beside the bar
	cells func(*insights.Sum) []insightCell // of the table, after the name
	bad   bool                              // the bar is that of failures
	keep  func(*insights.Sum) bool          // nil for all
	by    func(a, b *insights.Sum) int      // the order; nil for that of counts
	named func(*insights.Sum) string        // nil for its name
	short func(string) string               // shortens the name beside a bar; nil for the whole name
	all   bool                              // the table has all rows
}

// counted is the measure of sums that have only a count.
var counted = measure{
	size:  func(s *insights.Sum) int64 { return int64(s.Count) },
	value: func(s *insights.Sum) string { return about(s.Count) },
	cells: func(s *insights.Sum) []insightCell { return plainCells(about(s.Count)) },
}

// countedFiles is the measure of files that have only a count.
var countedFiles = measure{size: counted.size, value: counted.value, cells: counted.cells, short: endOfPath}

// endOfPath shortens the path of a file for the space beside a bar to its end, which distinguishes files.
func endOfPath(path string) string {
	const room = 24
	runes := []rune(path)
	if len(runes) <= room {
		return path
	}
	end := string(runes[len(runes)-room+1:])
	if _, below, ok := strings.Cut(end, "/"); ok && below != "" {
		end = "/" + below
	}
	return "…" + end
}

// hookName shortens the command of a hook for the space beside a bar: only the last elements of paths are kept.
func hookName(command string) string {
	all := strings.Fields(command)
	for i, word := range all {
		word = strings.Trim(word, `"'`)
		if at := strings.LastIndexAny(word, `/\`); at >= 0 && at+1 < len(word) {
			all[i] = word[at+1:]
		}
	}
	return strings.Join(all, " ")
}

// plainCells returns cells without links.
func plainCells(texts ...string) []insightCell {
	var all []insightCell
	for _, text := range texts {
		all = append(all, insightCell{Text: text})
	}
	return all
}

// box fills a box with the sums of a kind.
func (p *insightsPage) box(kind insights.Kind, box insightBox, m measure) insightBox {
	rows := p.maxRows()
	if m.all {
		rows = maxColumns
	}
	sums, of := p.total.Top(kind, max(rows, maxBars), m.keep, m.by)
	var longest int64
	for _, s := range sums {
		if s.Name != "" {
			longest = max(longest, coarse(m.size(s)))
		}
	}
	for i, s := range sums {
		name := cmp.Or(s.Name, "all others")
		if m.named != nil && s.Name != "" {
			name = m.named(s)
		}
		row := insightRow{Cells: append(plainCells(name), m.cells(s)...)}
		row.Links, row.More = p.links(s)
		if i < rows {
			box.Rows = append(box.Rows, row)
		}
		if m.short != nil {
			name = m.short(name)
		}
		if i < maxBars && s.Name != "" && box.Chart == nil {
			bar := insightBar{Name: name, Value: m.value(s), Bad: m.bad, Share: share(coarse(m.size(s)), longest)}
			if len(row.Links) > 0 {
				bar.Href = row.Links[0].Href
			}
			box.Bars = append(box.Bars, bar)
		}
	}
	if n := of - len(box.Rows); n > 0 {
		box.More = words.Count(n) + " more with less"
	}
	return box
}

// maxRows returns the maximum number of rows of a table.
func (p *insightsPage) maxRows() int {
	if p.project != nil {
		return maxProjectRows
	}
	return maxInsightRows
}

// share returns the length of a bar in hundredths of the longest one, at least one if n is positive.
func share(n, longest int64) int {
	if n <= 0 || longest <= 0 {
		return 0
	}
	return max(1, int(float64(n)/float64(longest)*100))
}

// links returns links to examples of a sum.
func (p *insightsPage) links(s *insights.Sum) (all []page.Link, more string) {
	most := maxInsightLinks
	if p.project != nil {
		most = maxProjectLinks
	}
	examples := s.Examples(insights.MaxPlaces)
	for i, place := range examples[:min(len(examples), most)] {
		address := p.root + "s/" + p.folder(place.Session) + "/" + cmp.Or(place.At, "index.html")
		all = append(all, page.Link{Href: address, Text: words.Count(i + 1)})
	}
	if n := s.Sessions - len(all); n > 0 {
		more = "of " + words.Count(s.Sessions)
	}
	return all, more
}

// rate formats a share: "3 of 10".
func rate(n, of int) string { return about(n) + " of " + about(of) }

// mean formats the average time.
func mean(t time.Duration, n int) string {
	if t <= 0 || n == 0 {
		return ""
	}
	return words.Duration(time.Duration(coarse((t / time.Duration(n)).Milliseconds())) * time.Millisecond)
}

// took formats a sum of times, "" for none.
func took(t time.Duration) string {
	if t <= 0 {
		return ""
	}
	return aboutTime(t)
}

func (p *insightsPage) toolsBox() insightBox {
	return p.box(insights.Tool, insightBox{
		ID: "tools", Title: "Tools by use", Note: "Calls, those of agents included.",
		Columns: []string{"tool", "calls", "failed", "share", "time", "mean"},
	}, measure{size: counted.size, value: counted.value, cells: p.toolCells})
}

// toolCells returns the cells of a tool, with links to searches for its calls.
func (p *insightsPage) toolCells(s *insights.Sum) []insightCell {
	cells := callCells(s)
	if query := filterOf("tool", s.Name); query != "" {
		cells[0].Href = p.search(query)
		if s.Failed > 0 {
			cells[1].Href = p.search(query + " is:error")
		}
	}
	return cells
}

// filterOf returns a filter of a search for a value, "" if there is none.
func filterOf(key, value string) string {
	if value == "" || strings.Contains(value, `"`) {
		return ""
	}
	if strings.ContainsAny(value, " \t") {
		value = `"` + value + `"`
	}
	return key + ":" + value
}

// search returns the address of a search over all sessions of the page, "" if there is none.
func (p *insightsPage) search(query string) string {
	if !p.Search {
		return ""
	}
	if p.project != nil {
		name := strings.ToLower(p.project.Name) // the filter finds names that contain it
		filter := filterOf("project", p.project.Name)
		if filter == "" || slices.ContainsFunc(p.projects, func(other render.Project) bool {
			return other != *p.project && strings.Contains(strings.ToLower(other.Name), name)
		}) {
			return ""
		}
		query += " " + filter
	}
	return "#search=" + url.QueryEscape(query)
}

func callCells(s *insights.Sum) []insightCell {
	failed, part := "", ""
	if s.Failed > 0 {
		failed, part = about(s.Failed), words.Percent(s.Failed, s.Count)
	}
	return plainCells(about(s.Count), failed, part, took(s.Time), mean(s.Time, s.Count))
}

// byFailures sorts by the number of failures, the highest first.
func byFailures(a, b *insights.Sum) int { return cmp.Compare(b.Failed, a.Failed) }

func anyFailed(s *insights.Sum) bool { return s.Failed > 0 }

func (p *insightsPage) failuresBox() insightBox {
	return p.box(insights.Tool, insightBox{
		ID: "failures", Title: "Failures by tool", Note: "Calls that failed, of all calls of the tool.",
		Columns: []string{"tool", "calls", "failed", "share", "time", "mean"},
	}, measure{
		size:  func(s *insights.Sum) int64 { return int64(s.Failed) },
		value: func(s *insights.Sum) string { return rate(s.Failed, s.Count) },
		cells: p.toolCells, bad: true, keep: anyFailed, by: byFailures,
	})
}

func (p *insightsPage) commandsBox() insightBox {
	return p.box(insights.Command, insightBox{
		ID: "commands", Title: "Commands that fail most",
		Note:    "A call of a shell counts for the command that decides its exit code.",
		Columns: []string{"command", "calls", "failed", "share", "time", "mean"},
	}, measure{
		size:  func(s *insights.Sum) int64 { return int64(s.Failed) },
		value: func(s *insights.Sum) string { return rate(s.Failed, s.Count) },
		cells: callCells, bad: true, keep: anyFailed, by: byFailures,
	})
}

func (p *insightsPage) mendedBox() insightBox {
	m := counted
	m.named = func(s *insights.Sum) string { return s.Name + ": " + cmp.Or(mendedWords[s.Detail], s.Detail) }
	return p.box(insights.Mended, insightBox{
		ID: "mended", Title: "How failed commands came to succeed",
		Note:    "Within the next 40 calls: after a change of a file, by the same command again, in other words, or not.",
		Columns: []string{"command", "times"},
	}, m)
}

// mendedWords are short descriptions of how a command came to succeed.
var mendedWords = map[string]string{
	insights.MendedByChange: "after a change", insights.MendedByRetry: "the same again",
	insights.MendedByWords: "in other words",
}

func (p *insightsPage) hooksBox() insightBox {
	return p.box(insights.Hook, insightBox{
		ID: "hooks", Title: "Where hooks take time",
		Note:    "The time of all runs. Where several ran at the same time, the session took less: see Where time goes.",
		Columns: []string{"hook", "runs", "blocked", "time", "mean"},
	}, measure{
		size: func(s *insights.Sum) int64 { return int64(s.Time) },
		value: func(s *insights.Sum) string {
			return cmp.Or(took(s.Time), about(s.Count)+words.One(s.Count, " run", " runs"))
		},
		cells: func(s *insights.Sum) []insightCell {
			blocked := ""
			if s.Failed > 0 {
				blocked = about(s.Failed)
			}
			return plainCells(about(s.Count), blocked, took(s.Time), mean(s.Time, s.Count))
		},
		short: hookName,
		by: func(a, b *insights.Sum) int {
			return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.Count, a.Count))
		},
	})
}

func (p *insightsPage) deniedBox() insightBox {
	m := counted
	m.named = func(s *insights.Sum) string { return s.Name + ": " + s.Detail }
	m.short = func(name string) string { return strings.Replace(name, ": nobody was there", ": nobody", 1) }
	return p.box(insights.Denied, insightBox{
		ID: "denied", Title: "Calls that were not allowed", Note: "By tool, and by whom.",
		Columns: []string{"tool", "calls"},
	}, m)
}

func (p *insightsPage) timeBox() insightBox {
	return p.box(insights.TimeSpent, insightBox{
		ID: "time", Title: "Where time goes",
		Note: "What passes before a message counts for who wrote it. Ten minutes and more without one are a pause. " +
			"At work also counts shorter waits for an answer to a question, or about a plan or a call.",
		Columns: []string{"on", "time", "sessions"},
	}, measure{
		size: func(s *insights.Sum) int64 {
			if s.Name == insights.OnPauses { // nights would make all other bars short
				return 0
			}
			return int64(s.Time)
		},
		value: func(s *insights.Sum) string { return aboutTime(s.Time) },
		cells: func(s *insights.Sum) []insightCell { return plainCells(aboutTime(s.Time), words.Count(s.Sessions)) },
		by: func(a, b *insights.Sum) int {
			switch insights.OnPauses {
			case a.Name:
				return 1
			case b.Name:
				return -1
			}
			return cmp.Compare(b.Time, a.Time)
		},
	})
}

func (p *insightsPage) contextBox() insightBox {
	note := "Sessions by the largest context of a request, in tokens."
	if g := p.total.Sum(insights.ContextAdded); g.Count > 0 {
		note += " A request makes it " + aboutTokens(g.Tokens/int64(g.Count)) + " larger on average."
	}
	m := counted
	m.by = func(a, b *insights.Sum) int { return cmp.Compare(insights.Fullness(a.Name), insights.Fullness(b.Name)) }
	return p.box(insights.Context, insightBox{
		ID: "context", Title: "How full the context gets", Note: note, Columns: []string{"tokens", "sessions"},
	}, m)
}

func (p *insightsPage) compactionBox() insightBox {
	return p.box(insights.Compaction, insightBox{
		ID: "compactions", Title: "Compactions", Note: "Of the context, by what started them.",
		Columns: []string{"by", "times", "mean context"},
	}, measure{
		size: counted.size, value: counted.value,
		cells: func(s *insights.Sum) []insightCell { return plainCells(about(s.Count), meanTokens(s)) },
	})
}

func meanTokens(s *insights.Sum) string { return aboutTokens(s.Tokens / int64(max(1, s.Count))) }

func (p *insightsPage) contextAtBox() insightBox {
	return p.box(insights.ContextAt, insightBox{
		ID: "growth", Title: "How the context grows",
		Note:    "The mean context at the first, the tenth and later requests, of the sessions that made so many.",
		Columns: []string{"request", "mean context", "sessions"},
	}, measure{
		size:  func(s *insights.Sum) int64 { return s.Tokens / int64(max(1, s.Count)) },
		value: meanTokens,
		cells: func(s *insights.Sum) []insightCell { return plainCells(meanTokens(s), about(s.Count)) },
		named: func(s *insights.Sum) string { return "request " + s.Name },
		by: func(a, b *insights.Sum) int {
			return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name))
		},
	})
}

func (p *insightsPage) loopsBox() insightBox {
	return p.box(insights.Loop, insightBox{
		ID: "loops", Title: "Loops",
		Note:    "The same call with the same result, three times or more in a row. Each of them counts.",
		Columns: []string{"call", "times"},
	}, counted)
}

func (p *insightsPage) againBox() insightBox {
	return p.box(insights.ReadAgain, insightBox{
		ID: "again", Title: "Files read again and again",
		Note:    "Three times or more in a conversation, without a change of the file between.",
		Columns: []string{"file", "reads"},
	}, countedFiles)
}

func (p *insightsPage) unusedBox() insightBox {
	return p.box(insights.Unused, insightBox{
		ID: "unused", Title: "Files read and not named again",
		Note:    "Read once; no later call and no text of the model mentions them.",
		Columns: []string{"file", "sessions"},
	}, countedFiles)
}

func (p *insightsPage) undoneBox() insightBox {
	return p.box(insights.Undone, insightBox{
		ID: "undone", Title: "Changes that were undone", Note: "Files that calls changed and that ended as they began.",
		Columns: []string{"file", "calls"},
	}, countedFiles)
}

func (p *insightsPage) peopleBox() insightBox {
	box := insightBox{
		ID: "people", Title: "Interruptions and corrections",
		Note:    "A correction is a prompt after an interruption or a declined call.",
		Columns: []string{"what", "times"},
	}
	m := counted
	m.named = func(*insights.Sum) string { return "interruptions" }
	box = p.box(insights.Interruption, box, m)
	m.named = func(*insights.Sum) string { return "corrections" }
	return p.box(insights.Correction, box, m)
}

func (p *insightsPage) usesBox(kind insights.Kind, id, title, head string) insightBox {
	return p.box(kind, insightBox{
		ID: id, Title: title, Note: "By use; failures are in the table.",
		Columns: []string{head, "calls", "failed", "share", "time", "mean"},
	}, measure{size: counted.size, value: counted.value, cells: callCells})
}

func (p *insightsPage) skillsBox() insightBox {
	return p.usesBox(insights.Skill, "skills", "Skills", "skill")
}
func (p *insightsPage) agentsBox() insightBox {
	return p.usesBox(insights.Agent, "agents", "Agents", "type")
}
func (p *insightsPage) serversBox() insightBox {
	return p.usesBox(insights.Server, "servers", "MCP servers", "server")
}

func (p *insightsPage) notesBox() insightBox {
	return p.box(insights.Finding, insightBox{
		ID: "notes", Title: "Notes and findings", Note: "Of people and of other programs, by label.",
		Columns: []string{"label", "notes"},
	}, counted)
}

// projectsBox compares the projects of a site.
func (p *insightsPage) projectsBox() insightBox {
	box := insightBox{
		ID: "projects", Title: "Projects", Note: "By cost. Each leads to the insights of the project.",
		Columns: []string{"project", "sessions", "cost", "new tokens", "at work"},
	}
	if p.project != nil || len(p.projects) < 2 {
		return box
	}
	all := p.List.Projects()
	slices.SortFunc(all, func(a, b indexpages.ProjectSum) int {
		return cmp.Or(cmp.Compare(b.Spent.Cost.Total(), a.Spent.Cost.Total()),
			cmp.Compare(b.Spent.NewTokens(), a.Spent.NewTokens()), strings.Compare(a.Path, b.Path))
	})
	size := func(s *indexpages.ProjectSum) int64 { return int64(s.Spent.Cost.Total()) }
	write := moneyWords
	if size(&all[0]) == 0 {
		size, write = func(s *indexpages.ProjectSum) int64 { return s.Spent.NewTokens() }, aboutTokens
		box.Note = "By tokens. Each leads to the insights of the project."
	}
	longest := coarse(size(&all[0]))
	for i := range all {
		s := &all[i]
		href := p.root + Path(&s.Project)
		if i < maxInsightRows {
			box.Rows = append(box.Rows, insightRow{Cells: []insightCell{
				{s.Name, href}, {words.Count(s.Sessions), p.root + s.Path},
				{Text: wordsOf(int64(s.Spent.Cost.Total()), moneyWords)},
				{Text: wordsOf(s.Spent.NewTokens(), aboutTokens)}, {Text: took(s.Spent.Work)},
			}})
		}
		if i < maxBars {
			box.Bars = append(box.Bars, insightBar{Name: s.Name, Href: href, Value: write(size(s)),
				Share: share(coarse(size(s)), longest)})
		}
	}
	if n := len(all) - len(box.Rows); n > 0 {
		box.More = words.Count(n) + " more with less"
	}
	return box
}
