package render

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// A sessionWriter writes a session record by record.
type sessionWriter struct {
	lines []string
	n     int
}

func (s *sessionWriter) record(typ, rest string) {
	parent := "null"
	if s.n > 0 {
		parent = strconv.Quote(id(s.n))
	}
	s.n++
	s.lines = append(s.lines, fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":"s",%s}`, typ, id(s.n),
		parent, rest))
}

func id(n int) string { return fmt.Sprintf("%08x-0000-4000-8000-%012x", uint32(n)*2654435761, n) }

func (s *sessionWriter) prompt(size int) {
	s.record("user", fmt.Sprintf(`"message":{"role":"user","content":"%s"}`, strings.Repeat("p", size)))
}

func (s *sessionWriter) text(size int) {
	s.record("assistant", fmt.Sprintf(
		`"message":{"id":"m%d","role":"assistant","content":[{"type":"text","text":"%s"}]}`,
		s.n, strings.Repeat("t", size)))
}

func (s *sessionWriter) call(id string, size int) {
	s.record("assistant", fmt.Sprintf(
		`"message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":"%s"}}]}`,
		s.n, id, strings.Repeat("c", size)))
}

func (s *sessionWriter) result(id string, size int) {
	s.record("user", fmt.Sprintf(
		`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"%s"}]}`,
		id, strings.Repeat("r", size)))
}

func (s *sessionWriter) system() {
	s.record("system", `"subtype":"turn_duration","durationMs":1000`)
}

func build(lines []string) *normalize.Conversation {
	f := transcript.Read("s.jsonl", []byte(strings.Join(lines, "\n")+"\n"))
	return normalize.Build(normalize.Input{ID: "s", Main: &f})
}

// anchors lists the anchors on each page, in order.
func anchors(pages [][]turnPart) [][]string {
	all := make([][]string, len(pages))
	for i, parts := range pages {
		for _, l := range parts {
			if l.first {
				for _, m := range l.turn.Prompt {
					all[i] = append(all[i], m.Anchor)
				}
			}
			for _, item := range l.items {
				all[i] = append(all[i], itemHead(item).Anchor)
			}
		}
	}
	return all
}

// randomSession returns a session with turns of all sizes, and parallel calls whose results come late.
func randomSession(seed uint64, records int) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	s := new(sessionWriter)
	var open []string
	s.prompt(20)
	for s.n < records {
		switch k := r.IntN(10); {
		case k == 0:
			s.prompt(1 + r.IntN(3000))
		case k <= 3:
			s.text(1 + r.IntN(20_000))
		case k <= 6:
			id := fmt.Sprintf("t%d", s.n)
			s.call(id, 1+r.IntN(30_000))
			open = append(open, id)
		case k == 7:
			s.system()
		case len(open) > 0:
			i := r.IntN(len(open))
			s.result(open[i], r.IntN(60_000))
			open = append(open[:i], open[i+1:]...)
		}
	}
	return s.lines
}

// TestAppendKeepsPages builds every prefix of a session: items on a full page stay there, and the last page only grows.
func TestAppendKeepsPages(t *testing.T) {
	for seed := range uint64(3) {
		lines := randomSession(seed, 130)
		whole := anchors(paginate(build(lines)))
		if len(whole) < 3 {
			t.Fatalf("seed %d: %d pages, want some: make the records larger", seed, len(whole))
		}
		for n := 1; n < len(lines); n++ {
			got := anchors(paginate(build(lines[:n])))
			for i, page := range got {
				want := whole[i]
				if i == len(got)-1 {
					want = want[:min(len(page), len(want))]
				}
				if diff := cmp.Diff(want, page); diff != "" {
					t.Fatalf("seed %d: page %d of the first %d records differs from that of all (-all +first):\n%s", seed, i+1, n, diff)
				}
			}
		}
	}
}

// TestEachItemOnce: each prompt and each item is on one page, in order.
func TestEachItemOnce(t *testing.T) {
	for seed := range uint64(5) {
		c := build(randomSession(seed, 150))
		var want []string
		for _, turn := range c.Turns {
			for _, m := range turn.Prompt {
				want = append(want, m.Anchor)
			}
			for _, item := range turn.Items {
				want = append(want, itemHead(item).Anchor)
			}
		}
		var got []string
		for _, page := range anchors(paginate(c)) {
			got = append(got, page...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d: items (-session +pages):\n%s", seed, diff)
		}
	}
}

func TestWholeTurns(t *testing.T) {
	s := new(sessionWriter)
	for i := range 30 {
		s.prompt(100)
		s.text(20_000)
		s.call(fmt.Sprint("t", i), 100)
		s.result(fmt.Sprint("t", i), 10_000)
	}
	pages := paginate(build(s.lines))
	if len(pages) < 3 {
		t.Fatalf("%d pages, want at least 3", len(pages))
	}
	number := 0
	for i, parts := range pages {
		for _, l := range parts {
			number++
			if !l.first || !l.last || l.number != number {
				t.Errorf("page %d: a part with first %v, last %v, number %d; want all of turn %d", i+1, l.first,
					l.last, l.number, number)
			}
		}
	}
}

// TestHugeTurn divides a turn that is too large for a page between its groups: each call stays with its result.
func TestHugeTurn(t *testing.T) {
	s := new(sessionWriter)
	s.prompt(100)
	for i := range 60 {
		s.call(fmt.Sprint("t", i), 2000)
		s.result(fmt.Sprint("t", i), 20_000)
	}
	c := build(s.lines)
	pages := paginate(c)
	if len(pages) < 4 {
		t.Fatalf("%d pages, want at least 4", len(pages))
	}
	for i, parts := range pages {
		if len(parts) != 1 {
			t.Fatalf("page %d has %d parts, want 1: there is one turn", i+1, len(parts))
		}
		l := parts[0]
		if l.first != (i == 0) || l.last != (i == len(pages)-1) || l.number != 1 {
			t.Errorf("page %d of %d: got first %v, last %v, number %d", i+1, len(pages), l.first, l.last, l.number)
		}
		weight := 0
		for _, item := range l.items {
			g := item.(*normalize.Group)
			if g.Result == nil {
				t.Errorf("page %d: %s has no result", i+1, g.Call.Block.ID)
				continue
			}
			weight += weigh(g.Call) + weigh(g.Result)
		}
		if weight > pageOverflow+64<<10 {
			t.Errorf("page %d weighs %d, want at most about %d", i+1, weight, pageOverflow)
		}
	}
}

// TestRewoundPages rewinds an attempt of several pages: no empty page is left, and what came before stays in its place.
func TestRewoundPages(t *testing.T) {
	s := new(sessionWriter)
	s.prompt(10)
	s.text(10)
	at := s.n
	s.prompt(10)
	for i := range 60 {
		s.call(fmt.Sprint("t", i), 2000)
		s.result(fmt.Sprint("t", i), 20_000)
	}
	before := anchors(paginate(build(s.lines)))
	parent := id(s.n)
	s.prompt(10)
	again := len(s.lines) - 1
	s.lines[again] = strings.Replace(s.lines[again], `"parentUuid":"`+parent, `"parentUuid":"`+id(at), 1)
	s.text(10)
	after := anchors(paginate(build(s.lines)))
	if len(before) < 3 || len(after) >= len(before) {
		t.Errorf("%d pages before, %d after; want several, then fewer", len(before), len(after))
	}
	for i, page := range after {
		if len(page) == 0 {
			t.Errorf("page %d of %d is empty, want none empty", i+1, len(after))
		}
	}
	if diff := cmp.Diff(before[0][:2], after[0][:2]); diff != "" {
		t.Errorf("the first page (-before +after):\n%s", diff)
	}
}

func TestPageNames(t *testing.T) {
	for _, c := range []struct {
		in   *inner
		i    int
		want string
	}{
		{nil, 0, "index.html"}, {nil, 1, "2.html"}, {nil, 11, "12.html"},
		{&inner{folder: "agents", name: "a1b2"}, 0, "agents/a1b2.html"}, {&inner{folder: "agents", name: "a1b2"}, 1,
			"agents/a1b2-2.html"},
	} {
		if got := pageName(c.in, c.i); got != c.want {
			t.Errorf("pageName(%v, %d) = %q, want %q", c.in, c.i, got, c.want)
		}
	}
}

func TestNoRecords(t *testing.T) {
	pages := paginate(build(nil))
	if len(pages) != 1 || len(pages[0]) != 0 {
		t.Errorf("pages of an empty session = %v, want one empty page", pages)
	}
}
