package htmlcheck

import (
	"fmt"
	"strings"
	"testing"
)

const fragment = `<div class="tool" id="t1"><h3>Bash <small>list</small></h3>
<pre class="command">$ ls
-l</pre><a href="x.html">x</a><a href="y.html">y</a></div>`

func TestChecksThatHold(t *testing.T) {
	Run(t, fragment,
		In("div.tool#t1",
			In("h3", IsText("Bash list")),
			HasText("$ ls -l"),
			HasNotText("rm"),
			HasAttr("class", "tool"),
			Count("a", 2),
			Has("div > pre.command"),
			HasNot("pre > a")),
		Has(`a[href="x.html"]`),
		Has("a[href]"),
		HasNot("p, ul"))
}

func TestChecksThatFail(t *testing.T) {
	for _, c := range []struct {
		check Check
		want  string
	}{
		{In("p.none"), "no element p.none in"},
		{In("div", In("h3", HasText("Read"))), `in div: in h3: text is "Bash list", want it to contain "Read"`},
		{In("h3", IsText("Bash")), `text is "Bash list", want "Bash"`},
		{HasNotText("Bash"), `want it without "Bash"`},
		{In("a", HasAttr("href", "z.html")), `href is "x.html", want "z.html"`},
		{In("a", HasAttr("title", "z")), `no attribute title, want "z"`},
		{Count("a", 3), "got 2 elements a, want 3"},
		{HasNot("pre"), "there is an element pre, want none"},
		{In("div", Has("ul"), Has("ol")), "no element ol"},
	} {
		r := &recorder{TB: t}
		Run(r, fragment, c.check)
		if got := r.text.String(); !strings.Contains(got, c.want) {
			t.Errorf("failure is\n%s\nwant it to contain\n%s", got, c.want)
		}
	}
}

func TestBadSelectorPanics(t *testing.T) {
	defer func() {
		if got, want := fmt.Sprint(recover()), `selector "div["`; !strings.Contains(got, want) {
			t.Errorf("got panic %q, want it to name %s", got, want)
		}
	}()
	Has("div[")
}

// A recorder records the failures of a test under test.
type recorder struct {
	testing.TB
	text strings.Builder
}

func (r *recorder) Helper()           {}
func (r *recorder) Error(args ...any) { fmt.Fprintln(&r.text, args...) }
func (r *recorder) Errorf(format string, args ...any) {
	fmt.Fprintf(&r.text, format+"\n", args...)
}
