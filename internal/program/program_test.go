package program

import (
	"fmt"
	"html/template"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

type view struct {
	base
	Text, Empty string
	Look        look
	HTML        template.HTML
	URL         template.URL
	Yes, No     bool
	N           int
	List        []item
	None        []item
	Item        item
	Pointer     *item
	Nil         *item
	Words       []string
	Any         any
	Said        said
	Float       float64
}

type base struct{ Embedded string }
type look string
type item struct {
	Name string
	Href string
	Sub  []item
}
type said int

func (said) String() string { return "said" }

func (v view) Method() string         { return v.Text }
func (v view) Items() []item          { return v.List }
func (v *view) Pointed() string       { return "p" }
func (v view) Fails() (string, error) { return "f", nil }
func (i item) Kids() item             { return item{Name: i.Name + "'s"} }

// known are templates that are compiled. Their output must equal that of html/template.
var known = []string{
	`text`, `<b>{{.Text}}</b>`, `{{.HTML}}<i>{{.Look}}</i>`, `<p class="{{.Look}} {{.Text}}"></p>`,
	`{{if .Yes}}yes{{else}}no{{end}}{{if .No}}yes{{else}}no{{end}}`,
	`{{if .Text}}t{{end}}{{if .Empty}}e{{end}}{{if .N}}n{{end}}{{if .List}}l{{end}}{{if .None}}x{{end}}{{if .Nil}}nil{{end}}{{if .Pointer}}p{{end}}{{if .Item}}i{{end}}`,
	`{{with .Text}}<b>{{.}}</b>{{else}}none{{end}}{{with .Empty}}{{.}}{{else}}none{{end}}`,
	`{{with .Pointer}}{{.Name}} {{$.Text}}{{range .Sub}}{{.Name}}{{$.N}}{{end}}{{end}}{{with .Nil}}{{.Name}}{{end}}`,
	`{{range .List}}<a href="{{.Href}}">{{.Name}}</a>{{else}}none{{end}}{{range .None}}x{{else}}none{{end}}`,
	`{{range $i, $x := .List}}{{if $i}}, {{end}}{{$x.Name}}{{.Name}}{{range $j, $y := .Sub}}{{$i}}{{$j}}{{$y.Name}}{{$x.Name}}{{end}}{{end}}`,
	`{{range $w := .Words}}{{$w}}{{end}}`,
	`{{if eq .Look "err"}}err{{else if eq .Look "warn"}}warn{{end}}{{if eq .N 7}}seven{{end}}{{if eq $.N 8}}eight{{end}}`,
	`{{if not .No}}a{{end}}{{if or .Empty .Nil .Text}}b{{end}}{{if and .Text .No}}c{{end}}{{if and .Text (or .No .Yes)}}d{{end}}{{if not (eq .N 7)}}e{{end}}`,
	`<a href="#{{.Text}}" title="{{.Text}}">{{.Embedded}}</a><a href="/x/{{.Text}}?q={{.Text}}">{{.N}}</a>`,
	`<title>{{.Text}} {{.N}}</title><ol start="{{.N}}"></ol>{{.Yes}}`,
	`{{template "item" .Item}}{{range .List}}{{template "item" .}}{{end}}`,
	`{{- /* a remark */ -}} <!-- gone --> {{template "leaf"  .Pointer}}`,
	`{{with .Item}}{{template "leaf" .}}{{end}}`,
	`{{.Method}}{{with .Method}}{{.}}{{end}}{{range .Items}}{{.Name}}{{end}}{{.Item.Kids.Name}}`,
}

// unknown are templates that are executed by html/template.
var unknown = []string{
	`{{.Said}}`, `{{.Pointed}}`, `{{.Fails}}`, `{{.Any}}`, `<a href="{{.URL}}">x</a>`, `{{printf "%q" .Text}}`,
	`{{len .List}}`, `{{index .Words 0}}`, `{{.Float}}`,
	`<b title="{{.HTML}}"></b>`, `<p class={{.Text}}>`, `<script>var x = {{.Text}}</script>`,
	`<p style="color: {{.Text}}">`, `{{with $x := .Text}}{{$x}}{{end}}`,
	`{{range .List}}{{break}}{{end}}`, `{{if lt .N 3}}x{{end}}`, `{{template "item"}}`,
	`<b title="{{template "leaf" .Item}}"></b>`, `<title>{{range .List}}{{template "leaf" .}}{{end}}</title>`,
	`<script>var x = {{template "leaf" .Item}}</script>`, `<!-- {{template "leaf" .Item}} -->`,
}

const (
	itemText = `<li>{{.Name}}{{with .Sub}}<ul>{{range .}}{{template "item" .}}{{end}}</ul>{{end}}</li>`
	leafText = `{{printf "%s" .Name}}`
	others   = `{{define "item"}}` + itemText + `{{end}}{{define "leaf"}}` + leafText + `{{end}}`
)

// newSet returns a set of the template t, and of those that it may call.
func newSet(text string) *Set {
	all := map[string]string{"t": text, "item": itemText, "leaf": leafText}
	return New(func(name string) (string, bool) { text, ok := all[name]; return text, ok })
}

func hostile(rng *rand.Rand) string {
	parts := []string{
		"<script>", "a", "é", "提灯", "\"", "'", "&", "&amp;", "+", "\x00", "\xff", "javascript:alert(1)",
		"https://example.org/?a=b&c=d#e", "%41", " ", "\n", "/", "--", "#", "`", "=", ":", "..", "~", "err", "warn",
	}
	var b strings.Builder
	for range rng.IntN(6) {
		b.WriteString(parts[rng.IntN(len(parts))])
	}
	return b.String()
}

func newView(rng *rand.Rand) view {
	one := func() item { return item{Name: hostile(rng), Href: hostile(rng)} }
	v := view{
		base: base{hostile(rng)}, Text: hostile(rng), Look: look(hostile(rng)),
		HTML: template.HTML("<u>" + template.HTMLEscapeString(hostile(rng)) + "</u>"), URL: "x:y",
		Yes: true, N: rng.IntN(9), Item: one(), Words: []string{hostile(rng), hostile(rng)},
		Any: hostile(rng), Float: 1.5,
	}
	for range rng.IntN(4) {
		x := one()
		x.Sub = []item{one(), one()}
		v.List = append(v.List, x)
	}
	v.Pointer = &item{Name: hostile(rng), Sub: v.List}
	return v
}

// TestMain fails if a program panicked: html/template would take over, which is slow, and nobody would notice.
func TestMain(m *testing.M) {
	code := m.Run()
	if n := Recovered(); n > 0 && code == 0 {
		fmt.Printf("FAIL: %d programs panicked\n", n)
		code = 1
	}
	os.Exit(code)
}

// TestPanics: if an operation panics, the page is still complete, and the panic is counted. Text before it is on the
// page once.
func TestPanics(t *testing.T) {
	defer recovered.Store(recovered.Load())
	set := newSet(`<a href="{{.Href}}">{{.Name}}</a>`)
	set.compiler.escapers = escapersOf()
	for chain := range set.compiler.escapers {
		set.compiler.escapers[chain] = func([]byte, string) []byte { panic("no") }
	}
	got, err := set.Append([]byte("before "), "t", item{Name: "<a>", Href: "b"})
	if want := `before <a href="b">&lt;a&gt;</a>`; err != nil || string(got) != want || Recovered() != 1 {
		t.Errorf("got %q, error %v, %d panics counted, want %q and 1", got, err, Recovered(), want)
	}
	if _, err := set.Execute("t", (*item)(nil)); err == nil || Recovered() != 1 {
		t.Errorf("a value that html/template refuses too: error %v, %d panics counted, want an error and still 1",
			err, Recovered())
	}
}

// TestAsHTMLTemplate executes templates both ways, which must give the same.
func TestAsHTMLTemplate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, text := range append(append([]string{}, known...), unknown...) {
		reference := template.Must(template.New("t").Parse(text + others))
		set := newSet(text)
		for range 300 {
			v := newView(rng)
			var want strings.Builder
			wantErr := reference.Execute(&want, v)
			got, err := set.Execute("t", v)
			if (err == nil) != (wantErr == nil) || err == nil && string(got) != want.String() {
				t.Fatalf("%s\nview %+v\ngot  %q, %v\nwant %q, %v", text, v, got, err, want.String(), wantErr)
			}
			if page, err := set.Append([]byte("before "), "t", v); err == nil &&
				string(page) != "before "+want.String() {
				t.Fatalf("%s appended: %q, %v, want %q", text, page, err, want.String())
			}
		}
	}
}

// TestAddresses: addresses of few characters, with each byte, are escaped like html/template does.
func TestAddresses(t *testing.T) {
	for _, text := range []string{
		`<a href="{{.Text}}"></a>`, `<a href="/{{.Text}}"></a>`, `<a href="#{{.Text}}"></a>`,
		`<title>{{.Text}}</title>`,
	} {
		reference, set := template.Must(template.New("t").Parse(text)), newSet(text)
		for b := range 256 {
			for _, before := range []string{"", "a", "%", "%4", "https://", "https://a/%", "http", "https:"} {
				v := view{Text: before + string([]byte{byte(b)}) + "f"}
				var want strings.Builder
				if err := reference.Execute(&want, v); err != nil {
					t.Fatal(err)
				}
				if got, err := set.Execute("t", v); err != nil || string(got) != want.String() {
					t.Errorf("%s of %q: got %q, error %v, want %q", text, v.Text, got, err, want.String())
				}
			}
		}
	}
}

// TestKnown: the templates in known are compiled, and those in unknown are not.
func TestKnown(t *testing.T) {
	v := newView(rand.New(rand.NewPCG(3, 4)))
	left := func(text string) string {
		set := newSet(text)
		_, _ = set.Execute("t", v)
		for _, u := range set.Unknown() {
			if strings.HasPrefix(u, "t: ") {
				return u
			}
		}
		return ""
	}
	for _, text := range known {
		if why := left(text); why != "" {
			t.Errorf("%s is not compiled: %s", text, why)
		}
	}
	for _, text := range unknown {
		if left(text) == "" {
			t.Errorf("%s is compiled, want html/template", text)
		}
	}
}

// TestOtherTypes: a template is compiled for each type that it is executed with.
func TestOtherTypes(t *testing.T) {
	set := newSet(`{{.Name}}`)
	for range 2 {
		for _, v := range []any{
			item{Name: "<a>"}, &item{Name: "<a>"}, struct{ Name look }{"<a>"}, map[string]string{"Name": "<a>"},
		} {
			if got, err := set.Execute("t", v); err != nil || got != "&lt;a&gt;" {
				t.Errorf("%T: got %q, error %v", v, got, err)
			}
		}
	}
	if _, err := set.Execute("t", item{}); err != nil {
		t.Error(err)
	}
	for _, v := range []any{nil, 3, (*item)(nil)} {
		if got, err := set.Execute("t", v); err == nil && got != "" && v != nil {
			t.Errorf("%v: got %q, want an error or nothing", v, got)
		}
	}
	if _, err := set.Execute("u", item{}); err == nil {
		t.Error("executing an unknown template succeeds, want an error")
	}
}

// TestBadTemplate: a template that html/template refuses is not executed.
func TestBadTemplate(t *testing.T) {
	set := newSet(`<a href="{{if .Name}}x" title="{{end}}{{.Name}}">`)
	if got, err := set.Execute("t", item{Name: "a"}); err == nil {
		t.Errorf("a template with ambiguous contexts: got %q, want an error", got)
	}
}

// TestOnlyExecuted: templates that are not executed are not even parsed.
func TestOnlyExecuted(t *testing.T) {
	all := map[string]string{"t": `{{if .Sub}}{{template "list" .}}{{end}}{{template "name" .}}`, "name": `{{.Name}}`}
	var read []string
	set := New(func(name string) (string, bool) { read = append(read, name); text, ok := all[name]; return text, ok })
	for range 2 {
		if got, err := set.Execute("t", item{Name: "a"}); err != nil || got != "a" {
			t.Errorf("got %q, error %v", got, err)
		}
	}
	if want := []string{"t", "name"}; !slices.Equal(read, want) {
		t.Errorf("read %q, want %q", read, want)
	}
}

// TestEndsElsewhere: a template that does not end in the text of an element is executed by html/template, as a part of
// the one that calls it.
func TestEndsElsewhere(t *testing.T) {
	defer recovered.Store(recovered.Load())
	const half, text = `<b title="{{.Name}}`, `{{template "half" .}} {{.Name}}">{{.Name}}</b>`
	all := map[string]string{"t": text, "half": half}
	set := New(func(name string) (string, bool) { text, ok := all[name]; return text, ok })
	got, err := set.Execute("t", item{Name: `x" onclick=y`})
	const want = `<b title="x&#34; onclick=y x&#34; onclick=y">x&#34; onclick=y</b>`
	if err != nil || got != want {
		t.Errorf("got %q, error %v, want %q", got, err, want)
	}
	if got, err := set.Execute("half", item{Name: "x"}); err == nil {
		t.Errorf("half of a tag: got %q, want an error", got)
	}
}

func TestGoroutines(t *testing.T) {
	set := newSet(known[8])
	v := newView(rand.New(rand.NewPCG(5, 6)))
	want, err := set.Execute("t", v)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 200 {
				if i%2 == 0 {
					_, _ = set.Execute("item", item{Name: fmt.Sprint(i)})
				}
				if got, err := set.Execute("t", v); err != nil || got != want {
					t.Errorf("got %q, error %v", got, err)
				}
			}
		})
	}
	all.Wait()
}

// FuzzEscapers: our escapers give the same as those of html/template.
func FuzzEscapers(f *testing.F) {
	f.Add("")
	for c := range 256 {
		f.Add(string([]byte{byte(c)}))
		f.Add("a" + string(rune(c)) + "b")
	}
	templates := []string{
		`<b>{{.}}</b>`, `<b title="{{.}}"></b>`, `<b title='x {{.}}'></b>`, `<a href="{{.}}"></a>`,
		`<a href="/{{.}}"></a>`, `<a href="#{{.}}"></a>`, `<a href="/?q={{.}}"></a>`, `<title>{{.}}</title>`,
		`<textarea>{{.}}</textarea>`,
	}
	var sets []*Set
	var references []*template.Template
	for _, text := range templates {
		sets = append(sets, newSet(text))
		references = append(references, template.Must(template.New("t").Parse(text)))
	}
	f.Fuzz(func(t *testing.T, s string) {
		for i, text := range templates {
			var want strings.Builder
			if err := references[i].Execute(&want, s); err != nil {
				t.Fatal(err)
			}
			got, err := sets[i].Execute("t", s)
			if err != nil || string(got) != want.String() {
				t.Errorf("%s of %q: got %q, error %v, want %q", text, s, got, err, want.String())
			}
			if left := sets[i].Unknown(); len(left) > 0 {
				t.Errorf("%s is not compiled: %v", text, left)
			}
		}
	})
}

func BenchmarkExecute(b *testing.B) {
	const text = `{{range .List}}<li class="{{.Name}}"><a href="{{.Href}}">{{.Name}}</a>{{if .Sub}}<b>{{.Name}}</b>{{end}}</li>{{end}}`
	v := view{
		List: []item{{Name: "lamp & corner", Href: "a/b.html"}, {Name: "dimmer", Href: "c.html", Sub: []item{{}}}, {Name: "fog", Href: "#x"}},
	}
	b.Run("program", func(b *testing.B) {
		set := newSet(text)
		b.ReportAllocs()
		for b.Loop() {
			_, _ = set.Execute("t", v)
		}
	})
	b.Run("html template", func(b *testing.B) {
		t := template.Must(template.New("t").Parse(text))
		b.ReportAllocs()
		for b.Loop() {
			var w strings.Builder
			_ = t.Execute(&w, v)
		}
	})
}
