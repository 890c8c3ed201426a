package indexpages

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"viewer/internal/packed"
	"viewer/internal/words"
	"viewer/render"
	"viewer/render/page"
)

// A monthPart is the content of one page of older sessions: a month, or a part of a large month. Parts are cut from the
// first day of the month, so that a new session changes only the last one.
type monthPart struct {
	month    string     // "2026-03", "" for sessions without a time
	number   int        // number of the part of the month, from 1
	of       int        // number of parts of the month
	sessions []*indexed // the newest first
	weight   int        // approximate bytes
}

// memory returns a buffer for its page.
func (p monthPart) memory() []byte { return make([]byte, 0, p.weight+pageFrame) }

// pageFrame is the approximate size of an index page without rows, in bytes.
const pageFrame = 50_000

// name returns the name of the page of a part, without extension.
func (p monthPart) name() string {
	name := cmp.Or(p.month, "undated")
	if p.number > 1 {
		name += "-" + strconv.Itoa(p.number)
	}
	return name
}

// title returns the title of the page: "March 2026, part 2".
func (p monthPart) title() string {
	if p.of > 1 {
		return monthName(p.month) + ", part " + words.Count(p.number)
	}
	return monthName(p.month)
}

func monthName(month string) string {
	t, err := time.Parse("2006-01", month)
	if err != nil {
		return "No time in the log"
	}
	return t.Format("January 2006")
}

// rowSizes are the maximum sizes of pages, in bytes of rows. The rest of a page is limited, too. Parts of a large month
// are half as large as the first page, so that a first page that cannot show all of the newest month is at least half
// full.
type rowSizes struct{ month, front, part int }

// The first page of a large site has more besides its rows: years of days, hundreds of projects.
var (
	usualSizes = rowSizes{month: 400_000, front: 300_000, part: 150_000}
	largeSizes = rowSizes{month: 200_000, front: 150_000, part: 150_000}
)

// maxFiltered is the maximum number of older parts that the filter on the first page of a large site loads.
const maxFiltered = 16

// rowWeight returns the approximate size of the row of a session. An append may change it by a few bytes, which pages
// can take.
func rowWeight(s *render.Summary) int {
	n := 960 + page.EscapedLen(s.Title) + 2*page.EscapedLen(s.Project.Name) + page.EscapedLen(s.Branch) +
		page.EscapedLen(s.Worktree) + page.EscapedLen(rowEnding(s))
	for _, address := range s.Outcome.PullRequests[:min(maxPerRelation, len(s.Outcome.PullRequests))] {
		n += 80 + page.EscapedLen(address)
	}
	for _, m := range s.Models {
		n += page.EscapedLen(m)
	}
	if s.Notes > 0 {
		n += 80 + len(s.Path())
	}
	for _, k := range newRelated(s, "../../") {
		n += 60 + page.EscapedLen(k.How)
		for _, l := range k.Links {
			n += 100 + page.EscapedLen(l.Text) + len(l.Href)
		}
	}
	return n
}

// partsOf divides sessions, newest first, into parts in the same order.
func (z rowSizes) partsOf(l *List, sessions []*indexed) []monthPart {
	var all []monthPart
	for len(sessions) > 0 {
		month := l.month(sessions[0])
		n := 1
		for n < len(sessions) && l.month(sessions[n]) == month {
			n++
		}
		all = append(all, z.cutMonth(month, sessions[:n])...)
		sessions = sessions[n:]
	}
	return all
}

func (z rowSizes) cutMonth(month string, sessions []*indexed) []monthPart {
	whole := monthPart{month: month, number: 1, of: 1, sessions: sessions}
	for _, s := range sessions {
		whole.weight += int(s.weight)
	}
	if whole.weight <= z.month {
		return []monthPart{whole}
	}
	var parts []monthPart // the oldest first
	end := len(sessions)
	for end > 0 {
		p := monthPart{month: month, number: len(parts) + 1}
		start := end
		for start > 0 && (start == end || p.weight+int(sessions[start-1].weight) <= z.part) {
			start--
			p.weight += int(sessions[start].weight)
		}
		p.sessions = sessions[start:end]
		parts = append(parts, p)
		end = start
	}
	for i := range parts {
		parts[i].of = len(parts)
	}
	slices.Reverse(parts)
	return parts
}

// newest returns the number of parts on the first page: as many whole months as fit, at least the newest one. If the
// newest month has several parts, it is as many of them as fit.
func (z rowSizes) newest(parts []monthPart) int {
	shown, bulk := 0, 0
	for shown < len(parts) {
		n, more := 0, 0
		for _, p := range parts[shown:] {
			if p.month != parts[shown].month {
				break
			}
			n++
			more += p.weight
		}
		if shown == 0 && n > 1 {
			n, more = 1, parts[0].weight
			for n < len(parts) && parts[n].month == parts[0].month && more+parts[n].weight <= z.front {
				more += parts[n].weight
				n++
			}
			return n
		}
		if shown > 0 && bulk+more > z.front {
			break
		}
		shown, bulk = shown+n, bulk+more
	}
	return shown
}

// partPage is the page of an older part.
type partPage struct {
	*indexPlanner
	project      *render.Project // nil for the whole site
	first        string          // page of the list, relative to the top of the site
	part         monthPart
	root         string // from the page to the top of the site
	newer, older string // pages beside it
}

type partView struct {
	Head         page.Head
	Title, Note  string
	Front        page.Link
	Newer, Older string
	Bar          barView
	Sets         []setView
}

func (p partPage) draw() []byte {
	class, crumbs := "page-index", []page.Link{{Href: p.root + "index.html", Text: "Sessions"}}
	title := p.part.title()
	if p.project != nil {
		class = "page-project"
		crumbs = append(crumbs, page.Link{Href: p.root + p.first, Text: p.project.Name})
		title += " · " + p.project.Name
	}
	crumbs = append(crumbs, page.Link{Text: p.part.title()})
	v := partView{
		Head:  page.NewHead(class, title, p.Generator, p.root, crumbs),
		Title: p.part.title(), Front: crumbs[len(crumbs)-2],
		Newer: p.newer, Older: p.older, Bar: newBar(p.List, p.part.sessions, p.project == nil),
		Sets: newSets(p.List, p.part.sessions, p.root, p.project == nil),
	}
	v.Note = sumWords(p.List.totals(p.part.sessions))
	return page.DrawWhole(p.part.memory(), "page/month", v)
}

// rowsScript returns a script with the rows of a part. The first page loads it for filters.
func (p *indexPlanner) rowsScript(name string, part monthPart, root string, named bool) []byte {
	return packed.Script(name, page.Draw(part.memory(), "partial/sets", newSets(p.List, part.sessions, root, named)))
}
