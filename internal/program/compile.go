package program

import (
	"fmt"
	"html/template"
	"reflect"
	"sync"
	"text/template/parse"
)

// A compiler makes programs from templates.
type compiler struct {
	text func(name string) (string, bool)

	mu       sync.Mutex
	escapers map[string]escaper                   // nil before the first program
	escaped  map[string]*template.Template        // by name
	whole    map[string]*template.Template        // by name, with all that they call
	programs map[string]map[reflect.Type]*program // by name and type of the dot
}

func newCompiler(text func(name string) (string, bool)) *compiler {
	return &compiler{
		text: text, escaped: make(map[string]*template.Template), whole: make(map[string]*template.Template),
		programs: make(map[string]map[reflect.Type]*program),
	}
}

// program returns the program of a template for a type of view. The templates that it calls are compiled when it calls
// them: most pages use few of those they name.
func (c *compiler) program(name string, dot reflect.Type) *program {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.programs[name][dot]; p != nil {
		return p
	}
	if c.escapers == nil {
		c.escapers = escapersOf()
	}
	if c.programs[name] == nil {
		c.programs[name] = make(map[reflect.Type]*program)
	}
	p := &program{dot: dot}
	c.programs[name][dot] = p
	t := c.escape(name)
	if t == nil {
		p.err = fmt.Errorf("%s: not a template, or not one that can be escaped alone", name)
		return p
	}
	b := body{compiler: c, vars: []named{{"$", dot}}}
	p.ops, p.err = b.list(t.Tree.Root, dot)
	if p.err != nil {
		p.err = fmt.Errorf("%s: %w", name, p.err)
	}
	return p
}

// A body is a template that is being compiled.
type body struct {
	*compiler
	vars []named // variables in scope, by index
}

type named struct {
	name string
	typ  reflect.Type
}

func (b *body) list(list *parse.ListNode, dot reflect.Type) ([]op, error) {
	if list == nil {
		return nil, nil
	}
	var ops []op
	for _, n := range list.Nodes {
		op, err := b.node(n, dot)
		if err != nil {
			return nil, err
		}
		if op != nil {
			ops = append(ops, op)
		}
	}
	return ops, nil
}

func (b *body) node(n parse.Node, dot reflect.Type) (op, error) {
	switch n := n.(type) {
	case *parse.TextNode:
		return literal(n.Text), nil
	case *parse.CommentNode:
		return nil, nil
	case *parse.ActionNode:
		return b.action(n.Pipe, dot)
	case *parse.IfNode:
		test, err := b.test(n.Pipe, dot)
		if err != nil {
			return nil, err
		}
		then, otherwise, err := b.branches(&n.BranchNode, dot, dot)
		return condition(test, then, otherwise), err
	case *parse.WithNode:
		from, typ, err := b.operand(n.Pipe, dot)
		if err != nil {
			return nil, err
		}
		holds, err := notEmpty(typ)
		if err != nil {
			return nil, err
		}
		then, otherwise, err := b.branches(&n.BranchNode, typ, dot)
		return with(from, holds, then, otherwise), err
	case *parse.RangeNode:
		return b.each(n, dot)
	case *parse.TemplateNode:
		return b.call(n, dot)
	}
	return nil, fmt.Errorf("%s is not known", n)
}

// branches compiles the two lists of an if, with or range.
func (b *body) branches(n *parse.BranchNode, then, otherwise reflect.Type) (yes, no []op, err error) {
	if yes, err = b.list(n.List, then); err != nil {
		return nil, nil, err
	}
	no, err = b.list(n.ElseList, otherwise)
	return yes, no, err
}

func (b *body) each(n *parse.RangeNode, dot reflect.Type) (op, error) {
	scope := len(b.vars)
	defer func() { b.vars = b.vars[:scope] }()
	decl := n.Pipe.Decl
	undeclared := *n.Pipe
	undeclared.Decl = nil
	from, typ, err := b.operand(&undeclared, dot)
	if err != nil {
		return nil, err
	}
	if typ.Kind() != reflect.Slice {
		return nil, fmt.Errorf("range over a %s is not known", typ)
	}
	index, element := -1, -1
	declare := func(v *parse.VariableNode, typ reflect.Type) int {
		b.vars = append(b.vars, named{v.Ident[0], typ})
		return len(b.vars) - 1
	}
	switch len(decl) {
	case 1:
		element = declare(decl[0], typ.Elem())
	case 2:
		index = declare(decl[0], reflect.TypeFor[int]())
		element = declare(decl[1], typ.Elem())
	}
	list, otherwise, err := b.branches(&n.BranchNode, typ.Elem(), dot)
	return each(from, index, element, list, otherwise), err
}

func (b *body) call(n *parse.TemplateNode, dot reflect.Type) (op, error) {
	if n.Pipe == nil || n.Name == "" {
		return nil, fmt.Errorf("%s is not known", n)
	}
	from, typ, err := b.operand(n.Pipe, dot)
	if err != nil {
		return nil, err
	}
	return call(b.compiler, n.Name, typ, from), nil
}

// action writes a value.
func (b *body) action(pipe *parse.PipeNode, dot reflect.Type) (op, error) {
	if len(pipe.Decl) > 0 || len(pipe.Cmds) == 0 || len(pipe.Cmds[0].Args) != 1 {
		return nil, fmt.Errorf("{{%s}} is not known", pipe)
	}
	from, typ, err := b.value(pipe.Cmds[0].Args[0], dot)
	if err != nil {
		return nil, err
	}
	chain := chainOf(pipe)
	escape := b.escapers[chain]
	switch {
	case typ == reflect.TypeFor[template.HTML]() && chain == "_html_template_htmlescaper":
		escape = raw
	case escape == nil || typ.PkgPath() == "html/template" || describes(typ):
		return nil, fmt.Errorf("{{%s}} of %s is not known", pipe, typ)
	}
	switch typ.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		return write(from, typ.Kind(), escape), nil
	}
	return nil, fmt.Errorf("{{%s}} of %s is not known", pipe, typ)
}

// describes reports whether values of a type are written by one of their methods.
func describes(typ reflect.Type) bool {
	return hasMethod(typ, "String") || hasMethod(typ, "Error") || hasMethod(typ, "Format")
}

// operand returns the value of a pipe that only names one.
func (b *body) operand(pipe *parse.PipeNode, dot reflect.Type) (source, reflect.Type, error) {
	if len(pipe.Decl) > 0 || len(pipe.Cmds) != 1 || len(pipe.Cmds[0].Args) != 1 {
		return nil, nil, fmt.Errorf("{{%s}} is not known", pipe)
	}
	return b.value(pipe.Cmds[0].Args[0], dot)
}

// value compiles dot, a variable, or a field of either.
func (b *body) value(n parse.Node, typ reflect.Type) (source, reflect.Type, error) {
	switch n := n.(type) {
	case *parse.DotNode:
		return dot, typ, nil
	case *parse.FieldNode:
		return fieldsOf(dot, typ, n.Ident)
	case *parse.VariableNode:
		for i := len(b.vars) - 1; i >= 0; i-- {
			if b.vars[i].name == n.Ident[0] {
				return fieldsOf(variable(i), b.vars[i].typ, n.Ident[1:])
			}
		}
	}
	return nil, nil, fmt.Errorf("%s is not known", n)
}

// fieldsOf follows the names of fields into structs.
func fieldsOf(from source, typ reflect.Type, names []string) (source, reflect.Type, error) {
	for _, name := range names {
		if hasMethod(typ, name) {
			m, ok := typ.MethodByName(name)
			if !ok || m.Type.NumIn() != 1 || m.Type.NumOut() != 1 {
				return nil, nil, fmt.Errorf("method %s.%s is not known", typ, name)
			}
			from, typ = method(from, m.Index), m.Type.Out(0)
			continue
		}
		pointer := typ.Kind() == reflect.Pointer
		if pointer {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct {
			return nil, nil, fmt.Errorf("%s has no fields", typ)
		}
		f, ok := typ.FieldByName(name)
		if !ok {
			return nil, nil, fmt.Errorf("%s has no field %s", typ, name)
		}
		from, typ = fieldOf(from, pointer, f.Index), f.Type
	}
	return from, typ, nil
}

func method(from source, index int) source {
	return func(s *state) reflect.Value { return from(s).Method(index).Call(nil)[0] }
}

// hasMethod reports whether a type, or a pointer to it, has a method of that name.
func hasMethod(typ reflect.Type, name string) bool {
	_, ok := typ.MethodByName(name)
	if !ok {
		_, ok = reflect.PointerTo(typ).MethodByName(name)
	}
	return ok
}

func fieldOf(from source, pointer bool, index []int) source {
	if len(index) == 1 && !pointer {
		i := index[0]
		return func(s *state) reflect.Value { return from(s).Field(i) }
	}
	return func(s *state) reflect.Value {
		v := from(s)
		if pointer {
			v = v.Elem()
		}
		return v.FieldByIndex(index)
	}
}

// test compiles a condition: a value that may be empty, or eq, not, and, or of conditions.
func (b *body) test(pipe *parse.PipeNode, dot reflect.Type) (func(s *state) bool, error) {
	if len(pipe.Decl) > 0 || len(pipe.Cmds) != 1 {
		return nil, fmt.Errorf("{{if %s}} is not known", pipe)
	}
	args := pipe.Cmds[0].Args
	name, isCall := args[0].(*parse.IdentifierNode)
	switch {
	case !isCall && len(args) == 1:
		return b.holds(args[0], dot)
	case isCall && name.Ident == "eq" && len(args) == 3:
		return b.equal(args[1], args[2], dot)
	case isCall && (name.Ident == "not" && len(args) == 2 || name.Ident == "and" || name.Ident == "or"):
		var tests []func(s *state) bool
		for _, a := range args[1:] {
			t, err := b.holds(a, dot)
			if err != nil {
				return nil, err
			}
			tests = append(tests, t)
		}
		return combine(name.Ident, tests), nil
	}
	return nil, fmt.Errorf("{{if %s}} is not known", pipe)
}

func combine(how string, tests []func(s *state) bool) func(s *state) bool {
	if how == "not" {
		return func(s *state) bool { return !tests[0](s) }
	}
	return func(s *state) bool {
		for _, t := range tests {
			if t(s) == (how == "or") {
				return how == "or"
			}
		}
		return how == "and"
	}
}

func (b *body) holds(n parse.Node, dot reflect.Type) (func(s *state) bool, error) {
	if pipe, ok := n.(*parse.PipeNode); ok {
		return b.test(pipe, dot)
	}
	from, typ, err := b.value(n, dot)
	if err != nil {
		return nil, err
	}
	holds, err := notEmpty(typ)
	return func(s *state) bool { return holds(from(s)) }, err
}

// notEmpty returns the test for values of a type that are not empty.
func notEmpty(typ reflect.Type) (func(reflect.Value) bool, error) {
	switch typ.Kind() {
	case reflect.Bool:
		return reflect.Value.Bool, nil
	case reflect.String, reflect.Slice, reflect.Map:
		return func(v reflect.Value) bool { return v.Len() > 0 }, nil
	case reflect.Pointer:
		return func(v reflect.Value) bool { return !v.IsNil() }, nil
	case reflect.Struct:
		return func(reflect.Value) bool { return true }, nil
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		return func(v reflect.Value) bool { return v.Int() != 0 }, nil
	}
	return nil, fmt.Errorf("whether a %s is empty is not known", typ)
}

// equal compares a text with a constant text, or a whole number with a constant.
func (b *body) equal(left, right parse.Node, dot reflect.Type) (func(s *state) bool, error) {
	from, typ, err := b.value(left, dot)
	if err != nil {
		return nil, err
	}
	switch want := right.(type) {
	case *parse.StringNode:
		if typ.Kind() == reflect.String {
			return func(s *state) bool { return from(s).String() == want.Text }, nil
		}
	case *parse.NumberNode:
		if want.IsInt && typ.Kind() == reflect.Int {
			return func(s *state) bool { return from(s).Int() == want.Int64 }, nil
		}
	}
	return nil, fmt.Errorf("eq %s %s is not known", left, right)
}
