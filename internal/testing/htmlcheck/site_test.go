package htmlcheck

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// good is a page without findings. Each case below changes one thing in it.
const good = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="` + Policy + `">
<title>A page</title>
<script async src="assets/viewer.js"></script>
<link rel="stylesheet" href="assets/viewer.css">
</head>
<body>
<svg aria-hidden="true"><symbol id="i-x"><path d="M0 0"/></symbol></svg>
<h1 id="top">A page</h1>
<label for="one">One</label><input type="radio" id="one">
<button type="button" aria-label="Theme"><svg aria-hidden="true"><use href="#i-x"/></svg></button>
<p><a href="s/1.html#p1">A session</a> <a href="https://example.com/?a=1&amp;b=2">elsewhere</a> <a href="#top">up</a></p>
<svg role="img"><title>Seven prompts</title></svg>
` + quoting + `
<!-- more -->
</body>
</html>
`

// quoting is text that is only allowed on pages that show sessions of others.
const quoting = `<pre>a {{.B}} &amp;lt; %!s(int=1)</pre><div class="prose"><h5>A heading of its own</h5></div>`

func site(index string) fstest.MapFS {
	session := strings.NewReplacer(
		`src="assets/`, `src="../assets/`, `href="assets/`, `href="../assets/`, `"s/1.html#p1"`, `"../index.html"`,
		quoting, `<h2 id="p1">A prompt</h2>`,
	).Replace(good)
	return fstest.MapFS{
		"index.html":        {Data: []byte(index)},
		"s/1.html":          {Data: []byte(session)},
		"assets/viewer.js":  {Data: []byte("0")},
		"assets/viewer.css": {Data: []byte("/* url(https://example.com) */ p { background: url(x.svg) }")},
		"assets/x.svg":      {Data: []byte("<svg/>")},
	}
}

func TestSiteWithoutFindings(t *testing.T) {
	Site(t, site(strings.Replace(good, quoting, "<pre>a &lt; b {{ of_another_language }}</pre>", 1)))

	findings, err := Sweep(site(good), Options{TranscriptText: true})
	if err != nil || len(findings) > 0 {
		t.Errorf("a page that quotes templates: findings %q, error %v, want none", findings, err)
	}
}

func TestSearchLinks(t *testing.T) {
	searching := site(strings.Replace(good, "<!-- more -->", `<a href="#search=tool%3ABash">x</a>`, 1))
	searching["search/1.js"] = &fstest.MapFile{Data: []byte("0")}
	findings, err := Sweep(searching, Options{TranscriptText: true})
	if err != nil || len(findings) > 0 {
		t.Errorf("a link to a search: findings %q, error %v, want none", findings, err)
	}
}

func TestFindings(t *testing.T) {
	more := "<!-- more -->"
	for _, c := range []struct{ name, old, new, want string }{
		{"duplicate id", more, `<p id="one">x</p>`, "the id one is there 2 times"},
		{"no such file", more, `<a href="s/2.html">x</a>`, "there is no file s/2.html in the site"},
		{"no such picture", more, `<img alt="" src="media/1.png">`, "there is no file media/1.png"},
		{"no such id here", more, `<a href="#none">x</a>`, "nothing in index.html has the id none"},
		{"no such id there", more, `<a href="s/1.html#none">x</a>`, "nothing in s/1.html has the id none"},
		{"search without an index", more, `<a href="#search=tool:Bash">x</a>`, "the site has no search index"},
		{"search for nothing", more, `<a href="#search=">x</a>`, "searches for nothing"},
		{"no such symbol", more, `<svg aria-hidden="true"><use href="#i-y"/></svg>`, "nothing in index.html has the id i-y"},
		{"fragment of a file that is not a page", more, `<a href="assets/x.svg#a">x</a>`, "assets/x.svg is not a page"},
		{"label for nothing", more, `<label for="two">x</label>`, "for names two"},
		{"labelled by nothing", more, `<p aria-labelledby="one two">x</p>`, "aria-labelledby names two"},
		{"described by nothing", more, `<p aria-describedby="two">x</p>`, "aria-describedby names two"},
		{"controls nothing", more, `<p aria-controls="two">x</p>`, "aria-controls names two"},
		{"absolute path", more, `<a href="/index.html">x</a>`, "absolute path"},
		{"Windows path", more, `<a href="s\1.html">x</a>`, "absolute path"},
		{"file address", more, `<a href="file:///index.html">x</a>`, "scheme file"},
		{"out of the site", more, `<a href="../index.html">x</a>`, "leads out of the site"},
		{"folder", more, `<a href="s/">x</a>`, "leads to a folder"},
		{"dot file", more, `<a href=".viewer/index.html">x</a>`, "dot file"},
		{"empty address", more, `<a href="">x</a>`, "href is empty"},
		{"no address", more, `<a href="%zz">x</a>`, "href is not an address"},
		{"script from outside", "assets/viewer.js", "https://example.com/viewer.js", "src leads to the network"},
		{"stylesheet from outside", "assets/viewer.css", "https://example.com/viewer.css", "href leads to the network"},
		{"picture from outside", more, `<img alt="" src="//example.com/1.png">`, "src leads to the network"},
		{"several pictures", more, `<img alt="" srcset="https://example.com/1.png 2x">`, "srcset"},
		{"form", more, `<form action="https://example.com/"></form>`, "action leads to the network"},
		{"data address", more, `<img alt="" src="data:image/png;base64,AA">`, "scheme data"},
		{"script address", more, `<a href=" JavaScript:alert(1)">x</a>`, "scheme javascript"},
		{"other scheme", more, `<a href="vscode://file/x">x</a>`, "scheme vscode"},
		{"style attribute", more, `<p style="color:red">x</p>`, "style attribute"},
		{"inline script", more, `<script>1</script>`, "inline <script>"},
		{"inline style", more, `<style>p{}</style>`, "inline <style>"},
		{"handler", more, `<p onclick="x()">x</p>`, "handler onclick"},
		{"integrity", `<script async`, `<script integrity="sha256-x" async`, "integrity attribute"},
		{"frame", more, `<iframe src="s/1.html"></iframe>`, "forbids this element"},
		{"base", `<meta charset="utf-8">`, `<meta charset="utf-8"><base href="s/">`, "forbids this element"},
		{"refresh", `<meta charset="utf-8">`, `<meta charset="utf-8"><meta http-equiv="refresh" content="1">`, "does not move"},
		{"no policy", "Content-Security-Policy", "X-Policy", "the page has 0 content policies"},
		{"other policy", "script-src 'self'", "script-src 'self' 'unsafe-inline'", "the content policy is"},
		{"late policy", "<meta charset=\"utf-8\">", "<meta charset=\"utf-8\"><link rel=\"icon\" href=\"assets/x.svg\">", "comes after something that is loaded"},
		{"no charset", `<meta charset="utf-8">`, "", "no <meta charset>"},
		{"no title", `<title>A page</title>`, "", "no <title>"},
		{"no language", `<html lang="en">`, "<html>", "<html> has no lang"},
		{"two h1", more, "<h1>x</h1>", "the page has 2 <h1>"},
		{"no h1", `<h1 id="top">A page</h1>`, `<p id="top"></p>`, "the page has 0 <h1>"},
		{"skipped level", more, "<h3>x</h3>", `<h3> "x" follows <h1>: a level is skipped`},
		{"input without name", more, `<input type="search" placeholder="Filter">`, "no accessible name"},
		{"input with empty label", more, `<label for="two"></label><input id="two">`, "no accessible name"},
		{"select without name", more, `<select><option>x</option></select>`, "no accessible name"},
		{"button without name", more, `<button><svg aria-hidden="true"></svg></button>`, "no accessible name"},
		{"fold without name", more, `<details><summary></summary></details>`, "no accessible name"},
		{"link without name", more, `<a href="s/1.html"><svg aria-hidden="true"></svg></a>`, "no accessible name"},
		{"picture without alt", more, `<img src="assets/x.svg">`, "has no alt"},
		{"svg without role", more, `<svg><path d="M0 0"/></svg>`, `wants aria-hidden="true"`},
		{"svg without title", more, `<svg role="img"><path d="M0 0"/></svg>`, `wants aria-hidden="true"`},
		{"refused value", more, `<a href="#ZgotmplZ" id="ZgotmplZ">x</a>`, "html/template refused"},
		{"no value", more, `<p>&lt;no value&gt;</p>`, "names a key that is not there"},
		{"format verb", more, `<p>%!d(string=x)</p>`, "a format verb did not fit"},
		{"extra argument", more, `<p>%!(EXTRA int=1)</p>`, "a format verb did not fit"},
		{"escaped twice", more, `<p>a &amp;lt; b</p>`, "escaped twice"},
		{"escaped twice in an attribute", more, `<p class="&amp;amp;">b</p>`, "escaped twice"},
		{"template", more, `<p>{{.Title}}</p>`, "not executed"},
		{"template with a word", more, `<p>{{- range $x := .Y}}</p>`, "not executed"},
		{"never closed", more, `<div>`, "</body> closes nothing that is open: html > body > div"},
		{"closed twice", more, `<p>x</p></p>`, "</p> closes nothing that is open"},
		{"block in a paragraph", more, `<p><b><pre>x</pre></b></p>`, "<pre> inside <p>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(good, c.old) {
				t.Fatalf("the good page lacks %q, which the case changes", c.old)
			}
			findings, err := Sweep(site(strings.Replace(good, c.old, c.new, 1)), Options{TranscriptText: true})
			if err != nil {
				t.Fatal(err)
			}
			says := func(f string) bool { return strings.HasPrefix(f, "index.html: ") && strings.Contains(f, c.want) }
			if !slices.ContainsFunc(findings, says) {
				t.Errorf("findings are\n%s\nwant one about index.html with %q", strings.Join(findings, "\n"),
					c.want)
			}
		})
	}
}

func TestNamesThatControlsMayHave(t *testing.T) {
	more := `<label>Size <input type="text"></label>
<input type="hidden"><input type="submit" value="Go">
<button><img alt="Go" src="assets/x.svg"></button>
<button aria-labelledby="one"></button>
<select aria-label="Project"><option>x</option></select>`
	findings, err := Sweep(site(strings.Replace(good, "<!-- more -->", more, 1)), Options{TranscriptText: true})
	if err != nil || len(findings) > 0 {
		t.Errorf("findings %q, error %v, want none", findings, err)
	}
}

func TestFindingsOfOtherFiles(t *testing.T) {
	s := site(good)
	s["assets/viewer.css"].Data = []byte("@import 'https://example.com/x.css'; a { b: url( \"data:image/png,x\") } c { d: url(//example.com) }")
	s["media/a:b.png"] = &fstest.MapFile{}
	findings, err := Sweep(s, Options{TranscriptText: true})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(findings, "\n")
	for _, want := range []string{
		"assets/viewer.css: @import", `assets/viewer.css: url( "data:`, "assets/viewer.css: url(//example.com",
		"media/a:b.png: the name",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("findings are\n%s\nwant one with %q", all, want)
		}
	}
}

func TestSiteReports(t *testing.T) {
	r := &recorder{TB: t}
	Site(r, site(strings.Replace(good, "<!-- more -->", strings.Repeat(`<a href="none.html">x</a>`, 100), 1)))
	got := r.text.String()
	if strings.Count(got, "none.html in the site") >= 100 || !strings.Contains(got, "more\n") {
		t.Errorf("a hundred dead links are reported as\n%s\nwant the first of them and how many more", got)
	}
}

func TestSweepOfNothing(t *testing.T) {
	if _, err := Sweep(fstest.MapFS{"a.txt": {}}, Options{}); err == nil {
		t.Error("a site without pages passes the sweep, want an error")
	}
}

func BenchmarkSweep(b *testing.B) {
	turn := `<section class="turn"><h2 id="t%d">Prompt</h2><div class="prose"><p>Some text with <code>code</code> and <a href="#t%[1]d">a link</a>.</p></div><details><summary>Bash</summary><pre>go test ./...</pre></details></section>` + "\n"
	var body strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&body, turn, i)
	}
	s := site(strings.Replace(good, "<!-- more -->", body.String(), 1))
	b.SetBytes(int64(len(s["index.html"].Data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Sweep(s, Options{TranscriptText: true}); err != nil {
			b.Fatal(err)
		}
	}
}
