package markup

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

func TestForge(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"prose stays", "One *two* `three`.\n\n- a\n- b", "One *two* `three`.\n\n- a\n- b"},
		{"nothing", " \n\t\n", ""},
		{"tags are shown", "a <b>bold</b> List<String> 1 < 2", "a &lt;b>bold&lt;/b> List&lt;String> 1 < 2"},
		{"a block of HTML", "<details>\n<summary>x</summary>\n\ny", "&lt;details>\n&lt;summary>x&lt;/summary>\n\ny"},
		{"a comment that does not end", "<!-- a\n\nb", "&lt;!-- a\n\nb"},
		{"tags in code stay", "`<b>` and\n\n```html\n<b>\n```", "`<b>` and\n\n```html\n<b>\n```"},
		{"pictures are links", "![alt](https://example.org/a.png) \\![b](c) `![c](d)`",
			"\\![alt](https://example.org/a.png) \\![b](c) `![c](d)`"},
		{"headings go below ours", "# A\n\n## B ##\n\n### C\n\n> # D", "### A\n\n#### B ##\n\n### C\n\n> ### D"},
		{"names are not called", "ask @mara, @acme/team or me@example.org; (@noor)",
			"ask `@mara`, `@acme/team` or me@example.org; (`@noor`)"},
		{"nor when disguised", "\\@mara &#64;noor", "\\@\u2060mara &amp;#64;noor"},
		{"a fence that does not end", "a\n```go\nb", "a\n```go\nb\n```"},
		{"the fence that does not end is the last", "```\n~~~\n```\n~~~~ x\n```", "```\n~~~\n```\n~~~~ x\n```\n~~~~"},
		{"what looks like a fence in a fence", "~~~\n```\na", "~~~\n```\na\n~~~"},
		{"a quoted fence ends with its quote", "> ```\n> a", "> ```\n> a"},
		{"links that run", "[a](javascript:alert(1))", "```markdown\n[a](javascript:alert(1))\n```"},
		{"links into the repository", "[a](src/a.go#L3) [b](https://example.org) <mailto:a@example.org>",
			"[a](src/a.go#L3) [b](https://example.org) <mailto:a@example.org>"},
		{"what hides is told", "a\u202eb\x1b[1m", "a\ufffdb\ufffd[1m"},
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

// FuzzForge: what stands behind is what we wrote, and nothing inside is HTML
// or a picture.
func FuzzForge(f *testing.F) {
	for _, s := range []string{"<a\n```\n", "- ```\n  a\n", "[^1]: a\n\n[^1]", "a\n===\n<!--", "@a`@b`\\@c&#64;d",
		"![<b>](c)", "1. > - ~~~\n", "<script>\n\n</script>", "|a|\n|-|\n|`\\|`|<b>|"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		src := []byte("before\n\n" + Forge(in) + "\n\n# the end\n")
		doc := grammar.Parse(text.NewReader(src))
		last := false
		for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
			if h, ok := n.(*ast.Heading); ok && h.Level == 1 && string(h.Lines().Value(src)) == "the end" {
				last = true
			}
		}
		if !last {
			t.Fatalf("the heading behind is swallowed:\n%s", src)
		}
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			switch n.(type) {
			case *ast.RawHTML, *ast.HTMLBlock, *ast.Image:
				t.Fatalf("%s in\n%s", n.Kind(), src)
			}
			return ast.WalkContinue, nil
		})
	})
}
