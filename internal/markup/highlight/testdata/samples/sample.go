// Package ring is a sample: "quotes" in a comment, it's fine.
package ring

//go:build linux && !cgo

import (
	"fmt"
	"strings" // for Builder
)

/*
A block comment with "quotes", 'c' and `ticks`.
// not a line comment of its own
*/
type Ring[T any] struct {
	buf  []T `json:"buf,omitempty"`
	next int
	mu   *sync.Mutex
}

const (
	A = iota
	B
	mask = 0x_FF_00
	oct  = 0o755
	bin  = 0b1010_1010
	flt  = 6.022e23
	tiny = .5e-3
	imag = 3i
	char = '\''
	tab  = '\t'
	uni  = '\u00e9'
	hexf = 0x1p-2
)

// Push adds v; see https://example.com/a//b.
func (r *Ring[T]) Push(v T) (ok bool, err error) {
	defer r.mu.Unlock()
	r.buf[r.next%len(r.buf)] = v
	r.next++
	s := "a // not a comment /* nor this */ \" still"
	raw := `raw // string with "quotes"
	over lines \`
	path := "C:\\"
	fmt.Printf("%d < %s\n", 0x2a, s+raw+path)
	for i, c := range s {
		switch {
		case c == '"', c == '`':
			continue
		case c == '\\':
			break
		default:
			goto end
		}
		_ = i
	}
end:
	if v, ok := any(v).(fmt.Stringer); ok && r != nil {
		return true, fmt.Errorf("got %w: %v", err, v)
	}
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case x := <-ch:
		go func() { ch <- x }()
	}
	m := map[string][]int{"a": {1, 2}, "b": nil}
	delete(m, "a")
	p := new(int)
	*p = 10 / 2
	q := append([]byte(nil), 1.5, 10.0)
	panic(fmt.Sprint(q, cap(q), min(1, 2)))
	return r.next > 1 && true, nil
}

type Handler interface {
	Handle(w io.Writer, r *Request) error
	~int | ~string
}

var _ Handler = (*handler)(nil)

func Map[K comparable, V any](m map[K]V, f func(V) V) map[K]V {
	out := make(map[K]V, len(m))
	for k, v := range m {
		out[k] = f(v)
	}
	return out
}

func grüße() string { return "grüße, 世界 // \"ok\"" }

// Chain is a set of stages; the zero value does nothing.
//
//	c.Then(Trim, Lower)
type Chain[In, Out any] struct {
	stages []func(In) (Out, error) // in order
	opts   struct{ strict, quiet bool }
	limits map[string]*[4]uint64
}

//go:generate stringer -type=Kind
//go:embed "templates/*.tmpl" other.txt
var files embed.FS

func (c *Chain[In, Out]) Then(fs ...func(In) (Out, error)) *Chain[In, Out] {
	c.stages = append(c.stages, fs...)
	return c
}

func (c Chain[In, Out]) Run(ctx context.Context, in <-chan In, out chan<- Out) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.Join(err, fmt.Errorf("stage %d: %v", n, r))
		}
	}()
	for v := range in {
		for i, f := range c.stages {
			o, err := f(v)
			switch e := err.(type) {
			case nil:
				out <- o
			case *os.PathError, interface{ Timeout() bool }:
				return i, fmt.Errorf(`stage %q: %w`+"\n", e, err)
			}
			n += i &^ 1 << 2 % 7
		}
		for range 10 {
			if n++; n >= 0b11 || !c.opts.strict {
				break
			}
		}
	}
	var query = `SELECT "id", 'name' -- not a comment of Go
		FROM t /* nor this */ WHERE a = '` + "`" + `'`
	return len(query), ctx.Err()
}
/* the end is not closed: "it's `open`
