package highlight

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// Languages without a scanner in this package are read by lexers of chroma. From the rules of each (lexers.go), a lexer
// is made that matches with engine.go. The matcher of chroma, regexp2, has a time limit, so pages would depend on how
// busy the machine is, and hostile text could take minutes.

// own returns the scanner of this package for the language, or nil.
func (l *chromaLanguage) own() scanner { return scanners[strings.ToLower(l.name)] }

// scan reads src with the lexer of chroma.
func (l *chromaLanguage) scan(src string, emit func(class byte, end int)) {
	set := getLexerSet()
	defer set.put()
	set.scan(l, src, emit)
}

// A lexerSet has the lexers of chroma for one goroutine, and their matcher with its steps.
type lexerSet struct {
	lexers    map[*chromaLanguage]*chroma.RegexLexer
	registry  *chroma.LexerRegistry // the same, for rules that use other lexers
	matcher   matcher
	exhausted bool       // the steps ran out in a match
	depth     int        // number of nested emitters
	ahead     *stateRule // the rule of the last match, which follows tokens that are emitted first
}

// freeSets are the sets that are not in use. There are never more than goroutines that highlight at the same time.
var freeSets struct {
	sync.Mutex
	sets []*lexerSet
}

func getLexerSet() (set *lexerSet) {
	freeSets.Lock()
	if n := len(freeSets.sets); n > 0 {
		set, freeSets.sets = freeSets.sets[n-1], freeSets.sets[:n-1]
	}
	freeSets.Unlock()
	if set == nil {
		set = newLexerSet()
	}
	return set
}

func (s *lexerSet) put() {
	s.matcher.text = nil
	freeSets.Lock()
	freeSets.sets = append(freeSets.sets, s)
	freeSets.Unlock()
}

func newLexerSet() *lexerSet {
	s := &lexerSet{
		lexers:   make(map[*chromaLanguage]*chroma.RegexLexer),
		registry: chroma.NewLexerRegistry(),
	}
	for _, l := range chromaLanguages() {
		if s.lexers[l] != nil {
			continue
		}
		config := &chroma.Config{Name: l.name, Aliases: l.words, EnsureNL: l.ensureNL}
		lexer, _ := chroma.NewLexer(config, func() chroma.Rules { return s.rulesOf(l) }) // fails for file names only
		s.lexers[l] = lexer
		s.registry.Register(lexer)
	}
	s.registry.Lexers = nil // names of languages in the text are looked up, not matched against patterns
	return s
}

// rulesOf returns the rules of a lexer of the set: one for each state, with an expression and an emitter of this
// package.
func (s *lexerSet) rulesOf(l *chromaLanguage) chroma.Rules {
	var states map[string]rules
	if own := l.own(); own != nil {
		states = map[string]rules{"root": {{expr: anyText, emitter: scannerEmitter(own)}}}
	} else {
		states = l.states()
	}
	all := make(chroma.Rules)
	for state, rules := range states {
		r := &stateRule{set: s, rules: rules}
		all[state] = []chroma.Rule{{Type: r, Mutator: installer{r}}}
	}
	return all
}

// Limits of the steps of a block. Code takes 10 to 40 steps a byte; a step takes some nanoseconds. Beyond the limit the
// code has no classes.
const (
	stepsPerByte = 150
	baseSteps    = 50_000
)

// scan reads src with the lexer of l until the steps are spent. It panics if rules of chroma make no progress or leave
// more states than were entered. The joiner recovers and counts this, as for the scanners of this package.
func (s *lexerSet) scan(l *chromaLanguage, src string, emit func(class byte, end int)) {
	s.exhausted, s.depth, s.ahead = false, 0, nil
	s.matcher.steps = stepsPerByte*len(src) + baseSteps
	next, err := s.lexers[l].Tokenise(&chroma.TokeniseOptions{State: "root"}, src)
	if err != nil {
		return
	}
	pos := 0
	for token := next(); token != chroma.EOF && !s.exhausted; token = next() {
		if strings.HasPrefix(token.Value, src[pos:]) { // some lexers add a line end
			token.Value = src[pos:]
		}
		if !strings.HasPrefix(src[pos:], token.Value) {
			return
		}
		pos += len(token.Value)
		class := classOfType(token.Type)
		if blank(token.Value) {
			class = 0
		}
		emit(class, pos)
	}
}

// classOfType maps chroma's ninety types to classes.
func classOfType(t chroma.TokenType) byte {
	switch t {
	case chroma.KeywordConstant, chroma.NameEntity:
		return 'n'
	case chroma.KeywordType, chroma.NameClass, chroma.NameException,
		chroma.NameBuiltin, chroma.NameBuiltinPseudo, chroma.NameAttribute:
		return 't'
	case chroma.NameFunction, chroma.NameFunctionMagic:
		return 'f'
	case chroma.NameDecorator, chroma.CommentPreproc, chroma.CommentPreprocFile, chroma.CommentHashbang:
		return 'p'
	case chroma.NameTag, chroma.OperatorWord:
		return 'k'
	case chroma.LiteralStringInterpol:
		return 0
	case chroma.GenericHeading, chroma.GenericSubheading:
		return 'h'
	case chroma.GenericInserted:
		return 'i'
	case chroma.GenericDeleted:
		return 'd'
	case chroma.GenericPrompt:
		return 'c'
	}
	switch {
	case t.InCategory(chroma.Keyword):
		return 'k'
	case t.InCategory(chroma.Comment):
		return 'c'
	case t.InSubCategory(chroma.LiteralString):
		return 's'
	case t.InCategory(chroma.Literal):
		return 'n'
	}
	return 0
}

// typeOfClass has a type of chroma for each class.
var typeOfClass = map[byte]chroma.TokenType{
	0: chroma.Text, 'k': chroma.Keyword, 's': chroma.LiteralString, 'n': chroma.LiteralNumber, 't': chroma.KeywordType,
	'c': chroma.Comment, 'p': chroma.CommentPreproc, 'f': chroma.NameFunction, 'h': chroma.GenericHeading,
	'i': chroma.GenericInserted, 'd': chroma.GenericDeleted,
}

// A scannerEmitter reads code of another language inside a lexer of chroma with a scanner of this package.
type scannerEmitter scanner

func (scan scannerEmitter) Emit(groups []string, _ *chroma.LexerState) chroma.Iterator {
	var tokens []chroma.Token
	(&Language{scanner(scan)}).Spans(groups[0], func(class byte, start, end int) {
		tokens = append(tokens, chroma.Token{Type: typeOfClass[class], Value: groups[0][start:end]})
	})
	return chroma.Literator(tokens...)
}

// plainStates are the rules of a lexer that gives text no classes.
var plainStates = map[string]rules{"root": {{expr: anyText, emitter: chroma.Text}}}

// statesOf returns the rules of a lexer by state, including those of other states. Text of a lexer without rules has no
// classes.
func statesOf(all chroma.Rules, flags string) map[string]rules {
	compiled := make(chroma.CompiledRules, len(all))
	for state, rules := range all {
		compiled[state] = make([]*chroma.CompiledRule, 0, len(rules))
		for _, r := range rules {
			compiled[state] = append(compiled[state], &chroma.CompiledRule{Rule: r})
		}
	}
	if len(all) == 0 || expand(compiled) != nil {
		return plainStates
	}
	made := make(map[*chroma.CompiledRule]*rule) // a rule included by several states is made once
	states := make(map[string]rules, len(compiled))
	for state, all := range compiled {
		states[state] = make(rules, 0, len(all))
		for _, r := range all {
			if made[r] == nil {
				expr, err := compileExpr(r.Pattern, flags)
				if err != nil {
					return plainStates
				}
				made[r] = newRule(expr, r.Type, r.Mutator)
			}
			states[state] = append(states[state], made[r])
		}
	}
	for r := range made {
		for _, state := range entered(r) {
			if states[state] == nil {
				states[state] = rules{} // some lexers lack it, and chroma would panic
			}
		}
	}
	return states
}

// entered returns the states that the mutator of a rule enters.
func entered(r *chroma.CompiledRule) []string {
	if r.Mutator == nil {
		return nil
	}
	const room = 100 // for the states that it leaves
	state := chroma.LexerState{Stack: make([]string, room)}
	if err := r.Mutator.Mutate(&state); err != nil {
		return nil
	}
	return slices.DeleteFunc(state.Stack, func(name string) bool { return name == "" })
}

// expand replaces rules that include other states by the rules of those states, as chroma does when it compiles a
// lexer.
func expand(compiled chroma.CompiledRules) error {
	for changed := true; changed; {
		changed = false
		for _, state := range slices.Sorted(maps.Keys(compiled)) {
			for i := 0; i < len(compiled[state]); {
				mutator, is := compiled[state][i].Mutator.(chroma.LexerMutator)
				if !is {
					i++
					continue
				}
				if err := mutator.MutateLexer(compiled, state, i); err != nil {
					return err
				}
				changed = true
			}
		}
	}
	return nil
}
