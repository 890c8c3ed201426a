package single

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jba/templatecheck"
	"golang.org/x/net/html"

	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
	"viewer/render"
	"viewer/render/page"
)

// testdataSessions reads the sessions of testdata, without their agents.
func testdataSessions(t *testing.T) []render.Session {
	t.Helper()
	var all []render.Session
	for _, name := range golden.Glob(t, "../../testdata/projects/*/*.jsonl") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := transcript.Read(filepath.Base(name), data)
		id := strings.TrimSuffix(filepath.Base(name), ".jsonl")
		c := normalize.Build(normalize.Input{ID: id, Main: &f})
		all = append(all, render.Session{Conversation: c, Main: &f, Folder: id,
			Project:   render.Project{Name: "p", Path: "p/p/index.html"},
			Relations: []render.Relation{{How: "resumed from", Folder: "other", Title: "Other"}}})
	}
	return all
}

// A scannedPage has the parts of a page that the checks below need.
type scannedPage struct {
	ids, targets  map[string]bool
	twice, loads  []string
	policy        string
	style, script string
}

func scanPage(t *testing.T, page []byte) scannedPage {
	t.Helper()
	p := scannedPage{ids: map[string]bool{}, targets: map[string]bool{}}
	z := html.NewTokenizer(bytes.NewReader(page))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		token := z.Token()
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		var http, content string
		for _, a := range token.Attr {
			switch a.Key {
			case "id":
				if p.ids[a.Val] {
					p.twice = append(p.twice, a.Val)
				}
				p.ids[a.Val] = true
			case "href", "src":
				switch {
				case strings.HasPrefix(a.Val, "#"):
					p.targets[a.Val[1:]] = true
				case token.Data == "img" && strings.HasPrefix(a.Val, "data:image/"):
				case token.Data == "a" && a.Key == "href" && (strings.HasPrefix(a.Val, "https://") ||
					strings.HasPrefix(a.Val, "http://") || strings.HasPrefix(a.Val,
					"mailto:") || strings.HasPrefix(a.Val, "data:")):
				default:
					p.loads = append(p.loads, token.Data+" "+a.Val)
				}
			case "http-equiv":
				http = a.Val
			case "content":
				content = a.Val
			case "style", "onclick", "srcset":
				p.loads = append(p.loads, a.Key)
			}
		}
		if http == "Content-Security-Policy" {
			p.policy = content
		}
		if token.Data == "style" || token.Data == "script" {
			if z.Next() == html.TextToken {
				if text := string(z.Raw()); token.Data == "style" {
					p.style += text
				} else {
					p.script += text
				}
			}
		}
	}
	return p
}

// check checks that a page works as a single file.
func (p scannedPage) check(t *testing.T, name string) {
	t.Helper()
	if p.twice != nil || p.loads != nil {
		t.Errorf("%s: duplicate ids: %.300q; references to other files: %.300q", name, p.twice, p.loads)
	}
	for target := range p.targets {
		if !p.ids[target] {
			t.Errorf("%s: #%s does not exist", name, target)
		}
	}
	for what, text := range map[string]string{"style-src": p.style, "script-src": p.script} {
		sum := sha256.Sum256([]byte(text))
		if want := what + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; text == "" ||
			!strings.Contains(p.policy, want) {
			t.Errorf("%s: the policy %s lacks %s", name, p.policy, want)
		}
	}
	if !strings.Contains(p.policy, "default-src 'none'") || strings.Contains(p.policy, "unsafe") ||
		strings.Contains(p.policy, "self") {
		t.Errorf("%s: the policy %s is too permissive", name, p.policy)
	}
}

// TestSingle draws each session as one file. It must contain all of its pages, and refer to no other files.
func TestSingle(t *testing.T) {
	pictures := false
	for _, s := range testdataSessions(t) {
		name := s.Main.Name
		d := Draw([]render.Session{s})
		if len(d.Pages) != 1 || d.Media != nil {
			t.Fatalf("%s: %d pages and %d media, want one page", name, len(d.Pages), len(d.Media))
		}
		p := scanPage(t, d.Pages[0].HTML)
		p.check(t, name)
		pictures = pictures || bytes.Contains(d.Pages[0].HTML, []byte(`src="data:image/png;base64,`))
		if !d.Ledger.Balanced() {
			t.Errorf("%s: the ledger is not balanced: %+v", name, d.Ledger)
		}
		for _, page := range render.DrawSession(s).Pages {
			if !strings.HasSuffix(page.Name, ".html") {
				continue
			}
			for id := range scanPage(t, page.HTML).ids {
				if !p.ids[id] {
					t.Errorf("%s: the element #%s of %s is missing", name, id, page.Name)
				}
			}
		}
	}
	if !pictures {
		t.Error("no file contains a picture, want some")
	}
}

// TestSingleOfSeveral: sessions that share records are on one page, each with its own outline, and no link leads from
// one to another.
func TestSingleOfSeveral(t *testing.T) {
	all := testdataSessions(t)
	d := Draw(append(all, all[0]))
	p := scanPage(t, d.Pages[0].HTML)
	p.check(t, "all")
	for i := range all {
		if id := "session-" + words.Count(i+1); !p.ids[id] || !p.targets[id] {
			t.Errorf("#%s does not exist, or nothing links to it", id)
		}
	}
	want := strings.Count(string(d.Pages[0].HTML), "<main ")
	if want != 1 {
		t.Errorf("the page has %d elements <main>, want 1", want)
	}
}

// TestPrefixIDs: only names of anchors change, and only inside of tags.
func TestPrefixIDs(t *testing.T) {
	got := string(prefixIDs([]byte(
		`<a id="x" href="#y" class="z"> id="x" </a><use href="#i-file"/><label for="q"><a href="https://e.org/#y">&lt;a id="x"></a>`), "s2-"))
	want := `<a id="s2-x" href="#s2-y" class="z"> id="x" </a><use href="#i-file"/><label for="s2-q"><a href="https://e.org/#y">&lt;a id="x"></a>`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestPublished checks the template of a list with its view.
func TestPublished(t *testing.T) {
	if err := templatecheck.CheckHTML(page.Templates().Lookup("page/published"), publishedView{}); err != nil {
		t.Error(err)
	}
}
