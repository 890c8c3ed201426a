package page

import (
	"html/template"

	"viewer/assets"
)

// A Head is the head of a page, and the bar above it.
type Head struct {
	Class, Title, Generator, Root string
	Description                   string // what a link to the page says of it, where it is shared
	Script, Stylesheet            string
	Icons                         template.HTML
	Crumbs                        []Link
	Levels                        bool
	AsSent                        bool // one of the levels
	// there are other pages of the session, which a search on this one looks through
	Paged  bool
	Policy string // of a page that is self-contained, with style and script inside
}

// A Link is one that pages show, with a note beside it.
type Link struct {
	Href, Text, Note string
	At               Stamp
}

// NewHead returns the head of a page. root leads from the page to the top of the site, crumbs are the way down.
func NewHead(class, title, generator, root string, crumbs []Link) Head {
	return Head{
		Class: class, Title: title, Generator: generator, Root: root,
		Script: assets.Script().Name, Stylesheet: assets.Stylesheet().Name,
		Icons:  template.HTML(assets.Icons), // ours, embedded
		Crumbs: crumbs,
	}
}
