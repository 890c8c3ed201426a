package highlight

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// Our way of running chroma's rules gives what chroma's own gives.
func TestRules(t *testing.T) {
	var parts []string
	for _, name := range []string{"sample.c", "sample.sh", "sample.rb", "sample.html", "sample.sql"} {
		src := read(t, "testdata/samples/"+name)
		parts = append(parts, src[:lineStartBefore(src, 300)], src[len(src)/2:][:lineStartBefore(src[len(src)/2:], 300)])
	}
	compared, without := 0, 0
	for i, lexer := range lexers.GlobalLexerRegistry.Lexers {
		name := lexer.Config().Name
		set := knownAs(lexer).rules()
		if set == nil {
			without++
			t.Logf("%s is more than data", name)
			continue
		}
		for _, src := range []string{parts[i%len(parts)], parts[(i+3)%len(parts)]} {
			var theirs []byte
			start := time.Now()
			slow := false
			func() {
				// Some lexers take seconds for some lines, and some panic.
				defer func() { _ = recover() }()
				theirs = classOf(src, func(src string, emit func(byte, int)) {
					tokenise(lexer, src, func(class byte, end int) {
						if slow = slow || time.Since(start) > 100*time.Millisecond; slow {
							panic("slow")
						}
						emit(class, end)
					})
					emit(255, len(src)) // what it does not spell
				})
			}()
			if slow || theirs == nil {
				continue
			}
			ours := classOf(src, rulesScanner(knownAs(lexer)))
			for k := range theirs {
				if theirs[k] != 255 && src[k] > ' ' && ours[k] != theirs[k] && !usesOurs(lexer) {
					t.Errorf("%s: %q is %s, of chroma %s", name, src[k:min(len(src), k+20)], show(ours[k]), show(theirs[k]))
					break
				}
			}
			compared++
		}
	}
	t.Logf("%d texts compared, %d lexers without rules", compared, without)
	if compared < 300 || without > 15 {
		t.Errorf("%d texts compared, %d lexers without rules: want at least 300, and at most 15", compared, without)
	}
}

// usesOurs tells lexers that use others, of which we have our own.
func usesOurs(lexer chroma.Lexer) bool {
	l, ok := lexer.(*chroma.RegexLexer)
	if !ok {
		return true
	}
	data, err := chroma.Marshal(l)
	return err != nil || strings.Contains(string(data), "<using lexer") || strings.Contains(string(data), "<usingbygroup")
}

// Ordinary code is far from the end of its steps.
func TestRulesTakeFewSteps(t *testing.T) {
	for _, file := range samples(t) {
		src := read(t, file)
		for _, lang := range []string{"dart", "lua", "elixir", "scala", "perl", "haskell", "powershell", "zig", "groovy", "nix"} {
			set := knownLexers()[lang].rules()
			text := []rune(src)
			r := ruler{emit: func(byte, int) {}, steps: stepsPerByte * len(src)}
			for i := range src {
				r.offsets = append(r.offsets, int32(i))
			}
			r.offsets = append(r.offsets, int32(len(src)))
			r.run(set, text, 0, "root")
			if r.steps < stepsPerByte*len(src)/2 {
				t.Errorf("%s as %s: %d of %d steps are left, want more than half", filepath.Base(file), lang, r.steps, stepsPerByte*len(src))
			}
		}
	}
}

// Of hostile text what is left when the steps are spent is plain, and it is the
// same at each try.
func TestRulesOnHostileText(t *testing.T) {
	for i, lang := range strings.Fields("dart lua elixir d groovy ceylon coq cfengine3 jsonata jungle scilab caddyfile lean4 ocaml perl haskell nim") {
		for k, unit := range []string{hostile[(i*7)%len(hostile)], hostile[(i*13+5)%len(hostile)], "a ", "$/*.@", "{{", "(a"} {
			src := strings.Repeat(unit, (8<<10)/len(unit)+k)
			checkSpans(t, Lookup(lang), clean(src))
		}
	}
}

func FuzzRules(f *testing.F) {
	all := lexers.GlobalLexerRegistry.Lexers
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
		lexer := all[int(n)%len(all)]
		checkScanner(t, lexer.Config().Name, rulesScanner(knownAs(lexer)), clean(src))
	})
}

func BenchmarkRulesOf(b *testing.B) {
	l := knownLexers()["dart"]
	b.ReportAllocs()
	for b.Loop() {
		l.read()
	}
}
