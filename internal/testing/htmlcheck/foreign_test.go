package htmlcheck

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestForeignMarkup(t *testing.T) {
	const good = `<!DOCTYPE html><html lang="en"><head><title>é</title></head><body class="x"><main id="a.b-c"><a href="../a/b.html#x" rel="noopener noreferrer nofollow">x</a>👨` +
		"\u200d" + `👩<code><u>x</u></code></main></body></html>`
	if got := ForeignMarkupInPage("good", []byte(good)); got != nil {
		t.Errorf("got %q, want nothing", got)
	}
	for _, c := range []struct{ html, want string }{
		{`<blink>x</blink>`, "<blink>, an element"},
		{`<code><u>x</u></code><u>x</u>`, "<u>, an element"},
		{`<code><u class="x">x</u></code>`, `<u class="x">, an attribute`},
		{`<iframe src="x"></iframe>`, "<iframe>, an element"},
		{`<svg><script>x</script></svg>`, "<svg:script>, an element"},
		{`<math><mi>x</mi></math>`, "<math:math>, an element"},
		{`<p onclick="x">`, `<p onclick="x">, an attribute`},
		{`<p style="x">`, `<p style="x">, an attribute`},
		{`<p id="a b">`, `<p id="a b">, a value`},
		{`<a href="javascript:x">`, `<a href="javascript:x">, a value`},
		{`<a href=" javascript:x">`, `a value`},
		{`<a href="//x/">`, `a value`},
		{`<a href="data:text/html,x">`, `a value`},
		{`<img src="https://x/">`, `a value`},
		{`<!-- x -->`, "a comment"},
		{"<p>a\u202eb</p>", "contains U+202E"},
		{"<span title=\"a\u200bb\"></span>", "contains U+200B"},
		{"<p>a\u200db</p>", "contains U+200D"},
	} {
		page := []byte("<!DOCTYPE html><html><body>" + c.html + "</body></html>")
		got := strings.Join(ForeignMarkupInPage("bad", page), "\n")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s\ngot  %q\nwant %q", c.html, got, c.want)
		}
	}
	if got := ForeignMarkupInSingle("single",
		[]byte(`<style>a</style><script>b</script><script>c</script><img src="data:image/png;base64,AA=="><img src="data:image/svg+xml;base64,AA==">`)); len(got) != 2 {
		t.Errorf("got %q, want the second script and the second picture", got)
	}
	findings, err := ForeignMarkup(fstest.MapFS{
		"a.html": {Data: []byte("<b onclick=x>")}, ".viewer/b.html": {Data: []byte("<blink>")},
	})
	if err != nil || len(findings) != 1 {
		t.Errorf("got %q, error %v, want one finding in a.html", findings, err)
	}
	swept, err := Sweep(fstest.MapFS{"a.html": {Data: []byte("<b onclick=x>")}}, Options{ForeignMarkup: true})
	if err != nil || !slices.Contains(swept, findings[0]) {
		t.Errorf("a sweep finds %q, error %v, want these to include %q", swept, err, findings)
	}
	if _, err := ForeignMarkup(fstest.MapFS{}); err == nil {
		t.Error("a site without pages passes, want an error")
	}
}
