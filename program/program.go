// Package program executes templates of html/template, ten times as fast.
//
// html/template decides how a template escapes what it is given: it rewrites the
// template's tree, in which {{.Name}} becomes {{.Name | _html_template_attrescaper}}.
// A program is such a tree after html/template is done with it, with fields found
// and types checked once for each type of view instead of once for each value.
//
// The package makes no decision of its own about safety. A template that holds
// anything it does not know is executed by html/template; and of the escapers
// only the one for texts and quoted attributes is written again (escaper.go), all
// others are html/template's. Tests compare what both make of the same values.
package program

import (
	"bytes"
	"html/template"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
)

// A Set executes the templates of a *template.Template. Goroutines may share it.
type Set struct {
	compiler *compiler
	last     map[string]*atomic.Pointer[program] // by name: templates are nearly always given the same type
	states   sync.Pool
}

// New takes templates, which nobody may change from now on.
func New(t *template.Template) *Set {
	s := &Set{compiler: newCompiler(t), last: make(map[string]*atomic.Pointer[program])}
	for _, one := range t.Templates() {
		s.last[one.Name()] = new(atomic.Pointer[program])
	}
	s.states.New = func() any { return new(state) }
	return s
}

// Prepare escapes a template and all that it calls, which is done once, when one of
// them is executed first.
func (s *Set) Prepare(name string) {
	s.compiler.mu.Lock()
	defer s.compiler.mu.Unlock()
	s.compiler.escape(name)
}

// Execute draws a view by the template of that name, as ExecuteTemplate does.
func (s *Set) Execute(name string, view any) (html template.HTML, err error) {
	err = s.execute(name, view, func(out []byte) { html = template.HTML(out) })
	return html, err
}

// Append is Execute for a page: it appends to what is there.
func (s *Set) Append(page []byte, name string, view any) ([]byte, error) {
	err := s.execute(name, view, func(out []byte) { page = append(slices.Grow(page, len(out)+1), out...) }) // most pages end in a line end
	return page, err
}

// execute hands what was drawn to take, which may not keep it.
func (s *Set) execute(name string, view any, take func(out []byte)) error {
	v := reflect.ValueOf(view)
	last := s.last[name]
	if last == nil || !v.IsValid() {
		return s.slowly(name, view, take)
	}
	p := last.Load()
	if p == nil || p.dot != v.Type() {
		p = s.compiler.program(name, v.Type())
		last.Store(p)
	}
	if p.err == nil && s.run(p, v, take) {
		return nil
	}
	return s.slowly(name, view, take) // where the program did not come to its end, this says why
}

// run executes a program; it reports whether it came to the end. It does not
// when a view lacks what a template takes for granted, such as a nil pointer.
func (s *Set) run(p *program, v reflect.Value, take func(out []byte)) (ok bool) {
	st := s.states.Get().(*state)
	defer func() {
		if !ok {
			_ = recover()
		}
	}()
	p.run(st, v)
	take(st.out)
	st.reset()
	s.states.Put(st)
	return true
}

func (s *Set) slowly(name string, view any, take func(out []byte)) error {
	var b bytes.Buffer
	if err := s.compiler.templates.ExecuteTemplate(&b, name, view); err != nil {
		return err
	}
	take(b.Bytes())
	return nil
}

// Unknown says of each template that was executed and is left to html/template
// what in it is not known here.
func (s *Set) Unknown() []string {
	s.compiler.mu.Lock()
	defer s.compiler.mu.Unlock()
	var all []string
	for _, name := range slices.Sorted(maps.Keys(s.compiler.programs)) {
		for _, p := range s.compiler.programs[name] {
			if p.err != nil {
				all = append(all, p.err.Error())
			}
		}
	}
	return all
}

// A program is a template, ready for one type of view.
type program struct {
	dot reflect.Type
	ops []op
	err error // why html/template has to execute it
}

// An op writes a part of the output.
type op func(s *state)

// A state is one execution.
type state struct {
	out []byte
	dot reflect.Value
	// vars are $ and the variables of ranges, from base on those of the template
	// that runs, before it those of the templates that called it.
	vars []reflect.Value
	base int
}

// run executes a program on a value.
func (p *program) run(s *state, dot reflect.Value) {
	base, outer := s.base, s.dot
	s.base, s.dot = len(s.vars), dot
	s.vars = append(s.vars, dot)
	s.ops(p.ops)
	s.vars = s.vars[:s.base]
	s.base, s.dot = base, outer
}

func (s *state) ops(ops []op) {
	for _, op := range ops {
		op(s)
	}
}

// within runs ops with another dot.
func (s *state) within(dot reflect.Value, ops []op) {
	outer := s.dot
	s.dot = dot
	s.ops(ops)
	s.dot = outer
}

func (s *state) set(variable int, v reflect.Value) {
	for len(s.vars) <= s.base+variable {
		s.vars = append(s.vars, reflect.Value{})
	}
	s.vars[s.base+variable] = v
}

// reset forgets the values, so that they can be collected.
func (s *state) reset() {
	clear(s.vars[:cap(s.vars)])
	s.out, s.vars = s.out[:0], s.vars[:0]
	if cap(s.out) > 1<<20 {
		s.out = nil
	}
}
