package markup

import (
	"html/template"
	"strings"
	"testing"
)

func TestANSI(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     template.HTML
	}{
		{"plain", "a < b\nc", "a &lt; b\nc"},
		{"dos", "a\r\nb\r\n", "a\nb\n"},
		{"colour", "\x1b[31mred\x1b[0m no", `<span class="a1">red</span> no`},
		{"bright", "\x1b[92;1mok\x1b[m", `<span class="a10 B">ok</span>`},
		{"all", "\x1b[1;2;3;4;7;9;33;44mx", `<span class="a3 b4 BDIUSR">x</span>`},
		{"off", "\x1b[1;4mx\x1b[22;24my", `<span class="B U">x</span>y`},
		{"lines", "\x1b[32ma\nb\x1b[0m", "<span class=\"a2\">a</span>\n<span class=\"a2\">b</span>"},
		{"same style joins", "\x1b[1ma\x1b[1mb", `<span class="B">ab</span>`},
		{"256", "\x1b[38;5;196mr\x1b[48;5;21mb", `<span class="a1">r</span><span class="a1 b4">b</span>`},
		{"256 low", "\x1b[38;5;9mr", `<span class="a9">r</span>`},
		{"256 colon", "\x1b[38:5:46mg", `<span class="a2">g</span>`},
		{"24 bit", "\x1b[38;2;255;0;0mr\x1b[38:2::0:0:255mb", `<span class="a1">r</span><span class="a4">b</span>`},
		{"grey", "\x1b[38;2;120;120;120mg", `<span class="a8">g</span>`},
		{"wavy", "\x1b[4:3mw\x1b[4:0mn", `<span class="U">w</span>n`},
		{"bad colour", "\x1b[38;5mx", "x"},
		{"concealed is shown", "\x1b[8mx", "x"},
		{"progress", "10%\r50%\r100%\ndone", "100%\ndone"},
		{"shorter", "longer\rsho", "shoger"},
		{"erase", "longer\r\x1b[Ksho", "sho"},
		{"erase 2", "longer\x1b[2K\rsho", "sho"},
		{"erase left", "abc\x1b[1K\rx", "x"},
		{"backspace", "abc\b\bX", "aXc"},
		{"backspace at 0", "\b\bX", "X"},
		{"style of cells", "\x1b[31mab\rc", `<span class="a1">cb</span>`},
		{"spinner", "a\n- b\x1b[1A\x1b[2K\x1b[Gc\x1b[J\nd", "c\nd"},
		{"two lines redrawn", "x: 1\ny: 1\n\x1b[2Ax: 2\x1b[K\ny: 2\x1b[K\n", "x: 2\ny: 2\n"},
		{"up too far", "a\x1b[99Ab", "ab"},
		{"clear screen keeps", "a\nb\x1b[2J\x1b[Hc", "a\nbc"},
		{"right", "a\x1b[3Cb", "a   b"},
		{"column", "abc\x1b[2Gx", "axc"},
		{"title", "\x1b]0;✳ title\ab\x1b]2;x\x1b\\c", "bc"},
		{"link", "\x1b]8;;https://example.com/?a=1&b=2\x1b\\text\x1b]8;;\x1b\\.",
			`<a href="https://example.com/?a=1&amp;b=2" rel="noopener noreferrer nofollow">text</a>.`},
		{"link styled", "\x1b]8;id=1;http://example.com\a\x1b[1mx\x1b]8;;\ay",
			`<a href="http://example.com" rel="noopener noreferrer nofollow"><span class="B">x</span></a><span ` +
				`class="B">y</span>`},
		{"bad link", "\x1b]8;;javascript:alert(1)\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"picture", "\x1b]1337;File=inline=1:AAAA\aa\x1b_Gx\x1b\\b\x1bPq#0\x1b\\c", "abc"},
		{"charset", "\x1b(Ba\x1b=b\x1b>c\x1b7d\x1b8e", "abcde"},
		{"private", "\x1b[?25l\x1b[?2004ha\x1b[>0q", "a"},
		{"cut off", "a\x1b[31", `a<span class="u">U+001B</span>[31`},
		{"cut off string", "a\x1b]0;b\nc", "a<span class=\"u\">U+001B</span>]0;b\nc"},
		{"last byte", "a\x1b", `a<span class="u">U+001B</span>`},
		{"bell", "a\a\x1b[m", `a<span class="u">U+0007</span>`},
		{"bidi", "\x1b[1m\u202e", `<span class="B"><span class="u">U+202E</span></span>`},
		{"html", "\x1b[1m<script>", `<span class="B">&lt;script&gt;</span>`},
		{"latin", "\x1b[1mé · ü", `<span class="B">é · ü</span>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := template.HTML(strings.Replace(string(test.want), "BDIUSR", "B D I U S R", 1))
			if got := ANSI(test.in); got != want {
				t.Errorf("ANSI(%q)\n got %q\nwant %q", test.in, got, want)
			}
		})
	}
}

// TestANSISize: the HTML of a screen is limited by the size of the text.
func TestANSISize(t *testing.T) {
	const n = 64 << 10
	for name, unit := range map[string]string{
		"pads":    "\x1b[200Cx\n",
		"columns": "\x1b[9999Gx\n",
		"links":   "x\n",
		"styles":  "\x1b[1;2;3;4;7;9;97;107mx\n",
		"erase":   "\rA\x1b[500000G\x1b[1K",
		"up":      "x\n\x1b[200A\x1b[J",
		"open":    "\x1b]",
		"csi":     "\x1b[1;",
	} {
		in := strings.Repeat(unit, n/len(unit))
		if name == "links" {
			in = "\x1b]8;;https://example.com/" + strings.Repeat("x", 2000) + "\a" + in
		}
		if h := ANSI(in); len(h) > 40*len(in) {
			t.Errorf("%s: got %d bytes of HTML for %d, want at most 40 times", name, len(h), len(in))
		}
	}
}

func FuzzANSI(f *testing.F) {
	seed(f, append([]string{
		"\x1b[31mred\x1b[0m\nplain", "a\rb\bc\x1b[K", "\x1b]8;;http://example.com\ax\ny\x1b]8;;\a",
		"a\nb\x1b[1A\x1b[2Kc\x1b[J",
		"\x1b[38;5;200;48;2;1;2;3mx", "\x1b[4:3m\x1b[58:2::1:2:3mx", "\x1bPq\x1b\\\x1b[3C\x1b[9G.\x1b[1K",
	}, texts...))
	f.Fuzz(func(t *testing.T, text string) {
		h := ANSI(text)
		got := textOf(t, h)
		checkLines(t, h)
		if strings.ContainsAny(text, "\x1b\b") || strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\r") {
			return
		}
		if want := shown(text); got != want {
			t.Fatalf("text of ANSI(%q)\n got %q\nwant %q", text, got, want)
		}
	})
}

func BenchmarkANSI(b *testing.B) {
	for name, text := range map[string]string{
		"plain": strings.Repeat("ok  \texample.com/ledger/settle\t8.391s\n", 1000),
		"colours": strings.Repeat("\x1b[32m✓\x1b[0m settles \x1b[2m(3 ms)\x1b[22m across midnight and then some\n",
			1000),
		"progress": strings.Repeat("\r\x1b[K 42% |████████        | 3.1 MB/s", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				ANSI(text)
			}
		})
	}
}
