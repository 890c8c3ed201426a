package prose

import "testing"

func TestTyped(t *testing.T) {
	for text, want := range map[string]string{
		"no **fence** <b>":          "no **fence** &lt;b&gt;",
		"a\n```\nb\n```\nc":         "a\n" + `<span class="fence">` + "```\n</span>" + `<code class="code">b` + "\n</code>" + `<span class="fence">` + "```\n</span>c",
		"```go x\nreturn\n```":      `<span class="fence">` + "```go x\n</span>" + `<code class="code"><i>return</i>` + "\n</code>" + `<span class="fence">` + "```</span>",
		"  ~~~~\n```\n~~~\n~~~~~":   `<span class="fence">` + "  ~~~~\n</span>" + `<code class="code">` + "```\n~~~\n</code>" + `<span class="fence">` + "~~~~~</span>",
		"```\nnot closed\n``":       "```\nnot closed\n``",
		"```in one``` line\n```\nx": "```in one``` line\n```\nx",
		"```\n```\n":                `<span class="fence">` + "```\n</span>" + `<span class="fence">` + "```\n</span>",
		"\n```markdown\n# A *b*\n```go\nx\n```\n<i>\n```\n": `<span class="fence">` +
			"\n```markdown\n</span># A *b*\n" + `<span class="fence">` + "```go\n</span>" +
			`<code class="code">x` + "\n</code>" + `<span class="fence">` + "```\n</span>&lt;i&gt;\n" +
			`<span class="fence">` + "```\n</span>",
		"```md\na\n```\nb\n```\nc\n```": `<span class="fence">` + "```md\n</span>" + `<code class="code wrap">a` +
			"\n</code>" + `<span class="fence">` + "```\n</span>b\n" +
			`<span class="fence">` + "```\n</span>" + `<code class="code">c` + "\n</code>" + `<span class="fence">` +
			"```</span>",
		"```text\n```":                `<span class="fence">` + "```text\n</span>" + `<span class="fence">` + "```</span>",
		"a\n\n```\n</code><i>\n```\n": "a\n\n" + `<span class="fence">` + "```\n</span>" + `<code class="code">&lt;/code&gt;&lt;i&gt;` + "\n</code>" + `<span class="fence">` + "```\n</span>",
	} {
		if got := string(NewTyped(text).HTML(0, len(text))); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestTypedInParts: if a block of code is folded in the middle, both parts stay code.
func TestTypedInParts(t *testing.T) {
	v := NewTyped("```\none\ntwo\n```\nend")
	want := `<span class="fence">` + "```\n</span>" + `<code class="code">one` + "\n</code>"
	if got := string(v.HTML(0, 8)); got != want {
		t.Errorf("got first lines\n%s\nwant\n%s", got, want)
	}
	if got, want := string(v.HTML(8, len(v.text))), `<code class="code">two`+"\n</code>"+`<span class="fence">`+
		"```\n</span>end"; got != want {
		t.Errorf("got the rest\n%s\nwant\n%s", got, want)
	}
}
