package markup

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
)

func TestForge(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"prose stays", "One *two* `three`.\n\n- a\n- b", "One *two* `three`.\n\n- a\n- b"},
		{"nothing", " \n\t\n", ""},
		{"tags are shown", "a <b>bold</b> List<String> 1 < 2", "a &lt;b>bold&lt;/b> List&lt;String> 1 &lt; 2"},
		{"a block of HTML", "<details>\n<summary>x</summary>\n\ny", "&lt;details>\n&lt;summary>x&lt;/summary>\n\ny"},
		{"a comment that does not end", "<!-- a\n\nb", "&lt;!-- a\n\nb"},
		{"tags in code stay", "`<b>` and\n\n```html\n<b>\n```", "`<b>` and\n\n```html\n<b>\n```"},
		{"pictures are links", "![alt](https://example.org/a.png) \\![b](c) `![c](d)`",
			"\\![alt](https://example.org/a.png) \\![b](c) `![c](d)`"},
		{"headings go below ours", "# A\n\n## B ##\n\n### C\n\n> # D", "### A\n\n#### B ##\n\n### C\n\n> ### D"},
		{"names are not called", "ask @mara, @acme/team or me@example.org; (@noor)",
			"ask `@mara`, `@acme/team` or me@example.org; (`@noor`)"},
		{"nor when disguised", "\\@mara &#64;noor", "\\@\u2060mara &amp;#\u206064;noor"},
		{"a fence that does not end", "a\n```go\nb", "a\n```go\nb\n```"},
		{"the fence that does not end is the last", "```\n~~~\n```\n~~~~ x\n```", "```\n~~~\n```\n~~~~ x\n```\n~~~~"},
		{"what looks like a fence in a fence", "~~~\n```\na", "~~~\n```\na\n~~~"},
		{"a quoted fence ends with its quote", "> ```\n> a", "> ```\n> a"},
		{"links that run", "[a](javascript:alert(1)) [b]( data:x) [c](C:/x)", "[a](\u2060javascript:alert(1)) [b]( \u2060data:x) [c](\u2060C:/x)"},
		{"links into the repository", "[a](src/a.go#L3) [b](https://example.org) <mailto:a@example.org>",
			"[a](src/a.go#L3) [b](https://example.org) [mailto:a@example.org](mailto:a@example.org)"},
		{"targets that others take for tags", "[a]: x<img src=y>\n\n[t](<</details>) [t](<!--<script>) [t](<a b>)",
			"[a]: x&lt;img src=y>\n\n[t](&lt;&lt;/details>) [t](&lt;!--&lt;script>) [t](&lt;a b>)"},
		{"addresses in brackets", "<https://example.org/a#1> <https://example.org/a_b*c*> <a@example.org>",
			"[https://example.org/a#\u20601](https://example.org/a#1) &lt;https://example.org/a_b*c*> &lt;a@example.org>"},
		{"schemes by number", "[a](javascript&#x3A;alert) ok", "[a](\u2060javascript&#x3A;alert) ok"},
		{"schemes with a backslash", "[a](javascript\\:alert)", "[a](\u2060javascript\\:alert)"},
		{"unused schemes of links", "[a]: vbscript:x", "[a]: \u2060vbscript:x"},
		{"schemes in pieces", "[a](java&Tab;script:x)", "[a](\u2060java&Tab;script:x)"},
		{"other schemes that forges link", "ftp://example.org [a](ftp://example.org) XMPP:a@b.c `ftp://x` sftp:x",
			"ftp\u2060://example.org [a](\u2060ftp\u2060://example.org) XMPP\u2060:a@b.c `ftp://x` sftp\u2060:x"},
		{"issues are not referenced", "fixes #12, a/b#3, !4, gh-5 &#35;6 \\#7 `#8` [#9](x#10) &#8217; &num;1 https://example.org/#11",
			"fixes #\u206012, a/b#\u20603, !\u20604, gh-\u20605 &amp;#\u206035;6 \\#\u20607 `#8` [#\u20609](x#10) &#8217; &amp;num;1 https://example.org/#11"},
		{"quick actions are words", "/close\n/merge now\n  /a\n\n- /b\n\nsee /c", "\\/close\n\\/merge now\n  \\/a\n\n- /b\n\nsee /c"},
		{"hidden characters are replaced", "a\u202eb\x1b[1m", "a\ufffdb\ufffd[1m"},
		{"code without a fence that begins", "    a <b>\n\nc", "```markdown\n    a <b>\n\nc\n```"},
		{"code without a fence in a list", "- a\n\n      <b>", "```markdown\n- a\n\n      <b>\n```"},
		{"code without a fence", "a\n\n    <b>", "a\n\n    <b>"},
		{"code after an address", "www.a.b`<b>` http://c `<d>`", "```markdown\nwww.a.b`<b>` http://c `<d>`\n```"},
		{"code after a bracket", "[a `<b>`", "\\[a `<b>`"},
		{"a fence that may be the head of a table", "~~~a|\n|-|\n<b>\n~~~", "~~~a&#124;\n|-|\n<b>\n~~~"},
		{"depth costs no time", strings.Repeat("> ", 5000) + "a", "```markdown\n" + strings.Repeat("> ", 5000) +
			"a\n```"},
	} {
		if got := Forge(c.in); got != c.want {
			t.Errorf("%s:\n got %.300q\nwant %.300q", c.name, got, c.want)
		}
	}
}

func TestForgeParts(t *testing.T) {
	for _, c := range []struct{ how, got, want string }{
		{"line", ForgeLine("# a *b*\n<c> @mara 1. [x](y) |$5|"), `\# a \*b\* &lt;c&gt; @` + joiner +
			`mara 1. \[x\](y) \|\$5\|`},
		{"line", ForgeLine("12. item"), `12\. item`},
		{"line", ForgeLine("/close #12 ftp://x @a"), `\/close #` + joiner + `12 ftp` + joiner + `://x @` + joiner + `a`},
		{"html", ForgeHTML("a/b#12 ftp://x GH-3"), "a/b#" + joiner + "12 ftp" + joiner + "://x GH-" + joiner + "3"},
		{"code", ForgeCode("a | `b`"), "`` a | `b` ``"},
		{"code in a table", ForgeCell("a | `b`"), "`` a \\| `b` ``"},
		{"code", ForgeCode(""), ""},
		{"html", ForgeHTML("a <b> @mara \"x\"\n&"), "a &lt;b&gt; @" + joiner + "mara &#34;x&#34; &amp;"},
		{"fence", Fence("a\n````\nb\n", "go\n`x"), "`````gox\na\n````\nb\n`````"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.how, c.got, c.want)
		}
	}
}

// FuzzForge: the text after the fenced one stays intact, and nothing inside of the fence is HTML or a picture.
func FuzzForge(f *testing.F) {
	for _, s := range []string{"<a\n```\n", "- ```\n  a\n", "[^1]: a\n\n[^1]", "a\n===\n<!--", "@a`@b`\\@c&#64;d",
		"![<b>](c)", "1. > - ~~~\n", "<script>\n\n</script>", "|a|\n|-|\n|`\\|`|<b>|"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		src := []byte("before\n\n" + Forge(in) + "\n\n# the end\n")
		doc := markdownGrammar.parse(src)
		last := false
		for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
			if h, ok := n.(*ast.Heading); ok && h.Level == 1 && string(h.Lines().Value(src)) == "the end" {
				last = true
			}
		}
		if !last {
			t.Fatalf("the heading after the text is missing:\n%s", src)
		}
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			switch n.(type) {
			case *ast.RawHTML, *ast.HTMLBlock, *ast.Image:
				t.Fatalf("unexpected %s in\n%s", n.Kind(), src)
			}
			return ast.WalkContinue, nil
		})
	})
}
