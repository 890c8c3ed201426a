package indexpages

import (
	"slices"

	"viewer/internal/words"
	"viewer/render/page"
)

// projectsView lists the projects. Only the first ones are unfolded, so that what follows stays visible.
type projectsView struct {
	All         page.Link
	Some, Other []page.Link
	More        string // number of folded ones
	Missing     string // number of projects that are not listed
}

type monthsView struct {
	Some, Other []page.Link
	More        string
}

// projectList returns the list of projects beside the first page of the site.
func (f frontPage) projectList() projectsView {
	missing := "filter by name"
	if f.Large {
		missing = "search for project:NAME"
	}
	v := projectsView{All: page.Link{Href: "index.html", Text: "All projects", Note: words.Count(len(f.sessions))}}
	for i, p := range f.projects {
		l := page.Link{Href: p.Path, Text: p.Name, Note: words.Count(p.Sessions)}
		switch {
		case i < someProjects || len(f.projects) == someProjects+1:
			v.Some = append(v.Some, l)
		case i < maxProjects:
			v.Other = append(v.Other, l)
		default:
			v.Missing = words.Plural(len(f.projects)-maxProjects, "smaller project", "smaller projects") +
				" not listed: " + missing
		}
	}
	if len(v.Other) > 0 {
		v.More = words.Count(len(v.Other)) + " more"
	}
	return v
}

// months lists the months, each with a link to its newest session.
func (f frontPage) months() monthsView {
	var all []page.Link
	parts := slices.Concat(f.shown, f.older)
	for i := 0; i < len(parts); {
		first, n := parts[i], 0
		href := f.href(first) + ".html"
		if i < len(f.shown) {
			href = "#main"
			for _, s := range first.sessions {
				if day := f.List.day(s); day != "" && !s.isMinor {
					href = "#" + dayAnchor(day)
					break
				}
			}
		}
		for ; i < len(parts) && parts[i].month == first.month; i++ {
			n += len(parts[i].sessions)
		}
		all = append(all, page.Link{Href: href, Text: monthName(first.month), Note: words.Count(n)})
	}
	if len(all) < 2 {
		return monthsView{}
	}
	v := monthsView{Some: all}
	if len(all) > someMonths+1 {
		v.Some, v.Other = all[:someMonths], all[someMonths:]
		v.More = words.Count(len(v.Other)) + " more"
	}
	return v
}
