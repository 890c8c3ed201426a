package highlight

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// This file runs chroma's lexers (lexers.go) with the matcher of expr.go. A
// lexer is data: states of rules, each an expression, the classes of what it
// matches, and the states that are entered or left behind it.

// A ruleSet is a lexer made ready. Its states hold the rules in order of trial.
type ruleSet map[string][]*rule

type rule struct {
	expr *expr
	emit emitter
	do   []stackOp
}

// An emitter says what classes a match has.
type emitter struct {
	kind   emitterKind
	class  byte
	groups []emitter // emitGroups
	state  string    // emitSelf
	lexer  string    // emitLexer; emitNamed: the number of the group that holds the name
	name   int
	code   int
}

type emitterKind uint8

const (
	emitNothing emitterKind = iota
	emitClass
	emitGroups
	emitSelf  // the rules again, from state on
	emitLexer // those of another lexer
	emitNamed // those of a lexer that the text names, for one group
)

// A stackOp enters states, or leaves so many.
type stackOp struct {
	push []string // "" is the state that it is in
	pop  int
}

func readRules(states []lexerState, flags string) (ruleSet, error) {
	r := rulesReader{flags: flags, states: make(map[string][]lexerRule), made: make(map[*lexerRule]*rule), set: make(ruleSet)}
	for _, s := range states {
		r.states[s.Name] = s.Rules
	}
	for _, s := range states {
		if err := r.state(s.Name, 0); err != nil {
			return nil, err
		}
		r.set[s.Name] = r.rules
		r.rules = nil
	}
	return r.set, nil
}

type rulesReader struct {
	flags  string
	states map[string][]lexerRule
	made   map[*lexerRule]*rule // a rule that several states include is made once
	set    ruleSet
	rules  []*rule // of the state that is read
}

// state adds the rules of a state, and of those that it includes.
func (r *rulesReader) state(name string, depth int) error {
	rules, ok := r.states[name]
	if !ok || depth > 50 {
		return fmt.Errorf("no state %q", name)
	}
	for i := range rules {
		x := &rules[i]
		if len(x.Parts) == 1 && x.Parts[0].Kind == "include" {
			if err := r.state(x.Parts[0].States[0], depth+1); err != nil {
				return err
			}
			continue
		}
		made := r.made[x]
		if made == nil {
			var err error
			if made, err = r.rule(x); err != nil {
				return err
			}
			r.made[x] = made
		}
		r.rules = append(r.rules, made)
	}
	return nil
}

func (r *rulesReader) rule(x *lexerRule) (*rule, error) {
	made := new(rule)
	var err error
	if made.expr, err = compileExpr(x.Pattern, r.flags); err != nil {
		return nil, err
	}
	for _, p := range x.Parts {
		if err := r.part(made, p); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// part reads one of what a rule has besides its pattern.
func (r *rulesReader) part(made *rule, p lexerPart) (err error) {
	switch p.Kind {
	case "push":
		if len(p.States) == 0 {
			p.States = []string{""}
		}
		made.do = append(made.do, stackOp{push: p.States})
	case "pop":
		made.do = append(made.do, stackOp{pop: p.Depth})
	case "mutators":
		for _, p := range p.Parts {
			if err := r.part(made, p); err != nil {
				return err
			}
		}
	case "combined": // a new state with the rules of several
		name := strings.Join(p.States, "+")
		if r.set[name] == nil {
			outer := r.rules
			r.rules = nil
			for _, s := range p.States {
				if err := r.state(s, 1); err != nil {
					return err
				}
			}
			r.set[name] = r.rules
			r.rules = outer
		}
		made.do = append(made.do, stackOp{push: []string{name}})
	default:
		made.emit, err = readEmitter(p)
	}
	return err
}

func readEmitter(p lexerPart) (e emitter, err error) {
	switch p.Kind {
	case "token":
		class := byte(0)
		if p.Class != "" {
			class = p.Class[0]
		}
		return emitter{kind: emitClass, class: class}, nil
	case "usingself":
		return emitter{kind: emitSelf, state: cmp.Or(p.States...)}, nil
	case "using":
		return emitter{kind: emitLexer, lexer: p.Lexer}, nil
	case "bygroups":
		e.kind = emitGroups
	case "usingbygroup":
		e = emitter{kind: emitNamed, name: p.NameOf, code: p.CodeOf}
		if len(p.Parts) > 0 {
			p.Parts = p.Parts[len(p.Parts)-1].Parts
		}
	default:
		return e, fmt.Errorf("unknown kind of rule %q", p.Kind)
	}
	for _, p := range p.Parts {
		group, err := readEmitter(p)
		if err != nil {
			return e, err
		}
		e.groups = append(e.groups, group)
	}
	return e, nil
}

// A ruler runs rule sets over one block.
type ruler struct {
	emit    func(class byte, end int)
	offsets []int32 // of each character in the block
	steps   int
	nested  int
}

// The steps of a block. Code takes 10 to 30 a byte; a step is some nanoseconds.
// What is left when they are spent is plain.
const (
	stepsPerByte = 100
	moreSteps    = 50_000
)

// deepestLexer is how many lexers may be inside each other.
const deepestLexer = 5

// rulesScanner makes the rules of a lexer a scanner.
func rulesScanner(l *ruleLexer) scanner {
	return func(src string, emit func(class byte, end int)) {
		set := l.rules()
		if set == nil {
			return
		}
		text := []rune(src)
		r := ruler{emit: emit, steps: stepsPerByte*len(src) + moreSteps, offsets: make([]int32, 0, len(text)+1)}
		for i := range src {
			r.offsets = append(r.offsets, int32(i))
		}
		r.offsets = append(r.offsets, int32(len(src)))
		r.run(set, text, 0, "root")
	}
}

// class says that the characters up to end are of class.
func (r *ruler) class(class byte, end int) {
	r.emit(class, int(r.offsets[end]))
}

// run reads text, which starts at the character base of the block.
func (r *ruler) run(set ruleSet, text []rune, base int, root string) {
	m := matcher{text: text}
	stack := []string{root}
	for pos := 0; pos < len(text) && len(stack) > 0 && len(stack) < len(text)+100; {
		m.steps = r.steps
		state := stack[len(stack)-1]
		found := m.firstOf(set[state], pos)
		if r.steps = m.steps; r.steps < 0 {
			return
		}
		if found == nil {
			// Where a line ends that no rule expects, what was entered is left.
			if text[pos] == '\n' && state != root {
				stack = append(stack[:0], root)
				continue
			}
			pos++
			r.class(0, base+pos)
			continue
		}
		end := m.end
		r.emitMatch(set, &m, found.emit, base, pos, end)
		pos = end
		for _, do := range found.do {
			if stack = do.apply(stack, state); stack == nil {
				return
			}
		}
	}
}

// firstOf is the first rule that matches at pos.
func (m *matcher) firstOf(rules []*rule, pos int) *rule {
	for _, rule := range rules {
		m.steps--
		if m.match(rule.expr, pos) {
			return rule
		}
		if m.steps < 0 {
			return nil
		}
	}
	m.steps--
	return nil
}

// apply changes the stack of states; nil says that it cannot.
func (o stackOp) apply(stack []string, state string) []string {
	if o.pop > len(stack) {
		return nil
	}
	stack = stack[:len(stack)-o.pop]
	for _, s := range o.push {
		switch s {
		case "":
			stack = append(stack, state)
		case "#pop":
			if len(stack) == 0 {
				return nil
			}
			stack = stack[:len(stack)-1]
		default:
			stack = append(stack, s)
		}
	}
	return stack
}

// emitMatch gives the match of m at text[start:end] its classes.
func (r *ruler) emitMatch(set ruleSet, m *matcher, e emitter, base, start, end int) {
	switch e.kind {
	case emitGroups, emitNamed:
		if len(e.groups) != len(m.groups)/2-1 {
			break
		}
		// The emitters of groups may match, too.
		groups := slices.Clone(m.groups)
		for i, group := range e.groups {
			from, to := groups[2*i+2], groups[2*i+3]
			if from < start || to <= from { // inside of another, or empty
				continue
			}
			if e.kind == emitNamed && i == e.code-1 {
				group = emitter{kind: emitLexer, lexer: m.group(groups, e.name)}
			}
			r.class(0, base+from)
			r.emitMatch(set, m, group, base, from, to)
			start = to
		}
	case emitClass:
		class := e.class
		if allBlank(m.text[start:end]) {
			class = 0
		}
		r.class(class, base+end)
	case emitSelf:
		r.inner(set, m.text[start:end], base+start, e.state)
	case emitLexer:
		r.other(e.lexer, m.text[start:end], base+start)
	}
	r.class(0, base+end)
}

// inner reads a part of the text with other rules.
func (r *ruler) inner(set ruleSet, text []rune, base int, root string) {
	if r.nested++; r.nested <= deepestLexer && set != nil {
		r.run(set, text, base, root)
	}
	r.nested--
}

// other reads a part of the text as another language.
func (r *ruler) other(lang string, text []rune, base int) {
	lang = strings.ToLower(lang)
	if scan := scanners[lang]; scan != nil {
		from := int(r.offsets[base])
		scan(string(text), func(class byte, end int) { r.emit(class, from+end) })
	} else if l := knownLexers()[lang]; l != nil {
		r.inner(l.rules(), text, base, "root")
	}
}

// group is the text of a group.
func (m *matcher) group(groups []int, n int) string {
	if 2*n+1 >= len(groups) || groups[2*n] < 0 {
		return ""
	}
	return string(m.text[groups[2*n]:groups[2*n+1]])
}

// allBlank reports whether s is spaces of one line: they have no class.
func allBlank(s []rune) bool {
	for _, r := range s {
		if r != ' ' && r != '\t' {
			return false
		}
	}
	return true
}
