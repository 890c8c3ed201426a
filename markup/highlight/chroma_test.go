package highlight

import (
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/go-json-experiment/json"

	"viewer/internal/golden"
)

// TestGenerateLexers holds lexers/chroma.txt against the lexers of chroma, and
// writes it with -update.
func TestGenerateLexers(t *testing.T) {
	words := make(map[chroma.Lexer][]string)
	for word, l := range chromaLexers() {
		words[l] = append(words[l], word)
	}
	var b strings.Builder
	for _, l := range slices.SortedFunc(maps.Keys(words), func(a, b chroma.Lexer) int {
		return strings.Compare(a.Config().Name, b.Config().Name)
	}) {
		slices.Sort(words[l])
		states, err := json.Marshal(statesOf(t, l), json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", l.Config().Name, strings.Join(words[l], ","), flagsOf(l.Config()), states)
	}
	const name = "lexers/chroma.txt"
	if golden.Update() {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if b.String() != lexerFile {
		t.Errorf("%s is not what chroma's lexers make: to write it, run go test ./markup/highlight -run TestGenerateLexers -update", name)
	}
}

// knownAs is one of chroma's lexers as it is in the file.
func knownAs(l chroma.Lexer) *ruleLexer { return knownLexers()[strings.ToLower(l.Config().Name)] }

func flagsOf(c *chroma.Config) (flags string) {
	for _, f := range []struct {
		flag string
		on   bool
	}{{"m", !c.NotMultiline}, {"i", c.CaseInsensitive}, {"s", c.DotAll}} {
		if f.on {
			flags += f.flag
		}
	}
	return flags
}

// statesOf are the states of a lexer, in the order of their names, by way of the
// XML that chroma writes of them.
func statesOf(t *testing.T, lexer chroma.Lexer) []lexerState {
	l, ok := lexer.(*chroma.RegexLexer)
	if !ok {
		return nil
	}
	rules, err := l.Rules()
	if err != nil {
		return nil
	}
	if rules, ok = withoutFunctions(rules); !ok {
		return nil
	}
	data, err := xml.Marshal(struct {
		XMLName xml.Name     `xml:"lexer"`
		Rules   chroma.Rules `xml:"rules"`
	}{Rules: rules})
	if err != nil {
		return nil
	}
	var x xmlLexer
	if err := xml.Unmarshal(data, &x); err != nil {
		return nil
	}
	var states []lexerState
	for _, s := range x.States {
		state := lexerState{Name: s.Name}
		for _, r := range s.Rules {
			state.Rules = append(state.Rules, lexerRule{r.Pattern, partsOf(t, r.Parts)})
		}
		states = append(states, state)
	}
	slices.SortFunc(states, func(a, b lexerState) int { return strings.Compare(a.Name, b.Name) })
	return states
}

func partsOf(t *testing.T, xml []xmlPart) (parts []lexerPart) {
	for _, x := range xml {
		p := lexerPart{Kind: x.XMLName.Local, States: x.States, Lexer: x.Lexer, Depth: x.Depth, NameOf: x.NameGroup, CodeOf: x.CodeGroup, Parts: partsOf(t, x.Parts)}
		if p.Kind == "token" {
			kind, err := chroma.TokenTypeString(x.Type)
			if err != nil {
				t.Fatal(err)
			}
			if class := chromaClass(kind); class != 0 {
				p.Class = string(rune(class))
			}
		}
		parts = append(parts, p)
	}
	return parts
}

// What chroma writes: <rules><state name="root"><rule pattern="..."><token
// type="Keyword"/><push state="x"/></rule></state></rules>.
type (
	xmlLexer struct {
		States []xmlState `xml:"rules>state"`
	}
	xmlState struct {
		Name  string    `xml:"name,attr"`
		Rules []xmlRule `xml:"rule"`
	}
	xmlRule struct {
		Pattern string    `xml:"pattern,attr"`
		Parts   []xmlPart `xml:",any"`
	}
	xmlPart struct {
		XMLName   xml.Name
		Type      string    `xml:"type,attr"`
		States    []string  `xml:"state,attr"`
		Lexer     string    `xml:"lexer,attr"`
		Depth     int       `xml:"depth,attr"`
		NameGroup int       `xml:"sublexer_name_group"`
		CodeGroup int       `xml:"code_group"`
		Parts     []xmlPart `xml:",any"`
	}
)

// withoutFunctions replaces what is no data: what such a rule matches has no
// class. Where it is not the exception, the rest makes no sense.
func withoutFunctions(rules chroma.Rules) (chroma.Rules, bool) {
	const most = 2
	n := 0
	data := make(chroma.Rules, len(rules))
	for state, all := range rules {
		all = slices.Clone(all)
		for i, r := range all {
			_, isFunc := r.Type.(chroma.EmitterFunc)
			if isFunc {
				n++
				all[i].Type = chroma.Text
			}
			if _, isFunc := r.Mutator.(chroma.MutatorFunc); isFunc {
				n++
				all[i].Mutator = nil
			}
		}
		data[state] = all
	}
	return data, n <= most
}

// chromaLexers holds what chroma's registry knows, by alias, exact file name and
// extension, all in lower case. The registry itself is no use for that: a
// lookup by file name walks 280 lexers (3.8 ms), and one in vain 5.7 ms.
var chromaLexers = sync.OnceValue(func() map[string]chroma.Lexer {
	all := slices.Clone(lexers.GlobalLexerRegistry.Lexers)
	// The registry is sorted by path; where two lexers claim one name, the one
	// with the higher priority has it, then the first by name.
	slices.SortStableFunc(all, func(a, b chroma.Lexer) int {
		x, y := a.Config(), b.Config()
		if x.Priority != y.Priority {
			if x.Priority > y.Priority {
				return -1
			}
			return 1
		}
		return strings.Compare(x.Name, y.Name)
	})
	m := make(map[string]chroma.Lexer, 2000)
	add := func(name string, l chroma.Lexer) {
		if name = strings.ToLower(name); m[name] == nil && name != "" {
			m[name] = l
		}
	}
	for _, l := range all {
		add(l.Config().Name, l)
	}
	for _, l := range all {
		for _, a := range l.Config().Aliases {
			add(a, l)
		}
	}
	for _, l := range all {
		for _, glob := range l.Config().Filenames {
			if ext, ok := strings.CutPrefix(glob, "*."); ok {
				glob = ext
			}
			if !strings.ContainsAny(glob, "*?[") {
				add(glob, l)
			}
		}
	}
	return m
})

// chromaClass folds chroma's ninety types into our classes.
func chromaClass(t chroma.TokenType) byte {
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
