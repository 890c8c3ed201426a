package markup

import (
	"html"
	"regexp"
	"strings"
	"testing"
)

var tags = regexp.MustCompile(`<[^>]*>`)

func TestTyped(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"heading, list and words", "# Gaps\n\n1. **First** one\n2. `any` two\n\nwhat now?\nwell",
			`<h3 class="h1"><s># </s>Gaps</h3><ol><li><strong><s>` + "\n\n1. **</s>First</strong><s>**</s> one</li><li><code><s>\n2. `</s>any</code><s>`</s> two</li></ol><p><s>\n\n</s>what now?\nwell</p>"},
		{"quote with line ends", "> **Scope**: all\n> of it",
			`<blockquote><p><strong><s>&gt; **</s>Scope</strong><s>**</s>: all` + "\n<s>&gt; </s>of it</p></blockquote>"},
		{"one paragraph", "say **it** twice\nthen go", "say <strong><s>**</s>it</strong><s>**</s> twice\nthen go"},
		{"bold at the end of a line", "say **it**\nthen", "say <strong><s>**</s>it</strong><s>**</s>\nthen"},
		{"code", "run:\n\n```go\nreturn\n```\ndone", `<p>run:</p><s>` + "\n\n```go\n" +
			`</s><pre class="code" data-lang="go"><code><i>return</i></code></pre><p><s>` + "\n```\n</s>done</p>"},
		{"code in a list", "- a\n  ```\n  x\n  ```\n- b", "<ul><li><s>- </s>a<s>\n  ```\n  </s>" +
			`<pre class="code"><code>x</code></pre></li><li><s>` + "\n  ```\n- </s>b</li></ul>"},
		{"link", "see [the *docs*](https://a.b/c(d)) now", `see <a href="https://a.b/c(d)" rel="noopener noreferrer nofollow"><s>[</s>the <em><s>*</s>docs</em><s>*](https://a.b/c(d))</s></a> now`},
		{"link without scheme", "see [x](src/a.go) and `y`", "see [x](src/a.go) and <code><s>`</s>y</code><s>`</s>"},
		{"address", "see https://a.b/c, please", `see <a href="https://a.b/c" rel="noopener noreferrer nofollow">https://a.b/c</a>, please`},
		{"table", "| a | b |\n|---|--:|\n| 1 | 2 |\n\nend", `<div class="table"><table><tr><th><s>| </s>a</th><th class="r"><s> | </s>b</th></tr><tr><td><s>`},
		{"nested list", "- a\n  - b\n- c", "<ul><li><s>- </s>a<ul><li><s>\n  - </s>b</li></ul></li><li><s>\n- </s>c</li></ul>"},
		{"a start other than 1", "3. c\n4. d", `<ol start="3"><li><s>3. </s>c</li><li><s>` + "\n4. </s>d</li></ol>"},
		{"hostile", "**<script>alert(1)</script>** [x](javascript:alert(1))",
			"<strong><s>**</s>&lt;script&gt;alert(1)&lt;/script&gt;</strong><s>**</s> [x](javascript:alert(1))"},
		{"indented paste between words", "**look**\n\n    int a;\n      b;\n\nend", "<p><strong><s>**</s>look</strong></p><p><s>**\n\n</s>    int a;\n      b;\n</p><p><s>\n</s>end</p>"},
		// These stay as typed.
		{"tag", "#tag and #12 of it", ""},
		{"globs", "all *.go and *.ts, **/*.md or src/*", ""},
		{"names", "why __init__ and snake_case_name and _x", ""},
		{"products", "2*3*4 is 24", ""},
		{"number in the middle", "this costs\n1. a lot of it", ""},
		{"year", "1986. A great year", ""},
		{"indented", "    int a;\n    int b;", ""},
		{"underlined", "Title\n=====\nwords", ""},
		{"arguments", "f(*args, **kwargs) and (*p).x = *q", ""},
		{"nothing", "hello there", ""},
		{"picture", "![a](https://b.c/d.png)", ""},
	} {
		got, ok := Typed(c.text)
		if ok != (c.want != "") || !strings.HasPrefix(string(got), c.want) {
			t.Errorf("%s: %q: got\n%s\nwant\n%s", c.name, c.text, got, c.want)
		}
		if text := html.UnescapeString(tags.ReplaceAllString(string(got), "")); ok && text != c.text {
			t.Errorf("%s: the drawing has the text\n%q, want\n%q", c.name, text, c.text)
		}
	}
}

// FuzzTyped: the drawing has all of the typed text and nothing else, and hides only markers and targets.
func FuzzTyped(f *testing.F) {
	for _, s := range []string{"- **a**\n\n  b `c`\n> d", "|a|b|\n|-|-|\n|c\\|d|",
		"1. a\n   ```x y\n   b\n2) c\n---\n# d #",
		"[a**b](http://c.d) **e", "***a** b*", "> - 1. # a", "[[a](http://b.c)](http://d.e)", "``a ` b``\n*c\nd*",
		"-\n-\n1.\n2.", "~~~\n~~~\n```a\n", "a\t**b**\t\n\tc", "[a](<http://b.c> \"d\\\") e\")"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = newlines(s)
		got, ok := Typed(s)
		if !ok || strings.Contains(string(got), `class="u"`) {
			return
		}
		text := html.UnescapeString(tags.ReplaceAllString(string(got), ""))
		if text != html.UnescapeString(tags.ReplaceAllString(string(Text(s)), "")) {
			t.Errorf("%q is drawn as\n%s,\nwhich has the text\n%q", s, got, text)
		}
	})
}
