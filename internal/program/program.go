// Package program executes templates of html/template, ten times faster. It never decides how a value is escaped.
//
// html/template decides how a template escapes its values. It rewrites the tree of the template, so that {{.Name}}
// becomes {{.Name | _html_template_attrescaper}}. A program is such a tree in which fields are found and types are
// checked once for each type of view, instead of once for each value.
//
// A template with anything that this package does not know is executed by html/template. Only the escaper for texts,
// titles and quoted attributes is implemented here (escaper.go), also for addresses that need no other. All others are
// those of html/template. Tests compare the results for the same values.
package program

import (
	"html/template"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
)

// A Set executes templates. Goroutines may share it.
type Set struct {
	compiler *compiler
	last     sync.Map // *program by name, since the type of a template's view nearly never changes
	states   sync.Pool
}

// New returns a set of templates, given by their names. Each begins and ends in the text of an element, and defines no
// others. It is parsed when it is first executed.
func New(text func(name string) (string, bool)) *Set {
	return &Set{compiler: newCompiler(text), states: sync.Pool{New: func() any { return new(state) }}}
}

// Execute draws a view with the template of that name, like ExecuteTemplate.
func (s *Set) Execute(name string, view any) (html template.HTML, err error) {
	st := s.states.Get().(*state)
	out, err := s.append(st, st.own[:0], name, view)
	html = template.HTML(out)
	if cap(out) <= maxKept {
		st.own = out
	}
	s.states.Put(st)
	return html, err
}

// maxKept is the maximum size of the buffer that a state keeps for the next execution, in bytes.
const maxKept = 1 << 20

// Append is Execute for a page. It appends to out.
func (s *Set) Append(page []byte, name string, view any) ([]byte, error) {
	st := s.states.Get().(*state)
	page, err := s.append(st, page, name, view)
	s.states.Put(st)
	return page, err
}

func (s *Set) append(st *state, out []byte, name string, view any) ([]byte, error) {
	v := reflect.ValueOf(view)
	if !v.IsValid() {
		return s.slowly(out, name, view)
	}
	last, _ := s.last.Load(name)
	p, _ := last.(*program)
	if p == nil || p.dot != v.Type() {
		p = s.compiler.program(name, v.Type())
		s.last.Store(name, p)
	}
	if p.err != nil {
		return s.slowly(out, name, view)
	}
	if all, ok := st.execute(out, p, v); ok {
		return all, nil
	}
	out, err := s.slowly(out, name, view) // its error says why the program stopped
	if err == nil {
		recovered.Add(1)
	}
	return out, err
}

// recovered counts the programs that panicked.
var recovered atomic.Int64

// Recovered returns how many programs panicked, so that html/template had to be used: a bug in this package, which
// costs time. It is for tests, which fail unless it is 0.
func Recovered() int64 { return recovered.Load() }

func (s *Set) slowly(out []byte, name string, view any) ([]byte, error) {
	w := appender{out}
	if err := s.compiler.execute(&w, name, view); err != nil {
		return out, err
	}
	return w.out, nil
}

// Unknown returns, for each executed template that was left to html/template, what in it could not be compiled.
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

// A program is a template compiled for one type of view.
type program struct {
	dot reflect.Type
	ops []op
	err error // why html/template has to execute it
}

// An op writes a part of the output.
type op func(s *state)

// A state is one execution.
type state struct {
	own []byte // the buffer for the output, unless one is given
	out []byte
	dot reflect.Value
	// vars are $ and the variables of ranges: those of the current template from base on, before them those of the
	// templates that called it.
	vars []reflect.Value
	base int
}

// execute appends the output of a program and reports whether it finished. It does not if a view lacks something that
// the template uses without a test, for example if a pointer is nil.
func (s *state) execute(out []byte, p *program, v reflect.Value) (all []byte, ok bool) {
	defer func() {
		if !ok {
			_ = recover()
			s.base, s.dot = 0, reflect.Value{}
		}
		clear(s.vars[:cap(s.vars)]) // so that the values can be garbage collected
		s.out, s.vars = nil, s.vars[:0]
	}()
	s.out = out
	p.run(s, v)
	return s.out, true
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

// within runs ops with a different dot.
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
