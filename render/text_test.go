package render

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"viewer/internal/golden"
	"viewer/normalize"
	"viewer/transcript"
)

func TestPageText(t *testing.T) {
	for _, c := range []struct{ name, main, want string }{
		{"inline elements do not end a word", `<p>un<b>believ</b><code>able</code></p>`, "unbelievable"},
		{"blocks do", `<p>one</p><p>two</p>three<br>four`, "one\ntwo\nthree\nfour"},
		{"blanks are one", "<pre><code>  a\t b\n\n c </code></pre>", "a b c"},
		{"a block inside of blanks is a line", "a \n <p> \n b</p>", "a\nb"},
		{"characters", `a &lt;b&gt; &amp;amp; &#34;ü&#34;`, `a <b> &amp; "ü"`},
		{"all that is escaped", `&amp;&lt;&gt;&#34;&#39;&#43;&amp;lt;`, `&<>"'+&lt;`},
		{"other characters", `a&nbsp;b &eacute;&#x41;&#66; &amp &lt &; & &unknown; &lt;`, "a\u00a0b éAB & < &; & &unknown; <"},
		{"blanks that are escaped", `a&#10;b&#32;&#9;c`, "a b c"},
		{"a tag in an attribute", `<a title="1 > 0 <b>">x</a>y`, "xy"},
		{"what is left out", `a<svg role="img"><title>t</title><use href="#i"/></svg><pre class="gut" aria-hidden="true">1` + "\n" + `2</pre><p class="sent no">s</p><time datetime="2026-01-01">t</time><span class="x vh">v</span> b`, "a\nb"},
		{"left out with elements of its name inside", `<div class="pager"><div>1</div><div><div>2</div></div></div>rest`, "rest"},
		{"a longer name is another element", `<p class="sent">a<pre>b</pre></p>c`, "c"},
		{"a section inside", `a<section class="x"><h2>b</h2></section>c`, "a\nb\nc"},
		{"a section inside that is left out", `a<section class="sent"><section>b</section></section>c`, "a\nc"},
		{"an element that does not end", `a<svg><p>b`, "a"},
	} {
		page := `<title>no</title><main id="main" tabindex="-1"><p>no</p><section class="turn at-chat">` + c.main + `</section><p>no</p><section class="turn"></section></main>`
		if got := string(appendPageText(nil, []byte(page))); got != c.want {
			t.Errorf("%s: text of %s is %q, want %q", c.name, c.main, got, c.want)
		}
	}
}

// TestPageTextOfDrawings takes the text of all that the cases draw out of the tree that another parser
// makes of it.
func TestPageTextOfDrawings(t *testing.T) {
	for _, path := range golden.Glob(t, "testdata/*/*.txtar") {
		page := `<section class="turn">` + golden.Open(t, path).Section(t, "want.html") + "</section>"
		root, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		var want strings.Builder
		treeText(root, &want)
		got := string(appendPageText(nil, []byte(page)))
		if diff := cmp.Diff(lines(want.String()), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s: text by the tree, text by appendPageText (-want +got):\n%s", path, diff)
		}
	}
}

func treeText(n *html.Node, b *strings.Builder) {
	isBlock := n.Type == html.ElementNode && !isInline([]byte(n.Data))
	if isBlock {
		b.WriteByte('\x00')
	}
	skip := isSkippedElement([]byte(n.Data)) && n.Type == html.ElementNode
	for _, a := range n.Attr {
		skip = skip || a.Key == "class" && slices.ContainsFunc(strings.Fields(a.Val), func(c string) bool { return isSkippedClass([]byte(c)) })
	}
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
	}
	for child := n.FirstChild; child != nil && !skip; child = child.NextSibling {
		treeText(child, b)
	}
	if isBlock {
		b.WriteByte('\x00')
	}
}

func lines(text string) []string {
	var all []string
	for block := range strings.SplitSeq(text, "\x00") {
		if words := regexp.MustCompile(`[^ \t\n\r\f]+`).FindAllString(block, -1); words != nil {
			all = append(all, strings.Join(words, " "))
		}
	}
	if all == nil {
		all = []string{""}
	}
	return all
}

func TestTextFiles(t *testing.T) {
	s := new(script)
	for range 4 {
		s.prompt(1000)
		for range 4 {
			s.text(60 << 10)
		}
	}
	d := drawn(s.lines)
	var pages, texts []string
	files := map[string]string{}
	for _, p := range d.Pages {
		files[p.Name] = string(p.HTML)
		if strings.HasSuffix(p.Name, ".html") {
			pages = append(pages, p.Name)
		} else {
			texts = append(texts, p.Name)
		}
	}
	if want := []string{"index.html", "2.html", "3.html", "4.html"}; !slices.Equal(pages, want) {
		t.Fatalf("pages are %q, want %q", pages, want)
	}
	if want := []string{"index.text.js", "2.text.js", "3.text.js", "4.text.js", "text.js"}; !slices.Equal(texts, want) {
		t.Fatalf("files of text are %q, want %q", texts, want)
	}
	if name, list := called(t, files["text.js"]); name != "" || list != strings.Join(pages, "\n") {
		t.Errorf("text.js lists %q for page %q, want the pages %q for none", list, name, pages)
	}
	for _, p := range pages {
		name, data := called(t, files[strings.TrimSuffix(p, ".html")+".text.js"])
		if name != p {
			t.Errorf("the text of %s says that it is of %s", p, name)
		}
		if got, want := unpacked(t, data), string(appendPageText(nil, []byte(files[p]))); got != want || !strings.Contains(got, "tttt") {
			t.Errorf("%s: the packed text of %d bytes is not that of the page, %d bytes", p, len(got), len(want))
		}
		if !strings.Contains(files[p], "data-paged") {
			t.Errorf("%s does not say that there are files of text", p)
		}
	}
}

// An append writes the text of the page that it changes, and nothing of earlier ones.
func TestTextFilesAfterAppend(t *testing.T) {
	s := new(script)
	for range 4 {
		s.prompt(1000)
		for range 4 {
			s.text(60 << 10)
		}
	}
	before := drawn(s.lines)
	s.text(100)
	after := drawn(s.lines)
	var changed []string
	for i, p := range after.Pages {
		if before.Pages[i].Name != p.Name {
			t.Fatalf("file %d was %s and is %s", i, before.Pages[i].Name, p.Name)
		}
		if strings.HasSuffix(p.Name, ".js") && !bytes.Equal(before.Pages[i].HTML, p.HTML) {
			changed = append(changed, p.Name)
		}
	}
	if want := []string{"4.text.js"}; !slices.Equal(changed, want) {
		t.Errorf("an append changes %q, want %q", changed, want)
	}
}

func TestNoTextFilesForOnePage(t *testing.T) {
	s := new(script)
	s.prompt(10)
	for _, p := range drawn(s.lines).Pages {
		if p.Name != "index.html" || bytes.Contains(p.HTML, []byte("data-paged")) {
			t.Errorf("a session of one page has %s, paged: %v", p.Name, bytes.Contains(p.HTML, []byte("data-paged")))
		}
	}
}

func TestScriptString(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"index.html\n2.html", `"index.html\n2.html"`},
		{`"\`, `"\"\\"`},
		{"a\u2028b\u2029", `"a\u2028b\u2029"`},
		{"\xff", `"` + "�" + `"`},
	} {
		if got := string(scriptString(c.in)); got != c.want {
			t.Errorf("scriptString(%q) = %s, want %s", c.in, got, c.want)
		}
	}
}

func drawn(records []string) Drawing {
	f := transcript.Read("s.jsonl", []byte(strings.Join(records, "\n")+"\n"))
	return DrawSession(Session{Conversation: normalize.Build(normalize.Input{ID: "s", Main: &f}), Main: &f, Folder: "s"})
}

// called reads the arguments of a file of text.
func called(t *testing.T, file string) (page, text string) {
	t.Helper()
	arguments, ok := strings.CutPrefix(file, "viewerText(")
	arguments, ok2 := strings.CutSuffix(arguments, ")\n")
	var both []string
	if err := json.Unmarshal([]byte("["+arguments+"]"), &both); err != nil || !ok || !ok2 || len(both) != 2 {
		t.Fatalf("%.80q is no call of viewerText with two strings: %v", file, err)
	}
	return both[0], both[1]
}

func unpacked(t *testing.T, data string) string {
	t.Helper()
	r, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
	if err != nil {
		t.Fatal(fmt.Errorf("unpacking text: %w", err))
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(fmt.Errorf("unpacking text: %w", err))
	}
	return string(text)
}

func BenchmarkPageText(b *testing.B) {
	s := new(script)
	for i := range 40 {
		s.prompt(100)
		s.call(fmt.Sprint("c", i), 300)
		s.result(fmt.Sprint("c", i), 4000)
		s.text(1000)
	}
	page := drawn(s.lines).Pages[0]
	b.SetBytes(int64(len(page.HTML)))
	b.ReportAllocs()
	for b.Loop() {
		textFile(page)
	}
}
