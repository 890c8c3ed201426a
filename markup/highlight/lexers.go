package highlight

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
)

// The lexers of chroma, which know the languages that have no scanner of ours.
// They stand in a file of our own since chroma makes all of them ready when a
// program starts, which takes a third of the time of a build that finds nothing
// new. TestGenerateLexers writes it; see lexers/README.md.
//
//go:embed lexers/chroma.txt
var lexerFile string

// A ruleLexer is a line of the file: the name, words that stand for it (of fences,
// file names, extensions, in lower case), the flags of its expressions, and its
// states as JSON, apart by tabs.
type ruleLexer struct {
	name   string
	flags  string
	states string
	rules  func() ruleSet // made when they are first used; nil when they are more than data
}

// knownLexers are all of the file, by the words that stand for them.
var knownLexers = sync.OnceValue(func() map[string]*ruleLexer {
	all := make(map[string]*ruleLexer, 1<<11)
	for line := range strings.Lines(lexerFile) {
		field := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 4)
		if len(field) < 4 {
			panic("lexers/chroma.txt: want four fields in " + line[:min(len(line), 40)])
		}
		l := &ruleLexer{name: field[0], flags: field[2], states: field[3]}
		l.rules = sync.OnceValue(l.read)
		for word := range strings.SplitSeq(field[1], ",") {
			all[word] = l
		}
	}
	return all
})

// A lexerState is a state as it is written: with what it includes of others.
type (
	lexerState struct {
		Name  string      `json:"name"`
		Rules []lexerRule `json:"rules,omitempty"`
	}
	lexerRule struct {
		Pattern string      `json:"pattern,omitempty"`
		Parts   []lexerPart `json:"parts,omitempty"`
	}
	// A lexerPart says what becomes of a match. Its kinds are those of chroma:
	// token, bygroups, using, usingself, usingbygroup, push, pop, combined,
	// mutators, include.
	lexerPart struct {
		Kind   string      `json:"kind"`
		Class  string      `json:"class,omitempty"`  // of a token
		States []string    `json:"states,omitempty"` // that are entered or included
		Lexer  string      `json:"lexer,omitempty"`
		Depth  int         `json:"depth,omitempty"`
		NameOf int         `json:"name,omitempty"` // the group with the name of a lexer
		CodeOf int         `json:"code,omitempty"` // and that with its code
		Parts  []lexerPart `json:"parts,omitempty"`
	}
)

func (l *ruleLexer) read() ruleSet {
	var states []lexerState
	if err := json.Unmarshal([]byte(l.states), &states); err != nil {
		panic("lexers/chroma.txt: " + l.name + ": " + err.Error())
	}
	set, err := readRules(states, l.flags)
	if err != nil { // an expression that our matcher does not know
		return nil
	}
	return set
}
