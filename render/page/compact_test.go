package page

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"viewer/templates"
)

// A browser reads the same elements from the compact source of each template. Actions are left out: they write whole
// values, attributes or elements.
func TestCompact(t *testing.T) {
	saved := 0
	err := fs.WalkDir(templates.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(templates.FS, path)
		if err != nil {
			return err
		}
		short := compact(string(text))
		saved += len(text) - len(short)
		if got, want := elements(t, short), elements(t, string(text)); got != want {
			t.Errorf("%s: the elements of the compact source are\n%s\nwant\n%s", path, got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if saved < 1500 {
		t.Errorf("%d bytes are saved, want 1,500", saved)
	}
}

func TestCompactKeeps(t *testing.T) {
	for _, c := range [][2]string{
		{"<ul class=\"kv\">\n{{range .}}<li><a href=\"#a\">b</a></li>\n{{end}}</ul>\n",
			"<ul class=kv>{{range .}}<li><a href=\"#a\">b</a>{{end}}</ul>\n"},
		{"<tr><th scope=\"row\">a</th><td class=\"b c\">d</td></tr>", "<tr><th scope=row>a<td class=\"b c\">d"},
		{`<b class="n" aria-hidden="true" id="n">`, `<b class=n aria-hidden=true id="n">`},
		{`<b class="n" id="n">`, `<b class=n id="n">`},
		{`<b class="n"{{if .}} id="n"{{end}}>`, `<b class="n"{{if .}} id="n"{{end}}>`},
		{`<b class="n{{with .}} {{.}}{{end}}">`, `<b class="n{{with .}} {{.}}{{end}}">`},
		{`<rect class="n"/>`, `<rect class="n"/>`},
		{`<b class="">`, `<b class="">`},
		{"<p>a</p>\n<b>b</b>\n<i>c</i>", "<p>a</p>\n<b>b</b>\n<i>c</i>"},
	} {
		if got := compact(c[0]); got != c[1] {
			t.Errorf("%q becomes %q, want %q", c[0], got, c[1])
		}
	}
}

var action = regexp.MustCompile(`{{.*?}}`)

// elements returns the elements and texts that a browser reads from a template.
func elements(t *testing.T, source string) string {
	t.Helper()
	source = action.ReplaceAllString(source, "")
	within := &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
	if strings.HasPrefix(source, "<tr") {
		within = &html.Node{Type: html.ElementNode, DataAtom: atom.Tbody, Data: "tbody"}
	}
	noScript := html.ParseOptionEnableScripting(false)
	nodes, err := html.ParseFragmentWithOptions(strings.NewReader(source), within, noScript)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var write func(n *html.Node)
	write = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(strings.TrimSpace(n.Data))
			return
		}
		b.WriteString("\n<" + n.Data)
		for _, a := range n.Attr {
			b.WriteString(" " + a.Key + "=" + a.Val)
		}
		b.WriteString(">")
		for c := range n.ChildNodes() {
			write(c)
		}
		b.WriteString("\n</" + n.Data + ">")
	}
	for _, n := range nodes {
		write(n)
	}
	return b.String()
}
