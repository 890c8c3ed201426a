package render

import (
	"html/template"
	"slices"
	"strings"

	"viewer/internal/markup"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/render/page"
)

// A sectionView is a section of a call: one of its fields after Label is set.
type sectionView struct {
	Label    string
	Command  string
	Output   *output
	Passage  *passage
	Prose    template.HTML
	Fields   []field
	Links    []hit
	Todos    []todo
	Pictures []picture
	Note     string
}

// A hit is an address with its title.
type hit struct{ Title, Href, URL string }

// sections draws the sections of a call, except for those that its template draws.
func (d *drawer) sections(c *tools.Call) template.HTML {
	views := make([]sectionView, 0, len(c.Content))
	for i := range c.Content {
		s := &c.Content[i]
		if s.Drawn && c.Template != "" {
			continue
		}
		if v := d.section(c, s); !v.empty() {
			v.Label = s.Label
			views = append(views, v)
		}
	}
	if len(views) == 0 {
		return ""
	}
	return page.Execute("partial/sections", views)
}

func (v *sectionView) empty() bool {
	return v.Command == "" && v.Output == nil && v.Passage == nil && v.Prose == "" && len(v.Fields) == 0 &&
		len(v.Links) == 0 && len(v.Todos) == 0 && len(v.Pictures) == 0 && v.Note == ""
}

func (d *drawer) section(c *tools.Call, s *tools.Section) (v sectionView) {
	anchor := c.Group().Head().Anchor
	if s.Name != "" {
		anchor += "-" + s.Name
	}
	switch s.Shape {
	case tools.Text:
		v.Output = d.plain(s.Text)
	case tools.Terminal:
		v.Output = d.terminal(s.Text)
	case tools.Command:
		v.Command = s.Text
	case tools.Code:
		if s.First > 0 {
			v.Output = d.numbered(s.Text, s.Lang, s.First)
		} else {
			v.Output = d.code(s.Text, s.Lang)
		}
	case tools.Any:
		v.Output = d.anyText(s.Text)
	case tools.Diff:
		v.Output = d.diff(s.Hunks, s.Lang)
	case tools.Prose:
		v.Passage = d.passage(s.Text, anchor)
	case tools.Markdown:
		v.Prose = d.markdown(s.Text, anchor)
	case tools.Note:
		v.Note = s.Text
	case tools.Fields:
		v.Fields = d.fieldList(s.List)
	case tools.Members:
		v.Fields = d.inputMembers(c, s)
	case tools.Links:
		for _, l := range s.Links {
			v.Links = append(v.Links, hit{l.Title, markup.Link(l.URL), l.URL})
		}
	case tools.Items:
		v.Todos = todos(s.Items)
	case tools.Media:
		v.Pictures = d.filePictures(c, s.Media)
	}
	return v
}

// fieldList draws fields with words of a tool, in blocks only if necessary.
func (d *drawer) fieldList(list []tools.Field) []field {
	var all []field
	for _, l := range list {
		f := d.said(l.Name, l.Value)
		f.Long = f.Long || l.Long
		all = append(all, f)
	}
	return all
}

// inputMembers lists the members of an object that are neither on the row nor in another section.
func (d *drawer) inputMembers(c *tools.Call, s *tools.Section) []field {
	all := d.fields(s.JSON)
	if len(all) == 0 {
		if text := transcript.TextOf(s.JSON); text != "" && text != "{}" {
			f := d.field("input", text)
			f.Long = true
			return []field{f}
		}
	}
	if s.Told != "" || s.Without != "" {
		all = slices.DeleteFunc(all, func(f field) bool {
			return s.Without != "" && f.Name == s.Without || s.Told != "" && f.Name == s.Told && f.Value == c.Target
		})
	}
	if s.Words {
		return inWords(all)
	}
	return all
}

// filePictures returns the images of a file that a call read.
func (d *drawer) filePictures(c *tools.Call, media []tools.Medium) []picture {
	var all []picture
	for _, m := range media {
		all = append(all, d.picture(m.Source, m.Kind))
	}
	all = d.limitPictures(all)
	name := c.Path[strings.LastIndexAny(c.Path, `/\`)+1:]
	for i := range all {
		all[i].Alt = oneLine(all[i].Alt+" "+name, 120)
	}
	return all
}

// A todo is one line of a task list.
type todo struct {
	Text  string
	State string // done, now, or "" for open
	Words string // the same in words, for screen readers
}

var todoStates = map[tools.ItemState]todo{
	tools.ItemDone:    {State: "done", Words: "done"},
	tools.ItemActive:  {State: "now", Words: "in progress"},
	tools.ItemDeleted: {State: "done", Words: "deleted"},
}

func todos(items []tools.Item) []todo {
	all := make([]todo, len(items))
	for i, item := range items {
		all[i] = todoStates[item.State]
		all[i].Text = strings.ReplaceAll(item.Text, " · ", dot)
	}
	return all
}
