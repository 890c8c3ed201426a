package markup

import (
	"fmt"
	"html/template"
	"strings"
	"testing"
)

const goSource = `package main

import "fmt"

// Ring is a buffer of
// fixed size.
type Ring[T any] struct {
	buf  []T
	next int
}

/* a comment
   of two lines */
func (r *Ring[T]) Push(v T) bool {
	r.buf[r.next%len(r.buf)] = v
	r.next++
	fmt.Printf("%d < %s\n", 0x2a, ` + "`raw\nstring`" + `)
	return r.next > 1 && true
}
`

func TestCode(t *testing.T) {
	for _, test := range []struct {
		lang, in string
		want     template.HTML
	}{
		{"go", "func f() int { return 1 }",
			`<i>func</i> <kbd>f</kbd>() <var>int</var> { <i>return</i> <b>1</b> }`},
		{"go", "/* a\n\nb */ x", "<small>/* a</small>\n\n<small>b */</small> x"},
		{"a/b/main.go", "var x", `<i>var</i> x`},
		{".py", "@d\ndef f(): pass", "<cite>@d</cite>\n<i>def</i> <kbd>f</kbd>(): <i>pass</i>"},
		{"", "if <a>", "if &lt;a&gt;"},
		{"nonsense", "if <a>", "if &lt;a&gt;"},
		{"text", "if", "if"},
		{"diff", "@@ -1 +1 @@\n-a\n+b\n c",
			"<span class=\"h\">@@ -1 +1 @@</span>\n<span class=\"d\">-a</span>\n<span class=\"i\">+b</span>\n c"},
		{"go", "x \u202e", `x <span class="u">U+202E</span>`},
		// A hunk has as many lines as its header says: these are lines of SQL, followed by the name of a file.
		{"diff", "@@ -1,2 +1,2 @@\n--- a\n+++ b\n c\n--- a\n",
			"<span class=\"h\">@@ -1,2 +1,2 @@</span>\n<span class=\"d\">--- a</span>\n<span class=\"i\">+++ " +
				"b</span>\n c\n<span class=\"h\">--- a</span>\n"},
		{"diff", "@@ -1,9 +1,9 @@\n a\ndiff --git a b\n--- a\n",
			"<span class=\"h\">@@ -1,9 +1,9 @@</span>\n a\n<span class=\"h\">diff --git a b</span>\n<span " +
				"class=\"h\">--- a</span>\n"},
		{"md", "a `b\nc` d\n\n`e\n\nf`", "a <u>`b</u>\n<u>c`</u> d\n\n`e\n\nf`"},
		{"md", "``a `b` ``` c`` d", "<u>``a `b` ``` c``</u> d"},
		{"md", "````md\n# a\n```go\nif\n```\n````",
			"<u>````md</u>\n<span class=\"h\"># a</span>\n<u>```go</u>\n<i>if</i>\n<u>```</u>\n<u>````</u>"},
		{"yaml", "- |\n a: b\n- c: |\n    d\n   e: f",
			"- |\n<u> a: b</u>\n- <i>c</i>: |\n<u>    d</u>\n<u>   e: f</u>"},
		{"py", `f"{a:>{b}.2f} c" + 1`, `<u>f"</u>{a:<u>&gt;</u>{b}<u>.2f</u>}<u> c"</u> + <b>1</b>`},
		{"kt", `"a $b.c ${d}" + $e`, `<u>"a </u>$b<u>.c </u>${d}<u>"</u> + $e`},
		{"sh", `A="b" read c; d=("e" read)`, `A=<u>"b"</u> <var>read</var> c; d=(<u>"e"</u> read)`},
		{"ts", `let a: B.C = { d: e, f: G };`, `<i>let</i> a: <var>B.C</var> = { d: e, f: <var>G</var> };`},
		{"html", `<a b=c=d e='f'>g="h"</a>`,
			`&lt;<i>a</i> <var>b</var>=<u>c=d</u> <var>e</var>=<u>'f'</u>&gt;g="h"&lt;/<i>a</i>&gt;`},
		{"go", `func f(g ...func(a []int))`, `<i>func</i> <kbd>f</kbd>(g ...<i>func</i>(a []<var>int</var>))`},
		{"mk", "A = $(shell b 'c') '$(D)'",
			`A = <i>$(</i>shell b <u>'c'</u><i>)</i> <u>'$(D)'</u>`},
		{"json", `{"a": [true, 1.5]}`, `{<i>"a"</i>: [<b>true</b>, <b>1.5</b>]}`},
	} {
		if got := Code(test.in, test.lang); got != test.want {
			t.Errorf("Code(%q, %q)\n got %s\nwant %s", test.in, test.lang, got, test.want)
		}
	}
}

// TestCodeLimits: a block beyond the limits keeps all of its text, without highlighting beyond them.
func TestCodeLimits(t *testing.T) {
	long := "x := \"" + strings.Repeat("a", 2000) + "\"\n"
	for name, src := range map[string]string{
		"line":  "var a = 1\n" + long + "var b = 2\n",
		"block": strings.Repeat("var a = 1\n", maxCode/10+50),
		"both":  strings.Repeat("var a = 1\n", maxCode/10-20) + long + long,
		"one":   long,
		"huge":  strings.Repeat("x", 3*maxCode),
	} {
		h := Code(src, "go")
		if got := textOf(t, h); got != src {
			t.Errorf("%s: the text differs from the source", name)
		}
		checkLines(t, h)
	}
	if h := Code("var a = 1\n"+long+"var b = 2\n", "go"); strings.Count(string(h), `<i>var</i>`) != 2 ||
		!strings.Contains(string(h), `<u>`) {
		t.Error("the lines around a long line are not highlighted, or it is not marked")
	}
}

func TestSpacesJoinSpans(t *testing.T) {
	h := Code("public static void", "java")
	if n := strings.Count(string(h), "<span"); n > 2 {
		t.Errorf("got %d spans, want at most 2: %s", n, h)
	}
}

func FuzzCode(f *testing.F) {
	langs := []string{"go", "python", "ts", "bash", "json", "md", "html", "css", "rust", "yaml", "diff", "sql", "c", "",
		"nonsense"}
	seeds := append([]string{goSource}, texts...)
	if len(seeds) == 0 {
		f.Fatal("no seeds found, want some")
	}
	for i, s := range seeds {
		f.Add(s, uint8(i))
	}
	f.Fuzz(func(t *testing.T, src string, lang uint8) {
		if len(src) > 4<<10 {
			t.Skip()
		}
		l := langs[int(lang)%len(langs)]
		h := Code(src, l)
		if got, want := textOf(t, h), shown(src); got != want {
			t.Fatalf("Code(%q, %q)\n got %q\nwant %q", src, l, got, want)
		}
		checkLines(t, h)
		if again := Code(src, l); again != h {
			t.Fatal("a second call gives another result")
		}
	})
}

func BenchmarkCode(b *testing.B) {
	src := strings.Repeat(goSource, 20)
	for _, lang := range []string{"go", ""} {
		b.Run(fmt.Sprintf("lang=%s", lang), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				Code(src, lang)
			}
		})
	}
}
