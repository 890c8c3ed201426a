package render

import (
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestProblemLinks: a problem links to the element of its line, or to the one before it.
func TestProblemLinks(t *testing.T) {
	s := new(sessionWriter)
	s.result("lost", 3)
	s.prompt(3)
	s.text(3)
	s.lines = append(s.lines, "no json")
	s.call("t1", 3)
	s.result("t1", 3)
	s.lines = append(s.lines, "nor this")
	f := transcript.Read("s.jsonl", []byte("first of all\n"+strings.Join(s.lines, "\n")+"\n"))
	c := normalize.Build(normalize.Input{ID: "s", Main: &f})
	d := newPageDrawing(Open(Session{Conversation: c}).b, 0)
	d.pageState.name = "2.html"
	turns := c.Turns
	lost, text, call := itemHead(turns[0].Items[0]).Anchor, itemHead(turns[1].Items[0]).Anchor,
		itemHead(turns[1].Items[1]).Anchor
	want := map[string]string{
		"s.jsonl:1": "", // no element is before it
		"s.jsonl:2": "index.html#" + lost,
		"s.jsonl:5": "index.html#" + text,
		"s.jsonl:6": "index.html#" + call,
		"s.jsonl:8": "index.html#" + call, // its result is on the line before
	}
	list := d.problems().List
	if len(list) != len(want) {
		t.Fatalf("got problems %+v, want %d", list, len(want))
	}
	for _, p := range list {
		if href, ok := want[p.Place]; !ok || p.Href != href {
			t.Errorf("%s: %s links to %q, want %q", p.Place, p.Text, p.Href, href)
		}
	}
}
