package markup

import (
	"fmt"
	"html/template"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// TestMain fails if a parser or scanner panicked: it would draw less, which nobody would notice.
func TestMain(m *testing.M) {
	code := m.Run()
	if n := Recovered(); n > 0 && code == 0 {
		fmt.Printf("FAIL: %d panics of the parser or of scanners\n", n)
		code = 1
	}
	os.Exit(code)
}

// textOf returns the text of a fragment, with characters that are shown as numbers restored. It fails the test if a tag
// is not closed, or is not one that this package writes.
func textOf(t *testing.T, h template.HTML) string {
	t.Helper()
	var b strings.Builder
	var open []string
	number := false
	z := html.NewTokenizer(strings.NewReader(string(h)))
	for {
		switch z.Next() {
		case html.ErrorToken:
			if z.Err() != io.EOF {
				t.Fatalf("tokenizing: %v", z.Err())
			}
			if len(open) > 0 {
				t.Fatalf("%v not closed in %q", open, h)
			}
			return b.String()
		case html.TextToken:
			s := z.Token().Data
			if number {
				s = string(runeOf(t, s))
			}
			if strings.Contains(s, "\n") && len(open) > 0 {
				t.Fatalf("%v spans a line end in %q", open, h)
			}
			b.WriteString(s)
		case html.StartTagToken:
			tok := z.Token()
			open = append(open, tok.Data)
			number = number || tok.Data == "span" && len(tok.Attr) == 1 && tok.Attr[0].Val == "u"
			safe(t, tok, h)
		case html.EndTagToken:
			name, _ := z.TagName()
			if len(open) == 0 || open[len(open)-1] != string(name) {
				t.Fatalf("</%s> closes %v in %q", name, open, h)
			}
			open = open[:len(open)-1]
			number = false
		default:
			t.Fatalf("unexpected %v in %q", z.Token(), h)
		}
	}
}

func runeOf(t *testing.T, name string) rune {
	t.Helper()
	r := rune(0)
	for _, c := range strings.TrimPrefix(name, "U+") {
		r = r*16 + rune(strings.IndexRune("0123456789ABCDEF", c))
	}
	if !hidden(r) {
		t.Fatalf("%q is shown as a number, but is not hidden", name)
	}
	return r
}

// allowed are the elements that this package writes, with their attributes.
var allowed = map[string][]string{
	"span": {"class", "title", "role", "aria-label"}, "ins": {}, "del": {},
	"i": {}, "u": {}, "b": {}, "var": {}, "kbd": {}, "small": {}, "cite": {}, // tokens of code
	"a":  {"href", "rel", "title", "role", "aria-label"},
	"h3": {"class"}, "h4": {"class"}, "h5": {"class"}, "h6": {"class"}, "p": {"class"}, "br": {}, "hr": {},
	"em": {}, "strong": {}, "code": {}, "pre": {"class", "data-lang"}, "blockquote": {},
	"ul": {}, "ol": {"start"}, "li": {"class", "id"}, "sup": {"id"}, "div": {"class", "role"},
	"table": {}, "thead": {}, "tbody": {}, "tr": {}, "th": {"class"}, "td": {"class"},
}

// safe fails the test if a tag could do harm.
func safe(t *testing.T, tag html.Token, in template.HTML) {
	t.Helper()
	attrs, ok := allowed[tag.Data]
	if !ok {
		t.Fatalf("element %v in %q", tag, in)
	}
	for _, a := range tag.Attr {
		if !slices.Contains(attrs, a.Key) {
			t.Fatalf("attribute %q of %v in %q", a.Key, tag, in)
		}
		switch a.Key {
		case "href":
			if strings.HasPrefix(a.Val, "#x-") {
				break
			}
			if Link(a.Val) == "" {
				t.Fatalf("link to %q in %q", a.Val, in)
			}
			if i := slices.IndexFunc(tag.Attr, func(a html.Attribute) bool { return a.Key == "rel" }); i < 0 ||
				tag.Attr[i].Val != "noopener noreferrer nofollow" {
				t.Fatalf("link without rel: %v", tag)
			}
		case "data-lang":
			if !isFenceWord(a.Val) || a.Val == "" {
				t.Fatalf("language %q in %q", a.Val, in)
			}
		case "id":
			if !strings.HasPrefix(a.Val, "x-") {
				t.Fatalf("id %q without anchor in %q", a.Val, in)
			}
		}
	}
}

var manyReturns = regexp.MustCompile(`\r+\n`)

// shown returns the text that Text, Code and Diff show of s: all of it.
func shown(s string) string {
	return valid(manyReturns.ReplaceAllString(s, "\n"))
}

// visible fails the test if h has a character that browsers hide.
func visible(t *testing.T, h string) {
	t.Helper()
	if !utf8.ValidString(h) {
		t.Fatalf("not UTF-8: %q", h)
	}
	for _, r := range h {
		if hidden(r) {
			t.Fatalf("hidden %U in %q", r, h)
		}
	}
}

// checkLines checks the promises of Cut and Lines for h.
func checkLines(t *testing.T, h template.HTML) {
	t.Helper()
	visible(t, string(h))
	n := Lines(h)
	for _, at := range []int{0, 1, 2, n / 2, n - 1, n, n + 1} {
		head, rest := Cut(h, at)
		if head+rest != h {
			t.Fatalf("Cut(%q, %d) = %q, %q", h, at, head, rest)
		}
		if Lines(head)+Lines(rest) != n {
			t.Fatalf("Cut(%q, %d): %d + %d lines of %d", h, at, Lines(head), Lines(rest), n)
		}
		textOf(t, head)
		textOf(t, rest)
	}
}

// seed adds the seeds of a fuzz test, and fails without any.
func seed(f *testing.F, seeds []string) {
	f.Helper()
	if len(seeds) == 0 {
		f.Fatal("no seeds found, want some")
	}
	for _, s := range seeds {
		f.Add(s)
	}
}
