package render

import (
	"fmt"
	"html/template"
	"time"

	"viewer/internal/tools"
	"viewer/normalize"
	"viewer/render/page"
)

// A call is what the view of a tool is made from.
type call struct {
	*tools.Call
	d *drawer
}

// A row is what a closed call shows.
type row struct {
	Icon    string // a symbol of assets/icons.svg
	Label   string // instead of the tool's own name
	Path    string // of the file that the call is about; Target follows it
	Purpose string // what the call is for, in the words of who made it
	Target  string // what the call is about
	Prose   bool   // Target is words, not code
	Look    string // of the dot, where the result does not tell: bg, interrupted
	Facts   []page.Fact
	Took    time.Duration
	Kind    string  // what many such calls are called, where Label is about one of them
	More    []field // input that the drawing does not know

	Changes        bool // the call changes files
	Added, Removed int  // lines of them
}

// failed reports whether the result is an error, for whatever reason.
func (c call) failed() bool {
	r := c.Group().Result
	return r != nil && r.Block.IsError
}

// resultText joins the text of a result, without its wrapping.
func resultText(m *normalize.Message) (text, reminder string) {
	if m == nil {
		return "", ""
	}
	return normalize.ResultText(tools.ContentText(m.Block.Content))
}

// tool draws row and body of a call by the description of its tool, or generically.
func (d *drawer) tool(g *normalize.Group) (call, row, template.HTML) {
	c := call{tools.Describe(g, d.context), d}
	if g.Result != nil {
		d.drawn(g.Result)
	}
	if !c.Known {
		why := "tool " + g.Call.Name
		if c.Err != nil {
			why += ", input not understood"
		}
		d.drawnGenerically(why, g.Call)
		return c, d.row(c.Call), d.sections(c.Call)
	}
	used := d.quota.textBytes
	head := d.row(c.Call)
	body, err := d.body(c)
	if g.Call == nil {
		return c, head, body
	}
	if err != nil || len(body) > maxBodyHTML {
		why := "input not understood"
		if err == nil {
			why = "too large to be drawn"
		}
		d.quota.textBytes = used
		d.drawnGenerically("tool "+g.Call.Name+", "+why, g.Call)
		c.Call = tools.Unknown(g, d.context)
		return c, d.row(c.Call), d.sections(c.Call)
	}
	d.drawn(g.Call)
	return c, head, body
}

// body draws a call by the template of its tool, if it has one, and by its sections.
func (d *drawer) body(c call) (own template.HTML, err error) {
	if drawing := toolTemplates.byName[c.Template]; drawing != nil {
		if _, own, err = drawing.draw(c); err != nil {
			return "", err
		}
	} else if c.Template != "" {
		own = page.Execute("tool/"+c.Template, c.Detail)
	}
	return own + d.sections(c.Call), nil
}

// detail returns the part of a call that the template of its tool draws.
func detail[T any](c call) (T, error) {
	t, ok := c.Detail.(T)
	if !ok {
		return t, fmt.Errorf("render: a call of %s has a %T as its detail, not a %T", c.Tool, c.Detail, t)
	}
	return t, nil
}

// row returns the content of the row of a call.
func (d *drawer) row(c *tools.Call) row {
	r := row{Icon: c.Icon, Label: c.Label, Target: c.Target, Prose: c.Prose, Took: c.Took(), Kind: c.Many}
	if c.Command != "" {
		r.Purpose, r.Target = oneLine(c.Description, purposeLength), commandLine(c.Command)
	}
	if c.Path != "" {
		r.Path, r.Target = c.Short(c.Path), ""
		if c.Part != "" {
			r.Target = dot + c.Part
		}
	}
	for _, f := range c.Facts {
		r.Facts = append(r.Facts, page.Fact{Text: f.Text, Look: string(f.Tone), Main: f.Main})
	}
	switch {
	case c.Background:
		r.Look = "bg"
	case c.Interrupted:
		r.Look = "interrupted"
	}
	for _, ch := range c.Changes {
		r.Changes, r.Added, r.Removed = true, r.Added+ch.Added, r.Removed+ch.Removed
	}
	r.More = d.fields(c.Rest)
	for _, cut := range c.Cut {
		f := d.field(cut.Name, cut.Value)
		f.Long = f.Long || cut.Long
		r.More = append([]field{f}, r.More...)
	}
	return r
}
