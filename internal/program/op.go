package program

import (
	"io"
	"reflect"
	"strconv"
	"sync"
)

// A source finds a value.
type source func(s *state) reflect.Value

func dot(s *state) reflect.Value { return s.dot }

func variable(place int) source {
	return func(s *state) reflect.Value { return s.vars[s.base+place] }
}

func literal(text []byte) op { return func(s *state) { s.out = append(s.out, text...) } }

// condition runs one of two lists.
func condition(test func(s *state) bool, then, otherwise []op) op {
	return func(s *state) {
		if test(s) {
			s.ops(then)
			return
		}
		s.ops(otherwise)
	}
}

// with runs a list with another dot, if that is not empty.
func with(from source, holds func(reflect.Value) bool, then, otherwise []op) op {
	return func(s *state) {
		if v := from(s); holds(v) {
			s.within(v, then)
			return
		}
		s.ops(otherwise)
	}
}

// each runs a list for each element of a slice. index and element are the indexes of the variables for them, -1 for
// none.
func each(from source, index, element int, body, otherwise []op) op {
	return func(s *state) {
		all := from(s)
		n := all.Len()
		if n == 0 {
			s.ops(otherwise)
			return
		}
		for i := range n {
			v := all.Index(i)
			if index >= 0 {
				s.set(index, reflect.ValueOf(i))
			}
			if element >= 0 {
				s.set(element, v)
			}
			s.within(v, body)
		}
	}
}

// write appends a value, escaped.
func write(from source, kind reflect.Kind, escape escaper) op {
	switch kind {
	case reflect.String:
		return func(s *state) { s.out = escape(s.out, from(s).String()) }
	case reflect.Bool:
		return func(s *state) { s.out = strconv.AppendBool(s.out, from(s).Bool()) }
	default: // an integer: compile allows no other kind
		return func(s *state) { s.out = strconv.AppendInt(s.out, from(s).Int(), 10) }
	}
}

// call executes another template on a value, with html/template if it cannot be compiled.
func call(c *compiler, name string, typ reflect.Type, from source) op {
	called := sync.OnceValue(func() *program { return c.program(name, typ) })
	return func(s *state) {
		v := from(s)
		p := called()
		if p.err == nil {
			p.run(s, v)
			return
		}
		w := appender{s.out}
		if err := c.execute(&w, name, v.Interface()); err != nil {
			panic("program: " + err.Error())
		}
		s.out = w.out
	}
}

// nowhere refuses what is written.
type nowhere struct{}

func (nowhere) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

type appender struct{ out []byte }

func (w *appender) Write(p []byte) (int, error) {
	w.out = append(w.out, p...)
	return len(p), nil
}
