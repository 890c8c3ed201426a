package highlight

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// Languages without a scanner in this package are read by lexers of chroma. For each registered lexer, a new one is
// made from its rules that matches with engine.go. The matcher of chroma, regexp2, has a time limit, so pages would
// depend on how busy the machine is, and hostile text could take minutes.

// A chromaLanguage is a language with a lexer of chroma.
type chromaLanguage struct {
	config *chroma.Config
	words  []string                // names, aliases and extensions
	states func() map[string]rules // made on first use
}

// chromaLanguages are all lexers that chroma registers, by names, aliases, file names and extensions in lower case.
// Chroma's own lookup compares a name to the patterns of 280 lexers, which takes milliseconds.
var chromaLanguages = sync.OnceValue(func() map[string]*chromaLanguage {
	registered := slices.Clone(lexers.GlobalLexerRegistry.Lexers)
	slices.SortStableFunc(registered, func(a, b chroma.Lexer) int {
		x, y := a.Config(), b.Config()
		return cmp.Or(cmp.Compare(priority(y), priority(x)), cmp.Compare(x.Name, y.Name))
	})
	words := make(map[string]*chromaLanguage, 1<<11)
	all := make([]*chromaLanguage, len(registered))
	add := func(word string, l *chromaLanguage) {
		if word = strings.ToLower(word); word != "" && words[word] == nil {
			words[word] = l
			l.words = append(l.words, word)
		}
	}
	for i, lexer := range registered {
		all[i] = &chromaLanguage{
			config: lexer.Config(),
			states: sync.OnceValue(func() map[string]rules { return statesOf(lexer) }),
		}
		add(all[i].config.Name, all[i])
	}
	for _, l := range all {
		for _, alias := range l.config.Aliases {
			add(alias, l)
		}
	}
	for _, l := range all {
		for _, pattern := range l.config.Filenames {
			pattern = strings.TrimPrefix(pattern, "*.")
			if !strings.ContainsAny(pattern, "*?[") {
				add(pattern, l)
			}
		}
	}
	return words
})

// priority returns the priority of a lexer among those with the same word.
func priority(c *chroma.Config) float32 { return cmp.Or(c.Priority, 1) }

// own returns the scanner of this package for the language, or nil.
func (l *chromaLanguage) own() scanner { return scanners[strings.ToLower(l.config.Name)] }

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
		config := &chroma.Config{Name: l.config.Name, Aliases: l.words, EnsureNL: l.config.EnsureNL}
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
	states := l.states()
	if own := l.own(); own != nil {
		states = map[string]rules{"root": {{expr: anyText, emitter: scannerEmitter(own)}}}
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

// statesOf returns the rules of a registered lexer by state, including those of other states. A lexer that is written
// in code has no rules, and its text no classes.
func statesOf(registered chroma.Lexer) map[string]rules {
	plain := map[string]rules{"root": {{expr: anyText, emitter: chroma.Text}}}
	lexer, ok := registered.(*chroma.RegexLexer)
	if !ok {
		return plain
	}
	all, err := lexer.Rules()
	if err != nil {
		return plain
	}
	compiled, ok := withoutFunctions(all)
	if !ok || expand(compiled) != nil {
		return plain
	}
	config := lexer.Config()
	flags := ""
	if !config.NotMultiline {
		flags += "m"
	}
	if config.CaseInsensitive {
		flags += "i"
	}
	if config.DotAll {
		flags += "s"
	}
	made := make(map[*chroma.CompiledRule]*rule) // a rule included by several states is made once
	states := make(map[string]rules, len(compiled))
	for state, all := range compiled {
		states[state] = make(rules, 0, len(all))
		for _, r := range all {
			if made[r] == nil {
				expr, err := compileExpr(r.Pattern, flags)
				if err != nil {
					return plain
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

// withoutFunctions removes emitters and mutators that are functions, since a function could call a lexer with a time
// limit. Text that their rules match has no class. A lexer with many of them is not used.
func withoutFunctions(all chroma.Rules) (chroma.CompiledRules, bool) {
	const most = 2
	n := 0
	compiled := make(chroma.CompiledRules, len(all))
	for state, rules := range all {
		compiled[state] = make([]*chroma.CompiledRule, 0, len(rules))
		for _, r := range rules {
			if _, is := r.Type.(chroma.EmitterFunc); is {
				n++
				r.Type = chroma.Text
			}
			if _, is := r.Mutator.(chroma.MutatorFunc); is {
				n++
				r.Mutator = nil
			}
			compiled[state] = append(compiled[state], &chroma.CompiledRule{Rule: r})
		}
	}
	return compiled, n <= most
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
