package highlight

import (
	"encoding/xml"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"viewer/internal/testing/corpus"
)

// rareLanguages returns the languages of chroma without one of our scanners, in order.
func rareLanguages() (all []*chromaLanguage) {
	for _, l := range slices.Collect(maps.Values(chromaLanguages())) {
		if l.own() == nil && !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	slices.SortFunc(all, func(a, b *chromaLanguage) int { return strings.Compare(a.name, b.name) })
	return all
}

// withoutRules are languages whose lexers are built by functions.
var withoutRules = strings.Fields("Common_Lisp EmacsLisp HTTP PHTML Raku")

// TestRulesOfChroma: all other lexers of chroma have rules, and our matcher supports all of their expressions.
func TestRulesOfChroma(t *testing.T) {
	all := rareLanguages()
	if len(all) < 230 {
		t.Errorf("%d languages, want at least 230", len(all))
	}
	var without []string
	for _, l := range all {
		root := l.states()["root"]
		if len(root) == 0 {
			t.Errorf("%s has no rules", l.name)
		}
		if l.name != "plaintext" && len(root) == 1 && root[0].expr == anyText {
			without = append(without, strings.ReplaceAll(l.name, " ", "_"))
		}
	}
	if !slices.Equal(without, withoutRules) {
		t.Errorf("languages without rules are %v, want %v", without, withoutRules)
	}
}

// TestEngine: a lexer with our engine gives the same tokens as with chroma's own.
func TestEngine(t *testing.T) {
	var parts []string
	for _, name := range []string{"sample.c", "sample.sh", "sample.py", "sample.html", "sample.sql", "sample.md",
		"sample.css"} {
		src := read(t, "testdata/samples/"+name)
		half := src[len(src)/2:]
		parts = append(parts, src[:lineStartBefore(src, 300)], half[:lineStartBefore(half, 300)])
	}
	compared := 0
	for i, l := range rareLanguages() {
		lexer := lexers.Get(l.name)
		if usesOwn(t, l) || slices.Contains(withoutRules, strings.ReplaceAll(l.name, " ", "_")) {
			continue
		}
		texts := []string{parts[i%len(parts)], parts[(i+3)%len(parts)], parts[(i+8)%len(parts)]}
		if !corpus.Full() {
			if i%6 != 0 {
				continue
			}
			texts = texts[:1]
		}
		for _, src := range texts {
			theirs, ok := tokensOf(lexer, src)
			if !ok {
				continue
			}
			ours := classOf(src, l.scan)
			for k := range theirs {
				if theirs[k] != unspelt && src[k] > ' ' && ours[k] != theirs[k] {
					t.Errorf("%s: %q is %s, in chroma %s", l.name, src[k:min(len(src), k+20)], show(ours[k]),
						show(theirs[k]))
					break
				}
			}
			compared++
		}
	}
	t.Logf("%d texts compared", compared)
	want := 25
	if corpus.Full() {
		want = 500
	}
	if compared < want {
		t.Errorf("%d texts compared, want at least %d", compared, want)
	}
}

// unspelt is the class of text that is missing in the tokens of chroma.
const unspelt = 255

// tokensOf returns the classes that chroma gives with its own engine. Lexers that take seconds or panic are not
// compared.
func tokensOf(lexer chroma.Lexer, src string) (classes []byte, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	start := time.Now()
	classes = classOf(src, func(src string, emit func(byte, int)) {
		tokenise(lexer, src, func(class byte, end int) {
			if time.Since(start) > 100*time.Millisecond {
				panic("slow")
			}
			emit(class, end)
		})
		emit(unspelt, len(src))
	})
	return classes, true
}

// usesOwn reports whether the rules of a language use another language, for which we may have a scanner.
func usesOwn(t *testing.T, l *chromaLanguage) bool {
	t.Helper()
	for _, rules := range l.states() {
		for _, r := range rules {
			data, err := xml.Marshal(chroma.Rules{"root": {{Type: r.emitter}}})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(data), "<using lexer") || strings.Contains(string(data), "<usingbygroup") {
				return true
			}
		}
	}
	return false
}

// TestInnerLanguages: the text may name the language of an embedded part. If we have a scanner for it, that is used.
func TestInnerLanguages(t *testing.T) {
	for _, test := range []struct{ lang, src, want string }{
		{"org", "#+BEGIN_SRC go\nfunc f() {}\n#+END_SRC\n", "cccccccccccccc\nkkkk.f.....\nccccccccc\n"},
		{"org", "#+BEGIN_SRC lua\nlocal x\n#+END_SRC\n", "ccccccccccccccc\nkkkkk..\nccccccccc\n"},
		{"org", "#+BEGIN_SRC nobody\nlocal x\n#+END_SRC\n", "cccccccccccccccccc\n.......\nccccccccc\n"},
	} {
		if got := picture(test.src, Lookup(test.lang).scan); got != test.want {
			t.Errorf("%s: %q\n got %q\nwant %q", test.lang, test.src, got, test.want)
		}
	}
}

// picture returns the class of each byte, "." for none, with the line ends of src.
func picture(src string, scan scanner) string {
	got := classOf(src, scan)
	for i, class := range got {
		switch {
		case src[i] == '\n':
			got[i] = '\n'
		case class == 0:
			got[i] = '.'
		}
	}
	return string(got)
}

// invent creates a language from rules, and a set with its lexer.
func invent(t *testing.T, all chroma.Rules) (*lexerSet, *chromaLanguage) {
	t.Helper()
	l := &chromaLanguage{name: "invented", states: func() map[string]rules { return statesOf(all, "ms") }}
	set := newLexerSet()
	lexer, err := chroma.NewLexer(&chroma.Config{Name: l.name}, func() chroma.Rules { return set.rulesOf(l) })
	if err != nil {
		t.Fatal(err)
	}
	set.lexers[l] = lexer
	return set, l
}

// TestDepthOfLexers: lexers are nested up to a limit. Deeper text is plain.
func TestDepthOfLexers(t *testing.T) {
	set, l := invent(t, chroma.Rules{"root": {
		{Pattern: `(\()(.*)(\))`, Type: chroma.ByGroups(chroma.Keyword, chroma.UsingSelf("root"), chroma.Keyword)},
		{Pattern: `.`, Type: chroma.LiteralString},
	}})
	src := strings.Repeat("(", 20) + "x" + strings.Repeat(")", 20)
	got := picture(src, func(src string, emit func(byte, int)) { set.scan(l, src, emit) })
	if want := "kkkkkk" + strings.Repeat(".", 29) + "kkkkkk"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestClassOfType: each class belongs to the token type that is mapped to it.
func TestClassOfType(t *testing.T) {
	for class, kind := range typeOfClass {
		if got := classOfType(kind); got != class {
			t.Errorf("%v has the class %q, want %q", kind, got, class)
		}
	}
}

// TestStepsOfCode: ordinary code uses less than half of its steps.
func TestStepsOfCode(t *testing.T) {
	for _, file := range samples(t) {
		src := read(t, file)
		for _, lang := range []string{"dart", "lua", "elixir", "scala", "perl", "haskell", "powershell", "zig",
			"groovy", "nix"} {
			set := getLexerSet()
			set.scan(chromaLanguages()[lang], src, func(byte, int) {})
			if left := set.matcher.steps - baseSteps; left < stepsPerByte*len(src)/2 {
				t.Errorf("%s as %s: %d of %d steps are left, want more than half", filepath.Base(file), lang, left,
					stepsPerByte*len(src))
			}
			set.put()
		}
	}
}

// TestRareLanguagesOnHostileText: when the steps for a hostile text are used up, the rest is plain, always in the same
// way.
func TestRareLanguagesOnHostileText(t *testing.T) {
	for i, lang := range strings.Fields("dart lua elixir d groovy ceylon coq cfengine3 jsonata jungle scilab " +
		"caddyfile lean4 ocaml perl haskell nim org") {
		for k, unit := range []string{hostile[(i*7)%len(hostile)], hostile[(i*13+5)%len(hostile)], "a ", "$/*.@", "{{",
			"(a"} {
			src := clean(strings.Repeat(unit, (8<<10)/len(unit)+k))
			checkSpans(t, Lookup(lang), src)
		}
	}
}

// TestStepsEnd: an expression that never matches uses up the steps of a block, and what was read before stays.
func TestStepsEnd(t *testing.T) {
	set, l := invent(t, chroma.Rules{
		"root": {
			{Pattern: `[a-z]+`, Type: chroma.Keyword},
			{Mutator: chroma.Push("more")},
		},
		"more": {{Mutator: chroma.Push("root")}},
	})
	got := picture("abc def", func(src string, emit func(byte, int)) { set.scan(l, src, emit) })
	if got != "kkk...." || set.matcher.steps >= 0 {
		t.Errorf("got %s with %d steps left, want kkk.... and none", got, set.matcher.steps)
	}
}

// TestRulesThatFail: a rule that leaves more states than were entered, or enters an unknown one, does not break a
// build, and is counted.
func TestRulesThatFail(t *testing.T) {
	defer recovered.Store(recovered.Load())
	for _, test := range []struct {
		mutator chroma.Mutator
		want    string
		panics  int64
	}{
		{chroma.Pop(3), ".....\n...", 1},
		{chroma.Pop(1), "kkk..\n...", 0},
		{chroma.Push("none"), "kkk..\nkkk", 0},
		{chroma.Push("#pop", "#pop"), ".....\n...", 1},
	} {
		set, l := invent(t, chroma.Rules{"root": {{Pattern: `[a-z]+`, Type: chroma.Keyword, Mutator: test.mutator}}})
		before := Recovered()
		got := picture("abc d\nefg", func(src string, emit func(byte, int)) {
			scan := func(src string, emit func(byte, int)) { set.scan(l, src, emit) }
			(&Language{scan}).Spans(src, func(class byte, _, end int) { emit(class, end) })
		})
		if n := Recovered() - before; got != test.want || n != test.panics {
			t.Errorf("%v: got %q and %d panics, want %q and %d", test.mutator, got, n, test.want, test.panics)
		}
	}
}

// TestConcurrently: highlighting in several goroutines gives the same result.
func TestConcurrently(t *testing.T) {
	langs := []string{"dart", "lua", "elixir", "go", "org", "dart"}
	src := read(t, "testdata/samples/sample.java")
	want := make([]string, len(langs))
	for i, lang := range langs {
		want[i] = string(classOf(src, Lookup(lang).scan))
	}
	var group sync.WaitGroup
	for i, lang := range slices.Concat(langs, langs) {
		group.Go(func() {
			if got := string(classOf(src, Lookup(lang).scan)); got != want[i%len(want)] {
				t.Errorf("%s differs", lang)
			}
		})
	}
	group.Wait()
}

// TestCover: text that an emitter skips or repeats does not move the classes after it.
func TestCover(t *testing.T) {
	for _, test := range []struct {
		text   string
		tokens []string
		want   string
	}{
		{"abc", []string{"abc"}, "[abc]"},
		{"abc", []string{"a", "c"}, "[a]b[c]"},
		{"abc", []string{"b"}, "a[b]c"},
		{"abc", []string{"ab", "a", "c"}, "[ab][c]"},
		{"abc", []string{"abc\n"}, "[abc]"},
		{"abc", []string{"", "abc", "d"}, "[][abc]"},
		{"abc", nil, "abc"},
	} {
		var tokens []chroma.Token
		for _, value := range test.tokens {
			tokens = append(tokens, chroma.Token{Type: chroma.Keyword, Value: value})
		}
		var got strings.Builder
		next := new(lexerSet).fit(test.text, chroma.Literator(tokens...))
		for token := next(); token != chroma.EOF; token = next() {
			if token.Type == chroma.Text {
				got.WriteString(token.Value)
			} else {
				got.WriteString("[" + token.Value + "]")
			}
		}
		if got := strings.ReplaceAll(got.String(), "[]", ""); got != strings.ReplaceAll(test.want, "[]", "") {
			t.Errorf("%q of %q: got %s, want %s", test.tokens, test.text, got, test.want)
		}
	}
}

func FuzzRareLanguages(f *testing.F) {
	all := rareLanguages()
	for i, s := range hostile {
		f.Add(strings.Repeat(s, 5), uint16(i))
	}
	for i, file := range samples(f) {
		src := read(f, file)
		f.Add(src[:lineStartBefore(src, 500)], uint16(i*9))
	}
	f.Fuzz(func(t *testing.T, src string, n uint16) {
		if len(src) > 4<<10 {
			t.Skip()
		}
		l := all[int(n)%len(all)]
		src = clean(src)
		checkScanner(t, l.name, l.scan, src)
		checkSpans(t, &Language{l.scan}, src)
	})
}

func BenchmarkRareLanguage(b *testing.B) {
	src := read(b, "testdata/samples/sample.java")
	b.Run("first use", func(b *testing.B) {
		number := strings.Count(lexerIndex[:strings.Index(lexerIndex, "\nDart\t")+1], "\n")
		for b.Loop() {
			statesOf(readRules(number), "ms")
		}
	})
	b.Run("new set", func(b *testing.B) {
		for b.Loop() {
			newLexerSet().scan(chromaLanguages()["dart"], "a", func(byte, int) {})
		}
	})
	b.Run("code", func(b *testing.B) { benchScanner(b, Lookup("dart").scan, src) })
}
