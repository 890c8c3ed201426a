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
		{"go", "func f() int { return 1 }", `<span class="k">func</span> <span class="f">f</span>() <span class="t">int</span> { <span class="k">return</span> <span class="n">1</span> }`},
		{"go", "/* a\n\nb */ x", "<span class=\"c\">/* a</span>\n\n<span class=\"c\">b */</span> x"},
		{"a/b/main.go", "var x", `<span class="k">var</span> x`},
		{".py", "@d\ndef f(): pass", "<span class=\"p\">@d</span>\n<span class=\"k\">def</span> <span class=\"f\">f</span>(): <span class=\"k\">pass</span>"},
		{"", "if <a>", "if &lt;a&gt;"},
		{"nonsense", "if <a>", "if &lt;a&gt;"},
		{"text", "if", "if"},
		{"diff", "@@ -1 +1 @@\n-a\n+b\n c", "<span class=\"h\">@@ -1 +1 @@</span>\n<span class=\"d\">-a</span>\n<span class=\"i\">+b</span>\n c"},
		{"go", "x \u202e", `x <span class="u">U+202E</span>`},
		{"json", `{"a": [true, 1.5]}`, `{<span class="k">"a"</span>: [<span class="n">true</span>, <span class="n">1.5</span>]}`},
	} {
		if got := Code(test.in, test.lang); got != test.want {
			t.Errorf("Code(%q, %q)\n got %s\nwant %s", test.in, test.lang, got, test.want)
		}
	}
}

func TestLanguage(t *testing.T) {
	for _, lang := range []string{
		"go", "Go", "golang", "py", "python3", "ts", "tsx", "jsx", "sh", "bash", "zsh", "yaml", "yml", "json", "jsonc", "toml", "rs", "c++", "cpp", "h",
		"main.go", "src/app.test.ts", `C:\src\app.cs`, ".css", "Dockerfile", "dir/Makefile", "go.mod", "CMakeLists.txt", "{.rb}", "go,ignore", "ts:src/a", "index.html.erb",
		"sql", "lua", "php", "kt", "swift", "scala", "md", "vue", "svelte", "ps1", "proto", "graphql", "tf", "nix", "zig", "diff",
	} {
		if language(lang) == nil {
			t.Errorf("language(%q) is unknown", lang)
		}
	}
	for _, lang := range []string{"", "text", "output.txt", "x", "README", "a.b.zzz", strings.Repeat("x.", 9000), "*", "/", "..", "no such"} {
		if language(lang) != nil {
			t.Errorf("language(%q) is known", lang)
		}
	}
}

// A block beyond the limits keeps all of its text, plain where it is beyond.
func TestCodeLimits(t *testing.T) {
	long := "x := \"" + strings.Repeat("a", maxLine) + "\"\n"
	for name, src := range map[string]string{
		"line":  "var a = 1\n" + long + "var b = 2\n",
		"block": strings.Repeat("var a = 1\n", maxCode/10+50),
		"both":  strings.Repeat("var a = 1\n", maxCode/10-20) + long + long,
		"one":   long,
		"huge":  strings.Repeat("x", 3*maxCode),
	} {
		h := Code(src, "go")
		if got := textOf(t, h); got != src {
			t.Errorf("%s: text is not the source", name)
		}
		checkLines(t, h)
	}
	if h := Code("local a = 1\n"+long+"local b = 2\n", "lua"); strings.Count(string(h), `<span class="k">local</span>`) != 2 || strings.Contains(string(h), `class="s"`) {
		t.Error("of chroma, a long line is drawn plain, and those around it are not")
	}
	if h := Code("var a = 1\n"+long+"var b = 2\n", "go"); strings.Count(string(h), `<span class="k">var</span>`) != 2 || !strings.Contains(string(h), `class="s"`) {
		t.Error("of our scanners, a long line is drawn as any other")
	}
}

// A scanner that lies or panics costs classes, not text.
func TestScannerPromises(t *testing.T) {
	for name, scan := range map[string]scanner{
		"panics": func(src string, emit func(byte, int)) { emit('k', 2); panic("no") },
		"back":   func(src string, emit func(byte, int)) { emit('k', 3); emit('s', 1); emit('c', 4) },
		"beyond": func(src string, emit func(byte, int)) { emit('k', len(src)+10) },
		"short":  func(src string, emit func(byte, int)) { emit('k', 1) },
	} {
		src := "one <two>\nthree"
		var b strings.Builder
		writeSpans(&b, src, highlight(src, scan))
		h := template.HTML(b.String())
		if got := textOf(t, h); got != src {
			t.Errorf("%s: %s", name, h)
		}
		checkLines(t, h)
	}
}

func TestBlanksJoin(t *testing.T) {
	h := Code("public static void", "java")
	if n := strings.Count(string(h), "<span"); n > 2 {
		t.Errorf("%d spans in %s", n, h)
	}
}

func FuzzCode(f *testing.F) {
	langs := []string{"go", "python", "ts", "bash", "json", "md", "html", "css", "rust", "yaml", "diff", "sql", "c", "", "nonsense"}
	seeds := append([]string{goSource}, texts...)
	if len(seeds) == 0 {
		f.Fatal("no seeds")
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
			t.Fatal("the second time differs")
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
