package render

import (
	"html/template"

	"viewer/assets"
)

type headView struct {
	Class, Title, Generator, Root string
	Description                   string // what a link to the page says of it, where it is shared
	Script, Stylesheet            string
	Icons                         template.HTML
	Crumbs                        []link
	Levels                        bool
	AsSent                        bool // one of the levels
	// there are other pages of the session, which a search on this one looks through
	Paged  bool
	Policy string // of a page that is self-contained, with style and script inside
}

type link struct {
	Href, Text, Note string
	At               stamp
}

func newHead(class, title, generator, root string, crumbs []link) headView {
	return headView{
		Class: class, Title: title, Generator: generator, Root: root,
		Script: assets.Script().Name, Stylesheet: assets.Stylesheet().Name,
		Icons:  template.HTML(assets.Icons), // ours, embedded
		Crumbs: crumbs,
	}
}
