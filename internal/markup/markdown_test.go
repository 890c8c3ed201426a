package markup

import (
	"html/template"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

const rel = ` rel="noopener noreferrer nofollow"`

func TestMarkdown(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     template.HTML
	}{
		{"paragraphs", "One *two* **three** ~~four~~ `five`.\nSix\n\nSeven",
			"<p>One <em>two</em> <strong>three</strong> <del>four</del> <code>five</code>.\nSix</p>\n<p>Seven</p>\n"},
		{"break", "a  \nb\\\nc", "<p>a<br>\nb<br>\nc</p>\n"},
		{"headings", "# A\n## B\n### C\n###### D",
			"<h3 class=\"h1\">A</h3>\n<h4 class=\"h2\">B</h4>\n<h5 class=\"h3\">C</h5>\n<h6 class=\"h6\">D</h6>\n"},
		{"headings without a skipped level", "### A\n###### B\n# C\n## D",
			"<h3 class=\"h3\">A</h3>\n<h4 class=\"h6\">B</h4>\n<h3 class=\"h1\">C</h3>\n<h4 class=\"h2\">D</h4>\n"},
		{"list", "- a\n- b\n  1. c\n", "<ul><li>a</li>\n<li>b\n<ol><li>c</li>\n</ol>\n</li>\n</ul>\n"},
		{"loose list", "3. a\n\n4. b\n", "<ol start=\"3\"><li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n</ol>\n"},
		{"tasks", "- [ ] a\n- [x] b",
			"<ul><li class=\"task\"><span role=\"img\" aria-label=\"to do\">☐</span> a</li>\n<li class=\"task\">" +
				"<span role=\"img\" aria-label=\"done\">☑</span> b</li>\n</ul>\n"},
		{"quote and rule", "> a\n\n---", "<blockquote><p>a</p>\n</blockquote>\n<hr>\n"},
		{"fence", "```go\nvar a < b\n```",
			"<pre class=\"code\" data-lang=\"go\"><code><i>var</i> a &lt; b</code></pre>\n"},
		{"fence word", "```c++\nx\n```\n\n``` \"><b>.go\nx\n```",
			"<pre class=\"code\" data-lang=\"c++\"><code>x</code></pre>\n<pre class=\"code\"><code>x</code></pre>\n"},
		{"fence without word", "~~~\n*a*\n\n~~~", "<pre class=\"code\"><code>*a*\n</code></pre>\n"},
		{"indented", "    a\n    b", "<pre class=\"code\"><code>a\nb</code></pre>\n"},
		{"fence of a diff", "```diff\n--- a\n@@ -1 +1 @@\n x\n-a\n+b\n```",
			"<pre class=\"code diff\"><code><span class=\"h\">--- a</span>\n<span class=\"h\">@@ -1 +1 @@</span>\n" +
				"x\n<del>a</del>\n<ins>b</ins></code></pre>\n"},
		{"table", "a|b|c\n-|-:|:-:\n1|2|3",
			"<div class=\"table\"><table>\n<thead>\n<tr><th>a</th><th class=\"r\">b</th><th class=\"m\">c</th></tr>" +
				"\n</thead>\n<tbody>\n<tr><td>1</td><td class=\"r\">2</td><td class=\"m\">3</td></tr>\n</tbody>\n" +
				"</table></div>\n"},
		{"link", `[a](https://example.com/?a=1&b=2 "x <y>")`,
			`<p><a href="https://example.com/?a=1&amp;b=2" title="x &lt;y&gt;"` + rel + ">a</a></p>\n"},
		{"link with blank", `[a](<https://example.com/a b>)`,
			`<p><a href="https://example.com/a%20b"` + rel + ">a</a></p>\n"},
		{"relative", "[a](src/a.go) [b](#top)",
			"<p><span title=\"src/a.go\">a</span> <span title=\"#top\">b</span></p>\n"},
		{"scripts", "[a](javascript:alert(1)) [b](jAvAsCrIpT&#58;x) [c](data:text/html,x)",
			"<p><span title=\"javascript:alert(1)\">a</span> <span title=\"jAvAsCrIpT:x\">b</span> <span " +
				"title=\"data:text/html,x\">c</span></p>\n"},
		{"autolinks", "<https://a.example> www.b.example me@c.example <ab:y>",
			`<p><a href="https://a.example"` + rel + `>https://a.example</a> ` +
				`<a href="http://www.b.example"` + rel + `>www.b.example</a> ` +
				`<a href="mailto:me@c.example"` + rel + ">me@c.example</a> &lt;ab:y&gt;</p>\n"},
		{"pictures", "![a b](https://example.com/x.png) ![](y.png)",
			`<p><a href="https://example.com/x.png"` + rel + `>image: a b</a> ` +
				`<span title="y.png">image</span></p>` + "\n"},
		{"badge", "[![b](https://i.example/b.svg)](https://example.com)",
			`<p><a href="https://example.com"` + rel + `>` +
				`<span title="https://i.example/b.svg">image: b</span></a></p>` + "\n"},
		{"html", "a <b onclick=x>c</b>\n\n<script>\nalert(1)\n</script>\n\n<!-- x -->",
			"<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n<p class=\"text\">&lt;script&gt;\nalert(1)\n" +
				"&lt;/script&gt;</p>\n<p class=\"text\">&lt;!-- x --&gt;</p>\n"},
		{"escapes", `\*a\* &lt;b&gt; &copy; &#x202e; &#0; \\ &no; a\b`,
			"<p>*a* &lt;b&gt; © <span class=\"u\">U+202E</span> " +
				"<span class=\"u\">U+0000</span> \\ &amp;no; a\\b</p>\n"},
		{"hidden", "a\u202eb `\x1b`",
			"<p>a<span class=\"u\">U+202E</span>b <code><span class=\"u\">U+001B</span></code></p>\n"},
		{"line ends", "a\r\n\r\nb\rc", "<p>a</p>\n<p>b\nc</p>\n"},
		{"definition", "[a][b]\n\n[b]: https://example.com\n[c]: x.md \"t\"",
			`<p><a href="https://example.com"` + rel + ">a</a></p>\n<p>[c]: x.md &#34;t&#34;</p>\n"},
		{"footnote", "a[^n] b[^n]\n\n[^n]: c",
			`<p>a<sup id="x-ref1"><a href="#x-fn1" role="doc-noteref">1</a></sup> b<sup id="x-ref1.1"><a ` +
				`href="#x-fn1" role="doc-noteref">1</a></sup></p>` + "\n" +
				`<div class="footnotes" role="doc-endnotes">` + "\n" +
				`<ol><li id="x-fn1"><p>c <a href="#x-ref1" role="doc-backlink" aria-label="back to the text">↩</a> ` +
				`<a href="#x-ref1.1" role="doc-backlink" aria-label="back to the text">↩</a></p>` +
				"\n</li>\n</ol></div>\n"},
		{"footnote that nothing refers to", "a\n\n[^n]: c", "<p>a</p>\n<p>[^n]:</p>\n<p>c</p>\n"},
		{"none", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := strings.ReplaceAll(string(test.want), "&#34;t&#34;", `"t"`)
			if got := string(Markdown(test.in, "x")); got != want {
				t.Errorf("Markdown(%q)\n got %s\nwant %s", test.in, got, want)
			}
		})
	}
}

func TestMarkdownAnchor(t *testing.T) {
	const text = "a[^1]\n\n[^1]: b"
	if h := string(Markdown(text, "")); strings.Contains(h, "id=") || strings.Contains(h, "href=") {
		t.Errorf("without an anchor: got %s, want no ids and links", h)
	}
	if h := string(Markdown(text, `"><script>`)); strings.Contains(h, "<script") {
		t.Errorf("anchor not escaped: %s", h)
	}
}

// attacks are texts that cost a Markdown parser more than their size. Each is repeated or nested up to a size.
func attacks(size int) map[string]string {
	all := make(map[string]string)
	for _, unit := range []string{
		"[a](", "[a](<b", "![a](", "[", "![", "[]", "[a]", "[a][b]", "[^a]", "[^", "[a](b", "[a](b \"", "[*a](",
		"[a*](b)", "[[[[]]]]", "[a](;\n", "][]\n\t",
		"a**b", "*a_b*", "*a **b ", "_a ", "**a *a ", "*", "_", "x~", "~~a", "**a**b", "*a*_b_", "*||a@b.c*",
		"`", "`a``b```", "``\\", "<", "<a", "<a ", "<!--", "<!-- a", "<?", "<![CDATA[", "<!A", "</", "<a b=\"",
		"<b>*</b>", "&", "&a", "\\",
		"www.", "http://", "http://a.b ", "https://a.b/(", "a@", "a@b.c ", "((((", ")", "|", "a|", "\"", "'a",
		"- ", "* ", "1. ", "+ ", "> ", ">", ">a\n", "> - ", "#", "# a\n", "\n", "\t", " ", "a\n", "a  \n", "---\n",
		"===\n", "- a\n", "1. a\n", "* * a\n",
		"~~~\n", "```\n", "```a\n```\n", "<div>\n", "|a|b|\n", "    a\n", "[a]: b\n", "[a]: b \"c\n", "[a]:\n",
		"[^a]: b\n", "\n> ~_\n^", "\n> ][", "- [x] a\n", "x\n\n",
	} {
		all[unit] = strings.Repeat(unit, size/len(unit))
	}
	half := func(s string) string { return strings.Repeat(s, size/2/len(s)) }
	all["brackets"] = half("[") + half("]")
	all["run of tildes"] = "x" + strings.Repeat("~", size)
	all["quote and lazy lines"] = half(">") + "a\n" + half("a\n")
	all["deep list and blank lines"] = strings.Repeat("- ", size/100) + "a\n" + half("\n")
	all["list, then blank lines"] = strings.Repeat("- ", 60) + "a\n" + strings.Repeat("\n", size)
	all["wide table"] = strings.Repeat("a|", size/6) + "\n" + strings.Repeat("-|", size/6) + "\n" +
		strings.Repeat("|\n", size/6)
	all["table of short rows"] = strings.Repeat("a|", 200) + "\n" + strings.Repeat("-|", 200) + "\n" + half("a\n")
	all["table of many cells"] = strings.Repeat("a|", 200) + "\n" + strings.Repeat("-|", 200) + "\n" +
		strings.Repeat(strings.Repeat("b|", 200)+"\n", size/401)
	all["table of escaped bars"] = "a|b\n-|-\n" + half("`\\|` ")
	all["label of many lines"] = "[a\n" + strings.Repeat("a\n", size/2) + "]("
	all["one target, many links"] = "[a]: http://b.c/" + half("x") + "\n\n" + half("[a]")
	all["one note, many references"] = "[^a]: b\n\n" + strings.Repeat("[^a] ", size/5)
	return all
}

// TestMarkdownCost: the cost and size of the HTML for a hostile text are at most a small multiple of those for prose of
// the same size. Without the limits, the first cases would exceed them by factors of hundreds.
func TestMarkdownCost(t *testing.T) {
	const size = 96 << 10
	const most = 60
	const prose = "Some **words** about `code`, a [link](https://example.com) and _more_ of it.\n\n- one\n- two\n\n"
	// The least of three, because other programs run too.
	cost := func(text string, enough time.Duration) (best time.Duration, h template.HTML) {
		for range 3 {
			start := time.Now()
			h = Markdown(text, "x")
			if d := time.Since(start); best == 0 || d < best {
				best = d
			}
			if best < enough {
				break
			}
		}
		return best, h
	}
	base, _ := cost(strings.Repeat(prose, size/len(prose)), 0)
	for name, text := range attacks(size) {
		d, h := cost(text, most*base)
		if d > most*base { // only logged, because other programs change it
			t.Logf("%q: %v, %d times the cost of prose (cost %d)", name, d, d/base, parseCost(text))
		}
		if len(h) > 32*len(text) {
			t.Errorf("%q: got %d bytes from %d, want at most 32 times", name, len(h), len(text))
		}
		fragment(t, h)
	}
}

// TestAffordable: the cost of texts that people write is far below the limit.
func TestAffordable(t *testing.T) {
	table := "name|value\n-|-\n" + strings.Repeat("`some_name`|**bold** [x](y.go)\n", 1000)
	log := strings.Repeat("[INFO] 12:00:01 worker_3 took 41 ms > done\n", 3000)
	list := strings.Repeat("- a *b* `c` [d](e)\n  - f _g_\n    - h\n", 2000)
	code := "```go\n" + strings.Repeat(goSource, 500) + "```"
	for name, text := range map[string]string{"table": table, "log": log, "list": list, "code": code} {
		if w := parseCost(text); w > maxCost/2 {
			t.Errorf("%s: cost %d, want at most half of %d", name, w, maxCost)
		}
	}
}

// TestMarkdownTooCostly: a text that costs too much to parse is shown as plain text.
func TestMarkdownTooCostly(t *testing.T) {
	text := strings.Repeat("> ", 10_000) + "<b>"
	want := template.HTML(`<div class="text">` + strings.Repeat("&gt; ", 10_000) + "&lt;b&gt;</div>\n")
	if got := Markdown(text, "x"); got != want {
		t.Errorf("got %.80q, want the text unchanged", got)
	}
}

func TestExcerpt(t *testing.T) {
	for _, test := range []struct {
		in   string
		n    int
		want string
	}{
		{"# Fix *the* `test`\n\nIt is [flaky](https://example.com).", 80, "Fix the test It is flaky."},
		{"- a\n- b\n\n1. c", 80, "a b c"},
		{"a|b\n-|-\n1|2", 80, "a b 1 2"},
		{"```go\nx := 1\n\ty\n```", 80, "x := 1 y"},
		{"![alt](x.png) <b>x</b> &amp; \\*", 80, "alt <b>x</b> & *"},
		{"one two three", 9, "one two…"},
		{"one two three", 8, "one two…"},
		{"one two three", 13, "one two three"},
		{"one two three four", 17, "one two three…"}, {"one twothreefour", 9, "one twot…"},
		{"one two: three", 12, "one two…"},
		{"éééé", 3, "éé…"},
		{"a\x00b\u202ec", 9, "a\ufffdb\ufffdc"},
		{"", 9, ""}, {"abc", 0, ""}, {"abc", 1, "…"},
		{"[x](https://example.com/" + strings.Repeat("y", 500) + ") and more", 20, "x and more"},
		{strings.Repeat("> ", 9000) + "a", 5, "> >…"},
	} {
		if got := Excerpt(test.in, test.n); got != test.want {
			t.Errorf("Excerpt(%.40q, %d) = %q, want %q", test.in, test.n, got, test.want)
		}
	}
}

// TestExcerptPlain: the excerpt of a text that isPlain accepts is the same if the text is parsed.
func TestExcerptPlain(t *testing.T) {
	parts := strings.Split("a|Zed|é|日本|\u00a0|\x00|\xff| |  |\t|    |\n|\n\n|\f|.|,|:|-|--|---|=|#|+|1.|1)|!|(|)|>|]|{|}|"+
		"^|$|'|\"|/|@|"+
		"x@example.com|www.example.com|http://example.com/a-b(c)|https://e.com/?q=1.|ftp://x|[|*|_|`|~|<|&|\\", "|")
	random := rand.New(rand.NewPCG(1, 2))
	plain := 0
	for range 200_000 {
		var b strings.Builder
		b.WriteString("a")
		for range random.IntN(9) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		text := newlines(b.String())
		if !isPlain(text) {
			continue
		}
		plain++
		var added, parsed excerpt
		added.left, parsed.left = 9, 9
		added.add(text)
		parsed.parse(text)
		if got, want := added.String(8, true), parsed.String(8, true); got != want {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
	}
	if plain < 10_000 {
		t.Errorf("%d texts are plain, want at least 10,000", plain)
	}
}

// fragment fails the test if h is not a well-formed, harmless fragment.
func fragment(t *testing.T, h template.HTML) {
	t.Helper()
	visible(t, string(h))
	var open []string
	z := html.NewTokenizer(strings.NewReader(string(h)))
	for {
		switch z.Next() {
		case html.ErrorToken:
			if z.Err() != io.EOF || len(open) > 0 {
				t.Fatalf("%v, elements not closed: %v in %.300q", z.Err(), open, h)
			}
			return
		case html.TextToken:
		case html.StartTagToken:
			tok := z.Token()
			safe(t, tok, h)
			if tok.Data == "a" && slices.Contains(open, "a") {
				t.Fatalf("a link in a link in %.300q", h)
			}
			if tok.Data != "br" && tok.Data != "hr" {
				open = append(open, tok.Data)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if len(open) == 0 || open[len(open)-1] != string(name) {
				t.Fatalf("</%s> closes %v in %.300q", name, open, h)
			}
			open = open[:len(open)-1]
		default:
			t.Fatalf("unexpected %v in %.300q", z.Token(), h)
		}
	}
}

// oracle is another library's policy for HTML from users.
var oracle = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowStandardURLs()
	for element, attrs := range allowed {
		p.AllowNoAttrs().OnElements(element)
		p.AllowAttrs(attrs...).OnElements(element)
	}
	return p
}()

// plainText returns the text of any HTML as a browser parses it.
func plainText(t *testing.T, h string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(h))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	links := 0
	for n := range doc.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode && n.Data == "a" {
			links++
		}
	}
	b.WriteString(strings.Repeat("@", links))
	return b.String()
}

func FuzzMarkdown(f *testing.F) {
	seeds := slices.Clone(texts)
	for _, s := range attacks(60) {
		seeds = append(seeds, s)
	}
	seeds = append(seeds,
		"# h\n\n- [x] *a* **b** `c`\n\n> q\n\n| a | b |\n|--|:-:|\n| 1 | 2 |\n",
		"[a](javascript:x) <img src=x onerror=y> ![z](data:x)",
		"a[^1] b[^1]\n\n[^1]: c\n[^2]: d",
		"[![b](http://i)](http://l) [x[^1]](http://y)\n\n[^1]: [z][q]\n\n[q]: mailto:a@b", "```diff\n+a\n-b\n```",
		"```go\nvar a\n```\n\n```\"><b>.go\nvar a\n```", "<div>\n*a*\n</div>\n\n<style>x</style>",
		"<a href=\"javascript:x\">y</a> <iframe src=x>", "&lt;script&gt; &#60;script&#62; \\<script>",
	)
	seed(f, seeds)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 8<<10 {
			t.Skip()
		}
		h := Markdown(text, "x")
		fragment(t, h)
		if clean := oracle.Sanitize(string(h)); plainText(t, clean) != plainText(t, string(h)) {
			t.Fatalf("bluemonday removes an element or a link of\n%s\nand leaves\n%s", h, clean)
		}
		e := Excerpt(text, 40)
		if n := len([]rune(e)); n > 40 || strings.ContainsAny(e, "\n\r\t") {
			t.Fatalf("Excerpt(%q) = %q", text, e)
		}
		visible(t, e)
	})
}

func BenchmarkMarkdown(b *testing.B) {
	const words = "The clock is read **twice**, so `Settle` may see [two days](https://example.com/a).\n\n- first, " +
		"_before_ midnight\n- then after it\n\n| step | ms |\n|--|--:|\n| read | 3 |\n\n"
	for name, text := range map[string]string{
		"prose": strings.Repeat(words, 50),
		"code":  strings.Repeat(words+"```go\n"+goSource+"```\n\n", 10),
		"plain": strings.Repeat("Now the tests: they read the clock twice, so that is not it.\n\n", 50),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Markdown(text, "x")
			}
		})
	}
}

func BenchmarkExcerpt(b *testing.B) {
	text := strings.Repeat("The clock is read **twice**, so `Settle` may see [two days](https://example.com/a).\n\n",
		50)
	b.ReportAllocs()
	for b.Loop() {
		Excerpt(text, 80)
	}
}
