package highlight

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/dlclark/regexp2/v2"
)

// groupsOf returns what our matcher finds at pos: start and end of each group, or nil for no match. It fails if the
// steps are used up.
func groupsOf(pattern, flags string, text []rune, pos int) (groups []int, err error) {
	e, err := compileExpr(pattern, flags)
	if err != nil {
		return nil, err
	}
	m := matcher{text: text, steps: 200_000}
	if !m.match(e, pos) {
		if m.steps < 0 {
			return nil, errSteps
		}
		return nil, nil
	}
	m.groups[0], m.groups[1] = pos, m.end
	return m.groups, nil
}

// groupsOfRegexp2 returns what regexp2 finds there. It fails after a timeout.
func groupsOfRegexp2(pattern, flags string, text []rune, pos int) (groups []int, err error) {
	re, err := regexp2.Compile(`\G(?` + flags + `:` + pattern + `)`)
	if err != nil {
		return nil, err
	}
	re.MatchTimeout = 2 * time.Second
	match, err := re.FindRunesMatchStartingAt(text, pos)
	if match == nil || err != nil || match.RuneIndex != pos {
		return nil, err
	}
	for _, g := range match.Groups() {
		if len(g.Captures) == 0 {
			groups = append(groups, -1, -1)
		} else {
			groups = append(groups, g.RuneIndex, g.RuneIndex+g.RuneLength)
		}
	}
	return groups, nil
}

var exprCases = []struct{ pattern, texts string }{ // texts are separated by spaces
	{`a`, "a b aa"}, {`abc`, "abc ab abcd xabc"}, {`[^a]b`, "ab bb éb"}, {`.`, "a é"}, {`a|bc|d`, "a bc d e"},
	{``, "a"}, {`a*b`, "b ab aaab aaa"}, {`a*?b`, "b aaab"}, {`a+?`, "aaa"}, {`a{2,3}`, "a aa aaaa"},
	{`a{2,3}?`, "aaaa"}, {`a{2}`, "aaa"}, {`[ab]+?c`, "abac ab"}, {`[^"]*"`, `ab" ab`}, {`(a)(b)?`, "a ab"},
	{`(a|ab)(c|bcd)(d*)`, "abcd"}, {`(a*)*`, "aaa b"}, {`(a|b)*c`, "ababc abab"}, {`(?:a|b)+?c`, "abc"},
	{`(a?)*?b`, "aab b"}, {`((a)|b){2,}`, "ab a aba"}, {`(a*){2,3}`, "aaaa"}, {`(?:(a)|b)*`, "ab"},
	{`(\w)\1`, "aa ab"}, {`(?:(a)|b)\1`, "aa ba"}, {`(["'])(?:\\.|(?!\1).)*\1`, `"a'b\"c" 'x' "x`},
	{`a(?=b)`, "ab ac"}, {`a(?!b)`, "ab ac"}, {`(?<=a)b`, "ab bb"}, {`(?<!a)b`, "ab bb"},
	{`(?<=ab|c)d`, "abd cd ad"}, {`(?<=(a+))b`, "aaab"}, {`(?<=a{2,3}b*?)c`, "aabc abc"}, {`(?<=\bx.*)y`, "xaay"},
	{`a(?=(b+))c?`, "abb"}, {`a{1,2}?b`, "ab aab aaab"}, {`(?<=^a+?)b`, "ab aab"}, {`(?<=^a{1,2}?)b`, "ab aab aaab"},
	{`(?<=^a{1,2})b`, "ab aab aaab"}, {`(?<=^[^b]a)b`, "aab cab"}, {`(?>a+)a`, "aaa"}, {`(?>a|ab)c`, "abc ac"},
	{`(?>(a+))b`, "aab"}, {`^a`, "a ba"},
	{`a$`, "a ab"}, {`\ba\b`, "a ab ba"}, {`\Ba`, "ba a"}, {`\Aa`, "a ba"}, {`a\z`, "a ab"}, {`a\Z`, "a ab"},
	{`[\w-]+`, "a-b_1"}, {`\p{L}+`, "aé世"}, {`[[:alpha:]]+`, "ab1"}, {`[a-z-[aeiou]]+`, "bcd abc"},
	{`\d+(?:\.\d+)?`, "1 1.5 1."}, {`\x41\u00e9`, "Aé"}, {`(?i)Aé`, "aÉ aé"}, {`(?i:(k))\1`, "kK kk"},
	{`(?<n>a)(b)(?<m>c)`, "abc"}, {`(?:a(?:b(?:c)?)?)?`, "abc ab a"}, {`(?s:.)`, "a"},
}

func TestExpr(t *testing.T) {
	for _, c := range exprCases {
		t.Run(c.pattern, func(t *testing.T) {
			texts := append(strings.Split(c.texts, " "), c.texts, "", strings.ReplaceAll(c.texts, " ", "\n")+"\n")
			for _, text := range texts {
				for pos := range len([]rune(text)) + 1 {
					for _, flags := range []string{"", "m", "s", "msi"} {
						want, err := groupsOfRegexp2(c.pattern, flags, []rune(text), pos)
						if err != nil {
							t.Fatalf("regexp2: %q (%s) at %d of %q: %v", c.pattern, flags, pos, text, err)
						}
						got, err := groupsOf(c.pattern, flags, []rune(text), pos)
						if err != nil || !slices.Equal(got, want) {
							t.Errorf("%q (%s) at %d of %q matches %v, error %v, in regexp2 %v",
								c.pattern, flags, pos, text,
								got, err, want)
						}
					}
				}
			}
		})
	}
}

// TestExprRefuses: syntax that no rule of chroma uses is refused.
func TestExprRefuses(t *testing.T) {
	for _, pattern := range []string{
		`(?(?=a)ab|c)`,         // an expression as a condition
		`(a)?(?(1)b|c)`,        // a group as a condition
		`(?<a>x)(?<b-a>y)`,     // a balancing group
		`(?<5>a)`,              // numbers of groups with gaps
		`(`, `a{2,1}`, `[b-a]`, // not valid expressions
	} {
		if e, err := compileExpr(pattern, "m"); err == nil {
			t.Errorf("%q is compiled, with %d groups; want an error", pattern, e.groups)
		}
	}
}

// TestExprGivesUp: a match that would take forever ends when the steps are used up, always in the same way.
func TestExprGivesUp(t *testing.T) {
	for _, c := range [][2]string{
		{`(a+)+b`, strings.Repeat("a", 100)},
		{`(a|aa)*b`, strings.Repeat("a", 100)},
		{`(.*)*x(.*)*y`, strings.Repeat("x", 1000)},
		{`(?<=c(a+)+)b`, strings.Repeat("a", 40) + "b"},
		{`(?:(a)|(b))*c`, strings.Repeat("ab", 100_000)},
	} {
		e, err := compileExpr(c[0], "ms")
		if err != nil {
			t.Fatal(err)
		}
		pos := strings.IndexByte(c[1], 'b') % 50
		if pos < 2 {
			pos = 0
		}
		m := matcher{text: []rune(c[1]), steps: 1_000_000}
		if m.match(e, pos) || m.steps >= 0 {
			t.Errorf("%s: got %d steps left, want none", c[0], m.steps)
		}
	}
}

// patterns returns the patterns of all lexers, in order.
var patterns = sync.OnceValues(func() (all []string, err error) {
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		l, ok := l.(*chroma.RegexLexer)
		if !ok {
			continue
		}
		rules, err := l.Rules()
		if err != nil {
			return nil, err
		}
		for _, rules := range rules {
			for _, r := range rules {
				all = append(all, r.Pattern)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
})

func patternsOf(t testing.TB) []string {
	t.Helper()
	all, err := patterns()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestExprsOfChroma(t *testing.T) {
	all := patternsOf(t)
	failed := 0
	for _, p := range all {
		if _, err := compileExpr(p, "m"); err != nil {
			failed++
			t.Log(err)
		}
	}
	if len(all) < 5000 || failed > 0 {
		t.Errorf("%d of %d patterns are not supported, want all of at least 5000", failed, len(all))
	}
}

// exprTexts are texts for patterns of chroma.
var exprTexts = []string{
	"", "a", "x := 1 // one\n", "if (a == \"b\") { return 'c'; }\n", "<a href=\"b\">c</a>", "# comment\n@d 0x1f 1.5e-3",
	"/* é 世界 */\n\tend\n",
}

// TestExprsOnTexts: patterns of chroma find the same as with regexp2, in few steps.
func TestExprsOnTexts(t *testing.T) {
	all := patternsOf(t)
	for i := 0; i < len(all); i += 211 {
		for _, text := range exprTexts {
			runes := []rune(text)
			for pos := 0; pos <= len(runes); pos += 11 {
				want, err := groupsOfRegexp2(all[i], "m", runes, pos)
				if err != nil {
					t.Fatalf("regexp2: %q at %d of %q: %v", all[i], pos, text, err)
				}
				got, err := groupsOf(all[i], "m", runes, pos)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%q at %d of %q matches %v, error %v, in regexp2 %v", all[i], pos, text, got, err, want)
				}
			}
		}
	}
}

// manyTimes matches repetitions like {1000}, for which regexp2 is slow.
var manyTimes = regexp.MustCompile(`\{[0-9,]*0`)

// FuzzExpr skips expressions that regexp2 refuses or that take too long. The patterns of chroma must all be supported.
func FuzzExpr(f *testing.F) {
	all := patternsOf(f)
	for i, text := range exprTexts {
		f.Add(uint16(i*97), "", "m", text, uint16(0))
	}
	for i, c := range exprCases {
		f.Add(uint16(0), c.pattern, []string{"", "m", "s", "i", "msi"}[i%5], c.texts, uint16(i%3))
	}
	f.Fuzz(func(t *testing.T, i uint16, pattern, flags, text string, pos uint16) {
		ofChroma := pattern == ""
		if ofChroma {
			pattern = all[int(i)%len(all)]
		} else if len(pattern) > 60 || manyTimes.MatchString(pattern) {
			t.Skip()
		}
		if len(text) > 300 || strings.Trim(flags, "msi") != "" {
			t.Skip()
		}
		runes := []rune(text)
		at := min(int(pos), len(runes))
		want, err := groupsOfRegexp2(pattern, flags, runes, at)
		if err != nil {
			t.Skip(err)
		}
		got, err := groupsOf(pattern, flags, runes, at)
		if ofChroma && err != nil && !errors.Is(err, errSteps) {
			t.Fatalf("%q (%s), a pattern of chroma: %v", pattern, flags, err)
		}
		if err != nil {
			t.Skip(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q (%s) at %d of %q matches %v, in regexp2 %v", pattern, flags, at, text, got, want)
		}
	})
}
