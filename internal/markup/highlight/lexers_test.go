package highlight

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"viewer/internal/testing/golden"
)

// TestLexers: the folder lexers has the languages and rules of the lexers that chroma registers. -update writes it.
func TestLexers(t *testing.T) {
	all := registered()
	if golden.Update() {
		writeLexers(t, all)
		return
	}
	const hint = "the lexers are not those of chroma; to write them: " +
		"go test ./internal/markup/highlight -run TestLexers -update"
	if lexerIndex != indexOf(all) {
		t.Fatal("lexers/index.txt: " + hint)
	}
	for i, l := range all {
		if name := l.Config().Name; !ownScanner(name) && !reflect.DeepEqual(readRules(i), usable(t, l)) {
			t.Errorf("the rules of %s in lexers/rules.zip: %s", name, hint)
		}
	}
}

// registered returns the lexers of chroma. If several have the same word, it belongs to the first.
func registered() []chroma.Lexer {
	all := slices.Clone(lexers.GlobalLexerRegistry.Lexers)
	slices.SortStableFunc(all, func(a, b chroma.Lexer) int {
		x, y := a.Config(), b.Config()
		return cmp.Or(cmp.Compare(cmp.Or(y.Priority, 1), cmp.Or(x.Priority, 1)), cmp.Compare(x.Name, y.Name))
	})
	return all
}

// indexOf returns the index of lexers.
func indexOf(all []chroma.Lexer) string {
	words := wordsOf(all)
	var b strings.Builder
	for i, lexer := range all {
		c := lexer.Config()
		flags, ensureNL := "", ""
		if !c.NotMultiline {
			flags += "m"
		}
		if c.CaseInsensitive {
			flags += "i"
		}
		if c.DotAll {
			flags += "s"
		}
		if c.EnsureNL {
			ensureNL = "ensureNL"
		}
		b.WriteString(strings.Join(append([]string{c.Name, flags, ensureNL}, words[i]...), "\t") + "\n")
	}
	return b.String()
}

// wordsOf returns the words of each lexer: its name, its aliases, and patterns of file names without wildcards.
func wordsOf(all []chroma.Lexer) [][]string {
	words := make([][]string, len(all))
	used := map[string]bool{"": true}
	add := func(word string, i int) {
		if word = strings.ToLower(word); !used[word] {
			used[word] = true
			words[i] = append(words[i], word)
		}
	}
	for i, l := range all {
		add(l.Config().Name, i)
	}
	for i, l := range all {
		for _, alias := range l.Config().Aliases {
			add(alias, i)
		}
	}
	for i, l := range all {
		for _, pattern := range l.Config().Filenames {
			if pattern = strings.TrimPrefix(pattern, "*."); !strings.ContainsAny(pattern, "*?[") {
				add(pattern, i)
			}
		}
	}
	return words
}

// ownScanner reports whether a language has a scanner of this package. The rules of its lexer are not used.
func ownScanner(name string) bool { return (&chromaLanguage{name: name}).own() != nil }

// usable returns the rules of a lexer without emitters and mutators that are functions, since a function could call a
// lexer with a time limit. Text that their rules match has no class. A lexer with many of them is not used, nor one
// that is written in code.
func usable(t *testing.T, registered chroma.Lexer) chroma.Rules {
	t.Helper()
	const most = 2
	lexer, is := registered.(*chroma.RegexLexer)
	if !is {
		return nil
	}
	all, err := lexer.Rules()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	found := make(chroma.Rules, len(all))
	for state, rules := range all {
		found[state] = slices.Clone(rules)
		for i, r := range rules {
			if _, is := r.Type.(chroma.EmitterFunc); is {
				n++
				r.Type = chroma.Text
			}
			if _, is := r.Mutator.(chroma.MutatorFunc); is {
				n++
				r.Mutator = nil
			}
			r.Type = withoutNil(r.Type)
			found[state][i] = r
		}
	}
	if n > most {
		return nil
	}
	return found
}

// withoutNil replaces the lack of an emitter for a group, which XML cannot express, by one that does the same.
func withoutNil(e chroma.Emitter) chroma.Emitter {
	if kind, is := e.(chroma.SerialisableEmitter); !is || kind.EmitterKind() != "bygroups" {
		return e
	}
	emitters := slices.Clone(reflect.ValueOf(e).Elem().FieldByName("Emitters").Interface().(chroma.Emitters))
	for i, e := range emitters {
		if e == nil {
			emitters[i] = chroma.Ignore
		}
	}
	return chroma.ByGroups(emitters...)
}

// writeLexers writes the folder lexers.
func writeLexers(t *testing.T, all []chroma.Lexer) {
	t.Helper()
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, l := range all {
		file, err := archive.Create(l.Config().Name + ".xml")
		if err != nil {
			t.Fatal(err)
		}
		if ownScanner(l.Config().Name) {
			continue
		}
		if _, err := file.Write(encodeRules(t, usable(t, l))); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"index.txt": []byte(indexOf(all)), "rules.zip": b.Bytes()} {
		if err := os.WriteFile("lexers/"+name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// encodeRules returns rules as XML, with the states in order.
func encodeRules(t *testing.T, all chroma.Rules) []byte {
	t.Helper()
	type state struct {
		Name  string        `xml:"name,attr"`
		Rules []chroma.Rule `xml:"rule"`
	}
	type rules struct {
		XMLName struct{} `xml:"rules"`
		States  []state  `xml:"state"`
	}
	if all == nil {
		return nil
	}
	var r rules
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r.States = append(r.States, state{name, all[name]})
	}
	data, err := xml.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
