package htmlcheck

import (
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"
)

// A link from a page to a file of the site, and perhaps to an id in it.
type link struct {
	from     string // the element, for findings
	file     string
	fragment string
}

// idLists are the attributes that list ids of elements of the same page.
var idLists = map[string]bool{
	"for": true, "list": true, "headers": true, "form": true, "popovertarget": true, "commandfor": true,
	"aria-labelledby": true, "aria-describedby": true, "aria-controls": true, "aria-owns": true,
	"aria-details": true, "aria-flowto": true, "aria-activedescendant": true, "aria-errormessage": true,
}

// loading are the attributes whose value is loaded or linked.
var loading = map[string]bool{
	"href": true, "src": true, "srcset": true, "poster": true, "data": true, "action": true,
	"formaction": true, "background": true, "manifest": true, "ping": true,
}

func (p *page) attributes(n *html.Node, in ancestry) {
	for _, a := range n.Attr {
		switch name := strings.ToLower(a.Key); {
		case name == "style":
			p.find(in.near, "%s: a style attribute: the policy forbids it; use a class", tag(n))
		case name == "integrity":
			p.find(in.near, "%s: an integrity attribute: from disk, what has one does not load", tag(n))
		case strings.HasPrefix(name, "on"):
			p.find(in.near, "%s: the handler %s: the policy forbids it; put it into the script file", tag(n), name)
		case idLists[name]:
			for id := range strings.FieldsSeq(a.Val) {
				p.refs = append(p.refs, reference{place{n, in.near}, name, id})
			}
		case name == "srcset":
			p.find(in.near, "%s: srcset is not used: one file for each picture", tag(n))
		case loading[name]:
			p.target(n, name, a.Val, in)
		}
		p.attributeText(n, a, in)
	}
}

// target checks the target of an attribute. Links to files of the site are collected, and checked when all files are
// known.
func (p *page) target(n *html.Node, name, value string, in ancestry) {
	if strings.TrimSpace(value) == "" {
		p.find(in.near, "%s: %s is empty", tag(n), name)
		return
	}
	u, err := url.Parse(strings.TrimSpace(value))
	if err != nil {
		p.find(in.near, "%s: %s is not an address: %v", tag(n), name, err)
		return
	}
	link := n.Data == "a" && name == "href" && n.Namespace == ""
	switch scheme := strings.ToLower(u.Scheme); {
	case scheme == "http" || scheme == "https" || scheme == "mailto":
		if !link {
			p.find(in.near, "%s: %s leads to the network: only <a href> may", tag(n), name)
		}
		return
	case scheme != "":
		p.find(in.near, "%s: %s has the scheme %s: only http, https and mailto are allowed, in <a href>", tag(n), name, scheme)
		return
	case u.Host != "" || strings.HasPrefix(u.Path, "//"):
		p.find(in.near, "%s: %s leads to the network, or on disk to nothing: write https:", tag(n), name)
		return
	case strings.HasPrefix(u.Path, "/") || strings.Contains(value, `\`):
		p.find(in.near, "%s: %s is an absolute path: links in a site are relative", tag(n), name)
		return
	}
	p.relative(n, name, u, in)
}

func (p *page) relative(n *html.Node, name string, u *url.URL, in ancestry) {
	file := p.name
	if u.Path != "" {
		file = path.Join(path.Dir(p.name), u.Path)
		switch {
		case file == ".." || strings.HasPrefix(file, "../"):
			p.find(in.near, "%s: %s leads out of the site", tag(n), name)
			return
		case strings.HasSuffix(u.Path, "/") || file == ".":
			p.find(in.near, "%s: %s leads to a folder: on disk, index.html has to be named", tag(n), name)
			return
		case strings.HasPrefix(file, ".") || strings.Contains(file, "/."):
			p.find(in.near, "%s: %s needs a dot file: artifact uploads leave them out", tag(n), name)
			return
		}
	}
	p.links = append(p.links, link{from: tag(n), file: file, fragment: u.Fragment})
}
