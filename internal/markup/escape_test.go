package markup

import (
	"html/template"
	"testing"
)

var texts = []string{
	"", "plain", "two\nlines\n", "\n\n", "a <b> & \"c\" 'd'", "tab\there",
	"bell\a and \x00 and \x7f", "c1 \u0085 and \u009b", "\u202eevil\u202c \u2066x\u2069 \u200e\u200f \u061c",
	"dos\r\nlines\r\n", "lone\rreturn", "bad \xff\xfe utf \xe2\x82", "é ü 中文 🙂 — “quotes” │", "\r", "\r\n",
	"a\r\r\nb\r\rc", "&amp;lt;", "<script>alert(1)</script>",
}

func TestText(t *testing.T) {
	for _, test := range []struct {
		in   string
		want template.HTML
	}{
		{"a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"},
		{`say "hi"`, `say "hi"`},
		{"if \u202e(admin)", `if <span class="u">U+202E</span>(admin)`},
		{"\x1b[31m", `<span class="u">U+001B</span>[31m`},
		{"\uffff\ufdd0\U0001fffe 🙂 ａ",
			`<span class="u">U+FFFF</span><span class="u">U+FDD0</span><span class="u">U+1FFFE</span> 🙂 ａ`},
		{"\u0085", `<span class="u">U+0085</span>`},
		{"a\r\nb\rc", "a\nb" + `<span class="u">U+000D</span>` + "c"},
		{"\xffa\xc3", "\ufffda\ufffd"},
		{"nbsp\u00a0—│", "nbsp\u00a0—│"},
	} {
		if got := Text(test.in); got != test.want {
			t.Errorf("Text(%q)\n got %q\nwant %q", test.in, got, test.want)
		}
	}
	for _, s := range texts {
		h := Text(s)
		if got, want := textOf(t, h), shown(s); got != want {
			t.Errorf("text of Text(%q)\n got %q\nwant %q", s, got, want)
		}
		checkLines(t, h)
	}
}
