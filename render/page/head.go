package page

import (
	"html/template"

	"viewer/assets"
)

// A Head is the head of a page, and the bar at its top.
type Head struct {
	Class, Title, Generator, Root string
	Description                   string // description of shared links to the page
	Script, Stylesheet            string
	Icons                         template.HTML
	Crumbs                        []Link
	Levels                        bool
	AsSent                        bool // it has the level As sent
	// the session has other pages, which the search on this one includes
	Paged  bool
	Policy string // content security policy of a self-contained page
}

// A Link is a link with an optional note.
type Link struct {
	Href, Text, Note string
	At               Stamp
}

// NewHead returns the head of a page. root is the relative path from the page to the top of the site, and crumbs are
// the links from there to the page.
func NewHead(class, title, generator, root string, crumbs []Link) Head {
	return Head{
		Class: class, Title: title, Generator: generator, Root: root,
		Script: assets.Script().Name, Stylesheet: assets.Stylesheet().Name,
		Icons:  template.HTML(assets.Icons), // ours, embedded
		Crumbs: crumbs,
	}
}
