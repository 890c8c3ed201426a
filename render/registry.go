package render

import (
	"fmt"
	"html/template"
	"maps"
	"slices"

	"viewer/render/page"
)

// A registry holds the drawings of one kind of thing by name.
type registry[T any] struct {
	kind   string // tool, system, attachment: also the folder of the templates
	byName map[string]*drawing[T]
}

// A drawing converts a thing to the content of its frame and the HTML of its body.
type drawing[T any] struct {
	name, template string
	draw           func(T) (view any, body template.HTML, err error)
	zero           any // of the view type, for checking the template
}

// toolTemplates draw calls of tools with their own template, by its name. systems draw system records by subtype,
// attachments and records by type, and blocks other content blocks by type.
var (
	toolTemplates = &registry[call]{kind: "tool"}
	systems       = &registry[event]{kind: "system"}
	attachments   = &registry[event]{kind: "attachment"}
	records       = &registry[event]{kind: "record"}
	blocks        = &registry[event]{kind: "block"}
)

// register makes r draw name by executing the template with the value of view.
// If view fails, the generic drawing is used: content is never lost.
//
// It is called from package variables in the file of each drawing, so that a new drawing edits no list. A duplicate
// name panics at start.
func register[T, V any](r *registry[T], name, tmpl string, view func(T) (V, error)) struct{} {
	if r.byName == nil {
		r.byName = make(map[string]*drawing[T])
	}
	if r.byName[name] != nil {
		panic(fmt.Sprintf("render: two drawings for %s %s", r.kind, name))
	}
	path := r.kind + "/" + tmpl
	var zero V
	if _, ok := any(zero).(lined); !ok && r.kind != toolTemplates.kind {
		panic(fmt.Sprintf("render: the view of %s %s embeds no line", r.kind, name))
	}
	r.byName[name] = &drawing[T]{
		name:     name,
		template: path,
		zero:     zero,
		draw: func(t T) (any, template.HTML, error) {
			v, err := view(t)
			if err != nil {
				return nil, "", err
			}
			return v, page.Execute(path, v), nil
		},
	}
	return struct{}{}
}

func (r *registry[T]) names() []string { return slices.Sorted(maps.Keys(r.byName)) }
