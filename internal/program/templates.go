package program

import (
	"fmt"
	"html/template"
	"io"
	"text/template/parse"
)

// empty is the name of a template without text.
const empty = "empty"

// escape returns a template in which html/template has escaped all values, nil if it refuses to. Meanwhile the
// templates that it calls are replaced by an empty one. That changes nothing: all of them begin and end in the text of
// an element, or html/template refuses them too. A call elsewhere gets no name.
func (c *compiler) escape(name string) *template.Template {
	t, ok := c.escaped[name]
	if ok {
		return t
	}
	c.escaped[name] = nil
	t, err := c.parse(template.New(""), name)
	if err != nil {
		return nil
	}
	all := calls(t.Tree.Root, nil)
	if len(all) > 0 {
		if _, err := t.AddParseTree(empty, &parse.Tree{Name: empty, Root: new(parse.ListNode)}); err != nil {
			return nil
		}
	}
	names := make([]string, len(all))
	for i, call := range all {
		names[i], call.Name = call.Name, empty
	}
	_ = t.Execute(nowhere{}, nil) // escapes it first
	for i, call := range all {
		if call.Name != empty { // a copy that html/template made for another context
			names[i] = ""
		}
		call.Name = names[i]
	}
	if t.Tree == nil {
		return nil
	}
	c.escaped[name] = t
	return t
}

// parse adds a template to a set.
func (c *compiler) parse(set *template.Template, name string) (*template.Template, error) {
	text, ok := c.text(name)
	if !ok {
		return nil, fmt.Errorf("%s: no such template", name)
	}
	return set.New(name).Parse(text)
}

// execute lets html/template execute a template.
func (c *compiler) execute(out io.Writer, name string, view any) error {
	set, err := c.withCalled(name)
	if err != nil {
		return err
	}
	return set.ExecuteTemplate(out, name, view)
}

// withCalled returns a template with all that it calls.
func (c *compiler) withCalled(name string) (*template.Template, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if set := c.whole[name]; set != nil {
		return set, nil
	}
	set := template.New("")
	for names := []string{name}; len(names) > 0; names = names[1:] {
		if set.Lookup(names[0]) != nil {
			continue
		}
		t, err := c.parse(set, names[0])
		if err != nil {
			return nil, err
		}
		for _, call := range calls(t.Tree.Root, nil) {
			names = append(names, call.Name)
		}
	}
	c.whole[name] = set
	return set, nil
}

// calls appends the calls of other templates in a list.
func calls(list *parse.ListNode, all []*parse.TemplateNode) []*parse.TemplateNode {
	if list == nil {
		return all
	}
	branch := func(b *parse.BranchNode) { all = calls(b.ElseList, calls(b.List, all)) }
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.IfNode:
			branch(&n.BranchNode)
		case *parse.WithNode:
			branch(&n.BranchNode)
		case *parse.RangeNode:
			branch(&n.BranchNode)
		case *parse.TemplateNode:
			all = append(all, n)
		}
	}
	return all
}
