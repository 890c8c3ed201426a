package highlight

import (
	"errors"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"github.com/dlclark/regexp2/v2"
)

// A lexer of chroma uses the matcher of this package as follows. Each of its states has a single rule, a stateRule. The
// expression of that rule tries the original rules in order, and continues as long as matches are plain tokens, because
// chroma needs more time for a match than the match itself takes. Emitters and mutators are those of chroma.

// rules are the rules of a state, in the order in which they are tried.
type rules []*rule

// A rule is a rule of chroma.
type rule struct {
	expr    *expr
	emitter chroma.Emitter   // nil: no class
	mutator chroma.Mutator   // nil: the state does not change
	token   chroma.TokenType // 0 unless a match is exactly one token
}

func newRule(e *expr, emitter chroma.Emitter, mutator chroma.Mutator) *rule {
	if emitter == chroma.Ignore { // chroma would drop the text
		emitter = chroma.Text
	}
	r := &rule{expr: e, emitter: emitter, mutator: mutator}
	if mutator == nil {
		r.token, _ = emitter.(chroma.TokenType)
	}
	return r
}

// anyText matches a whole text.
var anyText = func() *expr {
	e, err := compileExpr(".+", "s")
	if err != nil {
		panic(err)
	}
	return e
}()

// matchSteps is the cost of a match in chroma, about a microsecond.
const matchSteps = 100

// maxEmitterDepth limits how many lexers may be nested. Deeper code has no classes.
const maxEmitterDepth = 5

var errSteps = errors.New("no steps are left")

// A stateRule is the only rule of a state. It keeps a match until chroma asks for the next one.
type stateRule struct {
	set   *lexerSet
	rules rules

	matched *rule       // nil for tokens
	start   int         // of the tokens
	tokens  []runeToken // of the match
}

// A runeToken is a part of a text with one type. It begins at the end of the token before. Its end is in characters.
type runeToken struct {
	kind chroma.TokenType
	end  int
}

// An installer replaces the expression compiled by chroma with that of a stateRule.
type installer struct{ *stateRule }

func (i installer) MutateLexer(rules chroma.CompiledRules, state string, rule int) error {
	rules[state][rule].Regexp = i.regexp()
	rules[state][rule].Mutator = i.stateRule
	return nil
}

// engine is the name under which the matcher is registered with regexp2. It is registered again for each state and
// compiled right after that.
const engine = "viewer/markup/highlight"

var registering sync.Mutex

func (s *stateRule) regexp() *regexp2.Regexp {
	registering.Lock()
	defer registering.Unlock()
	regexp2.RegisterEngine(engine, regexp2.RuntimeEngineData{
		CapSize:       1,
		FindFirstChar: func(*regexp2.Runner) bool { return true },
		Execute:       s.execute,
	})
	return regexp2.MustCompile(engine)
}

// execute matches only at the position where the runner starts.
func (s *stateRule) execute(r *regexp2.Runner) error {
	m := &s.set.matcher
	pos := r.Runtextpos
	ahead := s.set.ahead == s && m.start == pos && &m.text[0] == &r.Runtext[0]
	s.set.ahead = nil
	m.text = r.Runtext
	m.steps -= matchSteps
	s.matched, s.start, s.tokens = nil, pos, s.tokens[:0]
	for pos < len(m.text) {
		found := m.last
		if !ahead {
			found = m.firstOf(s.rules, pos)
		}
		ahead = false
		if found != nil && (found.token == 0 || m.end == pos) {
			if pos > s.start { // the tokens come first
				s.set.ahead = s
				break
			}
			s.matched, pos = found, m.end
			m.groups[0], m.groups[1] = s.start, pos
			break
		}
		if m.steps < 0 || found == nil && m.text[pos] == '\n' { // chroma leaves the states
			break
		}
		kind, end := chroma.Error, pos+1
		if found != nil {
			kind, end = found.token, m.end
		}
		s.tokens = append(s.tokens, runeToken{kind, end})
		pos = end
	}
	switch {
	case s.matched != nil || pos > s.start:
		r.Capture(0, s.start, pos)
		r.Runtextpos = pos
	case m.steps < 0:
		s.set.exhausted = true
		return errSteps
	default:
		r.Runtextpos = r.Runtextend // no match at a later position
	}
	return nil
}

// firstOf returns the first rule that matches at pos.
func (m *matcher) firstOf(rules rules, pos int) *rule {
	m.last = nil
	for _, r := range rules {
		m.steps--
		if m.match(r.expr, pos) {
			m.last = r
			return r
		}
		if m.steps < 0 {
			return nil
		}
	}
	m.steps--
	return nil
}

// Mutate enters and leaves states for the rule that matched.
func (s *stateRule) Mutate(state *chroma.LexerState) error {
	if s.matched == nil || s.matched.mutator == nil {
		return nil
	}
	return s.matched.mutator.Mutate(state)
}

// Emit returns the tokens of the match, which is one group for chroma.
func (s *stateRule) Emit(match []string, state *chroma.LexerState) chroma.Iterator {
	switch {
	case s.matched == nil:
		return s.emitTokens(match[0], state.Text)
	case s.matched.emitter == nil || s.set.depth > maxEmitterDepth:
		return chroma.Text.Emit(match, state)
	}
	if kind, is := s.matched.emitter.(chroma.TokenType); is {
		return kind.Emit(match, state)
	}
	m := &s.set.matcher
	m.steps -= len(match[0]) // the cost of a copy by another lexer
	groups := make([]string, len(m.groups)/2)
	for i := range groups {
		if from := m.groups[2*i]; from >= 0 {
			groups[i] = string(m.text[from:m.groups[2*i+1]])
		}
	}
	return s.set.fit(match[0], s.matched.emitter.Emit(groups, state))
}

// emitTokens returns the tokens of the last match, whose text is given.
func (s *stateRule) emitTokens(text string, runes []rune) chroma.Iterator {
	i, pos := 0, s.start
	return func() chroma.Token {
		if i == len(s.tokens) {
			return chroma.EOF
		}
		t := s.tokens[i]
		i++
		size := 0
		for ; pos < t.end; pos++ {
			size += utf8.RuneLen(runes[pos])
		}
		value := text[:size]
		text = text[size:]
		return chroma.Token{Type: t.kind, Value: value}
	}
}

// fit changes the tokens of an emitter so that together they are the text of the match. Emitters of groups drop text
// that is in no group, and repeat text that is in two.
func (s *lexerSet) fit(text string, next chroma.Iterator) chroma.Iterator {
	var late chroma.Token // comes after the text that was dropped
	inner := func() chroma.Token {
		s.depth++
		defer func() { s.depth-- }()
		return next()
	}
	return func() chroma.Token {
		token := late
		if late = chroma.EOF; token == chroma.EOF {
			token = inner()
		}
		for ; token != chroma.EOF; token = inner() {
			if strings.HasPrefix(token.Value, text) { // the lexer added a line end
				token.Value = text
			}
			if token.Type == chroma.Ignore {
				continue
			}
			at := strings.Index(text, token.Value)
			if at != 0 {
				s.matcher.steps -= len(text) / 8
			}
			if at > 0 {
				late = token
				token = chroma.Token{Type: chroma.Text, Value: text[:at]}
			}
			if at >= 0 {
				text = text[len(token.Value):]
				return token
			}
		}
		if text != "" {
			token = chroma.Token{Type: chroma.Text, Value: text}
			text = ""
		}
		return token
	}
}
